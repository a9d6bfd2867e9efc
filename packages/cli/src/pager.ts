/**
 * Long tables go through the pager of whoever sits at the terminal: `SVC_PAGER`, else `PAGER`, else `less`; an empty one
 * or `cat` is none. What is piped, and what fits on the screen, is printed as it is. Source: issue 5 "paging".
 */
import * as Effect from "effect/Effect"
import { out } from "./Output.ts"

/** Where a text would be shown. `height` is undefined where nobody looks: a pipe or a file. */
export interface Screen {
  readonly height: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The screen that stdout is. */
export const stdoutScreen = (): Screen => ({
  height: process.stdout.isTTY ? process.stdout.rows : undefined,
  env: process.env
})

/** The command line of the pager that a text needs, for a shell; undefined when it needs none. */
export const pagerFor = (text: string, { env, height }: Screen): string | undefined => {
  // The prompt takes a line as well.
  if (height === undefined || text.split("\n").length < height || env["TERM"] === "dumb") return undefined
  const command = (env["SVC_PAGER"] ?? env["PAGER"] ?? "less").trim()
  return command === "" || command === "cat" ? undefined : command
}

/** Shows a text in a pager until it is left; false when there is no such command. */
const shownBy = async (command: string, text: string, env: Screen["env"]): Promise<boolean> => {
  const { spawn } = await import("node:child_process")
  // As others set less: leave at once when all fits after all, keep colours, leave the text on the screen.
  const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } })
  // Whoever leaves before the end closes the pipe.
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
    Effect.promise(() => shownBy(command, text, screen.env)),
    (shown) => (shown ? Effect.void : out(text))
  )
}
