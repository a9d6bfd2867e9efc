/**
 * The executable. `--version` loads nothing else, and `svc mcp` starts without loading the command line, for a fast first
 * reply. It is a script of CommonJS in the end, which Node starts sooner than an ECMAScript module.
 */
import { version } from "@svc/core"
import { loadProgram } from "./loadProgram.ts"
import { stdioOptions } from "./mcp/stdioOptions.ts"

const args = process.argv.slice(2)

const program = () => loadProgram(import.meta.dirname, args)

/** Runs the command line; resolves to the exit code. */
const runProgram = async (): Promise<number> => {
  let writeError: Error | undefined
  for (const stream of [process.stdout, process.stderr]) {
    // A closed pipe, as in svc … | head, is not an error; a full disk is.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") writeError ??= error
    })
  }
  const exitCode = await program().run(args)
  await new Promise(setImmediate)
  if (writeError === undefined) return exitCode
  process.stderr.write(`svc: can't write the output: ${writeError.message}\n`)
  return exitCode === 0 ? 1 : exitCode
}

const main = async (): Promise<void> => {
  const stdio = stdioOptions(args)
  process.exitCode = stdio === undefined ? await runProgram() : await program().runStdio(stdio)
  // Idle connections must not keep a finished command running.
  process.exit()
}

if (args.length === 1 && args[0] === "--version") process.stdout.write(`${version}\n`)
else void main()
