/** Programs of readers: each a module that prints and ends. */
import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The environment of a reader: nothing of this process's settings. */
export const readersEnvironment = {
  PATH: process.env["PATH"] ?? "",
  NODE_NO_WARNINGS: "1",
  NODE_DISABLE_COMPILE_CACHE: "1",
  XDG_CONFIG_HOME: join(tmpdir(), "svc-test-no-profiles")
}

interface Program {
  readonly main: string
  /** Where it runs: beside its file if not said. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const runner = `
for (const { main, cwd, env } of JSON.parse(process.argv[1])) {
  process.chdir(cwd)
  Object.assign(process.env, env)
  await import(main)
  process.stdout.write("\\0")
  process.stderr.write("\\0")
}
`

/**
 * What programs print. They run one after the other in one process, which loads the packages once, and ends by itself only
 * if none of them leaves anything open.
 */
export const ranTogether = async (
  programs: ReadonlyArray<Program>
): Promise<ReadonlyArray<{ readonly stdout: string; readonly stderr: string }>> => {
  const placed = programs.map(({ main, cwd = dirname(main), env = {} }) => ({ main, cwd, env }))
  const args = ["--input-type=module", "--eval", runner, JSON.stringify(placed)]
  const { stderr, stdout } = await run(process.execPath, args, { env: readersEnvironment })
  const errors = stderr.split("\0")
  const texts = stdout.split("\0")
  return programs.map((_, at) => ({ stdout: texts[at] ?? "", stderr: errors[at] ?? "" }))
}
