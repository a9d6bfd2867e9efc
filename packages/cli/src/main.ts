/** The executable. `--version` loads nothing else, and `svc mcp` starts without loading the command line. */
import { version } from "@svc/core"
import { stdioOptions } from "./mcp/stdio.ts"

const args = process.argv.slice(2)

/** Runs the command line; resolves to the exit code. */
const runCommandLine = async (): Promise<number> => {
  let writeError: Error | undefined
  for (const stream of [process.stdout, process.stderr]) {
    // A closed pipe, as in svc … | head, is not an error; a full disk is.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") writeError ??= error
    })
  }
  const { run } = await import("./run.ts")
  const exitCode = await run(args)
  await new Promise(setImmediate)
  if (writeError === undefined) return exitCode
  process.stderr.write(`svc: can't write the output: ${writeError.message}\n`)
  return exitCode === 0 ? 1 : exitCode
}

if (args.length === 1 && args[0] === "--version") process.stdout.write(`${version}\n`)
else {
  const stdio = stdioOptions(args)
  process.exitCode =
    stdio === undefined ? await runCommandLine() : await (await import("./mcp/stdio.ts")).runStdio(stdio)
  // Idle connections must not keep a finished command running.
  process.exit()
}
