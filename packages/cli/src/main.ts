/**
 * The executable. `--version` loads nothing else, and `svc mcp` starts without loading the command line, for a fast first
 * reply.
 */
import { fileURLToPath } from "node:url"
import { version } from "@svc/core"
import { loadProgram, runKind } from "./loadProgram.ts"
import { stdioOptions } from "./mcp/stdioOptions.ts"

const args = process.argv.slice(2)

const program = () => loadProgram(fileURLToPath(new URL("program.cjs", import.meta.url)), runKind(args))

if (args.length === 1 && args[0] === "--version") {
  process.stdout.write(`${version}\n`)
} else if (stdioOptions(args) !== undefined) {
  process.exitCode = await program().runStdio(stdioOptions(args) ?? {})
  process.exit()
} else {
  let writeError: Error | undefined
  for (const stream of [process.stdout, process.stderr]) {
    // A closed pipe, as in svc … | head, is not an error; a full disk is.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") writeError ??= error
    })
  }
  const exitCode = await program().run(args)
  await new Promise(setImmediate)
  if (writeError !== undefined) process.stderr.write(`svc: can't write the output: ${writeError.message}\n`)
  process.exitCode = exitCode === 0 && writeError !== undefined ? 1 : exitCode
  // Idle connections must not keep a finished command running.
  process.exit()
}
