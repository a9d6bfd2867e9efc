/** Prints the manual page; run when the package is built. */
import * as Effect from "effect/Effect"
import { manualPage } from "./manual.ts"

process.stdout.write(await Effect.runPromise(manualPage))
