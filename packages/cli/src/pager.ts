/**
 * Long tables are shown in a pager: `SVC_PAGER`, then `PAGER`, then `less`; an empty value or `cat` turns it off. Output
 * to a pipe, and output that fits on the screen, is printed directly.
 */
import * as Effect from "effect/Effect"
import { out } from "./Output.ts"

/** The terminal. `height` is undefined for a pipe or a file. */
interface Screen {
  readonly height: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The screen of stdout. */
const stdoutScreen = (): Screen => ({
  height: process.stdout.isTTY ? process.stdout.rows : undefined,
  env: process.env
})

/** The shell command of the pager for a text; undefined if none is needed. */
export const pagerFor = (text: string, { env, height }: Screen): string | undefined => {
  // The shell prompt takes one line.
  if (height === undefined || text.split("\n").length < height || env["TERM"] === "dumb") return undefined
  const command = (env["SVC_PAGER"] ?? env["PAGER"] ?? "less").trim()
  return command === "" || command === "cat" ? undefined : command
}

/** Shows a text in a pager; false if the command does not exist. */
const showInPager = async (command: string, text: string, env: Screen["env"]): Promise<boolean> => {
  const { spawn } = await import("node:child_process")
  // The usual options of less: quit if it fits, keep colors, leave the text on the screen.
  const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } })
  // Quitting early closes the pipe.
  pager.stdin.on("error", () => undefined)
  pager.stdin.end(`${text}\n`)
  const exitCode = await new Promise((resolve) => pager.once("close", resolve))
  return exitCode !== 126 && exitCode !== 127
}

/** Prints a text, through a pager if it is longer than the screen. */
export const outPaged = (text: string, screen: Screen = stdoutScreen()): Effect.Effect<void> => {
  const command = pagerFor(text, screen)
  if (command === undefined) return out(text)
  return Effect.flatMap(
    Effect.promise(() => showInPager(command, text, screen.env)),
    (shown) => (shown ? Effect.void : out(text))
  )
}
