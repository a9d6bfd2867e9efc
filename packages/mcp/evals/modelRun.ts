/** Runs tasks by a program that brings a model: JSON lines on its standard input and output. The README has the messages. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import type { openBench } from "./Bench.ts"
import type { Replay } from "./replay.ts"
import type { Json, Task } from "./Task.ts"

type Bench = Awaited<ReturnType<typeof openBench>>

/** Calls that a program may make in one task. */
const maxCalls = 40

/** A running program. */
export interface ModelProgram {
  readonly send: (message: Json) => void
  /** The next message; undefined when the program has ended. */
  readonly next: () => Promise<Json | undefined>
  readonly end: () => void
}

/** Starts a command line. What it writes to standard error is shown. */
export const startProgram = (command: string): ModelProgram => {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, {
    shell: true,
    stdio: ["pipe", "pipe", "inherit"]
  })
  // A program that has ended cannot read; its missing answer says so.
  child.stdin.on("error", () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    next: async () => {
      const line = await lines.next()
      return line.done === true ? undefined : Object(JSON.parse(line.value))
    },
    end: () => child.stdin.end()
  }
}

/** Gives a task to a program, answers its calls, and looks at the state that it leaves. */
export const modelRun = async (bench: Bench, task: Task, program: ModelProgram): Promise<Replay> => {
  const { call, client, close, cost, stateProblems } = await bench.prepare(task)
  const { tools } = await client.listTools()
  program.send({ type: "task", id: task.id, goal: task.goal, instructions: client.getInstructions() ?? "", tools })
  const problems: Array<string> = []
  for (;;) {
    const message = await program.next().catch((error: unknown) => ({ type: "error", message: String(error) }))
    if (message?.["type"] === "done") break
    if (message?.["type"] !== "call") {
      problems.push(message === undefined ? "the program ended" : `not a call or done: ${JSON.stringify(message)}`)
      break
    }
    if (cost().calls >= maxCalls) {
      problems.push(`more than ${maxCalls} calls`)
      break
    }
    const { arguments: args, id, tool } = message as Json
    const answer = await call(String(tool), Object(args)).catch((error: unknown) => ({
      isError: true,
      text: error instanceof Error ? error.message : String(error)
    }))
    program.send({ type: "result", id, is_error: answer.isError, content: answer.text })
  }
  problems.push(...(await stateProblems()))
  await close()
  return { id: task.id, family: task.family, cost: cost(), refused: 0, problems }
}
