/** The executable. What is asked most often from scripts, the version, loads nothing else. */
import { version } from "@svc/core/Version"

const args = process.argv.slice(2)

if (args.length === 1 && args[0] === "--version") {
  process.stdout.write(`${version}\n`)
} else {
  const { run } = await import("./run.ts")
  process.exitCode = await run(args)
  // Connections that are kept open for a next request must not keep a finished command running.
  process.exit()
}
