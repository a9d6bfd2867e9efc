/** How V8 compiles the WebAssembly of the embedded database: the only place that sets flags of V8. */
import { setFlagsFromString } from "node:v8"

/** Commands that may have the embedded database work for long. */
const lasting = new Set(["serve", "dev", "worker", "import", "db"])

/**
 * Has it compiled quickly and only once, in a run that ends before better code would pay: half of what opening a folder costs.
 * Called when a folder is opened, since V8 refuses what Node's compile cache holds once flags have changed.
 */
export const compileQuickly = (): void => {
  if (lasting.has(process.argv[2] ?? "")) return
  // Node 22 needs the first one, Node 24 the others too.
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag)
}
