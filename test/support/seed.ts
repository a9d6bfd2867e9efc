/**
 * Generated inputs are the same in every run, so that a change is refused for what it does and not by chance:
 * `SVC_TEST_SEED` is another number, or `random` for a search at night.
 */
import { configureGlobal } from "fast-check"

const seed = process.env["SVC_TEST_SEED"] ?? "20261123"
if (seed !== "random") configureGlobal({ seed: Number(seed) })
