/**
 * The executable. What is asked most often from scripts, the version, loads nothing else; an agent's program, which waits
 * for a first answer, gets it before the command line is loaded.
 */
import { fileURLToPath } from "node:url"
import { version } from "@svc/core/Version"
import { loadProgram } from "./loadProgram.ts"
import { stdioOptions } from "./mcp/stdioOptions.ts"

const args = process.argv.slice(2)

const program = () => loadProgram(fileURLToPath(new URL("program.cjs", import.meta.url)))

if (args.length === 1 && args[0] === "--version") {
  process.stdout.write(`${version}\n`)
} else if (stdioOptions(args) !== undefined) {
  process.exitCode = await program().runStdio(stdioOptions(args) ?? {})
  process.exit()
} else {
  let lost: Error | undefined
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that went away, as of svc … | head, is no failure; a full disk is.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") lost ??= error
    })
  }
  const exitCode = await program().run(args)
  await new Promise(setImmediate)
  if (lost !== undefined) process.stderr.write(`svc: the output could not be written: ${lost.message}\n`)
  process.exitCode = exitCode === 0 && lost !== undefined ? 1 : exitCode
  // Connections that are kept open for a next request must not keep a finished command running.
  process.exit()
}
