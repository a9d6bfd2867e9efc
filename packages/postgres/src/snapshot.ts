/**
 * Build step: makes `dist/pglite-snapshot.tar.gz` from all migrations. Run as `node dist/snapshot.js`. Does nothing when
 * the snapshot is current.
 */
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { makeSnapshot } from "./makeSnapshot.ts"

const directory = fileURLToPath(new URL("../dist/", import.meta.url))

await Effect.runPromise(makeSnapshot(directory))
