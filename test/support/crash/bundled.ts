/** A program of the tests as one file that Node runs, for processes that are killed. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

/** Bundles a program beside this file; `remove` takes the bundle away. */
export const bundled = async (
  program: string
): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-crash-"))
  const file = join(folder, "program.mjs")
  const esbuild = createRequire(import.meta.url).resolve("esbuild/bin/esbuild")
  const require =
    "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
  await promisify(execFile)(esbuild, [
    join(import.meta.dirname, program),
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--target=node20",
    "--conditions=svc-source",
    "--log-level=error",
    `--banner:js=${require}`,
    `--outfile=${file}`
  ])
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
