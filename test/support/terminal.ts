/** The command line in a real terminal, that of util-linux's `script`. */
import { execFileSync, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { svcBundle } from "./svcBundle.ts"
import { environment, type RunOptions } from "./svcProcess.ts"

const canScript = (): boolean => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux")
  } catch {
    return false
  }
}

/** Whether there is one here. */
export const hasTerminal = canScript()

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of terminals
const escapes = /\u001b\[[0-9;?]*[A-Za-z]/g

/**
 * Runs `svc` in a terminal of some columns. Each answer is typed, with Enter after it, once its question is on the screen.
 * Returns the exit code and everything that was shown, without escape sequences.
 */
export const svcInTerminal = async (
  args: ReadonlyArray<string>,
  answers: ReadonlyArray<readonly [question: string, answer: string]>,
  { columns = 80, cwd, env }: RunOptions & { readonly columns?: number } = {}
) => {
  const command = [process.execPath, await svcBundle(), ...args].map(quoted).join(" ")
  const child = spawn("script", ["-qec", `stty cols ${columns}; exec ${command}`, "/dev/null"], {
    cwd: cwd ?? tmpdir(),
    env: { ...environment(env), SHELL: "/bin/sh", TERM: "xterm", SVC_PAGER: "" },
    stdio: ["pipe", "pipe", "inherit"]
  })
  let shown = ""
  const waiting = [...answers]
  child.stdout.on("data", (text) => {
    shown += String(text)
    const [question, answer] = waiting[0] ?? []
    if (question === undefined || !shown.includes(question)) return
    waiting.shift()
    child.stdin.write(`${answer}\r`)
  })
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, shown: shown.replaceAll("\r\n", "\n").replaceAll(escapes, "") }
}
