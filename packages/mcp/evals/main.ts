/** `npm run evals`: replays the tasks, or gives them to a program that brings a model. */
import { parseArgs } from "node:util"
import { openBench } from "./Bench.ts"
import { modelRun, startProgram } from "./modelRun.ts"
import { type Replay, replay, tableOf } from "./replay.ts"
import { readTasks } from "./Task.ts"

const { values } = parseArgs({ options: { "model-command": { type: "string" }, only: { type: "string" } } })
const only = values.only ?? ""
const tasks = (await readTasks()).filter(({ family, id }) => `${family}/${id}`.includes(only))
const bench = await openBench()
const command = values["model-command"]
const program = command === undefined ? undefined : startProgram(command)
const done: Array<Replay> = []
for (const task of tasks) {
  done.push(program === undefined ? await replay(bench, task) : await modelRun(bench, task, program))
}
program?.end()
await bench.close()
console.log(tableOf(done))
process.exitCode = done.length > 0 && done.every(({ problems }) => problems.length === 0) ? 0 : 1
