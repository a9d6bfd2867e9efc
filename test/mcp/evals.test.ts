/** The tasks of `packages/mcp/evals`, replayed without a model, and by the example of a program that brings one. */
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { openBench } from "../../packages/mcp/evals/Bench.ts"
import { modelRun, startProgram } from "../../packages/mcp/evals/modelRun.ts"
import { replay, tableOf } from "../../packages/mcp/evals/replay.ts"
import { readTasks, type Task } from "../../packages/mcp/evals/Task.ts"

describe("the task set", () => {
  let bench: Awaited<ReturnType<typeof openBench>>
  let tasks: ReadonlyArray<Task>
  beforeAll(async () => {
    bench = await openBench()
    tasks = await readTasks()
  })
  afterAll(() => bench.close())

  it("has fifty tasks of seven families, and every kind of mutation", () => {
    assert.isAtLeast(tasks.length, 50)
    assert.strictEqual(new Set(tasks.map(({ id }) => id)).size, tasks.length)
    assert.sameMembers(
      [...new Set(tasks.map(({ family }) => family))],
      ["routing", "qualification", "drafting", "suppression", "limits", "confidentiality", "injection"]
    )
    assert.sameMembers(
      [...new Set(tasks.flatMap(({ mutations = [] }) => mutations.map(({ kind }) => kind)))],
      ["wrong recipient", "approval without hash", "other tenant", "injected instruction", "over the limit"]
    )
    // A task that nothing could break would show nothing.
    assert.isEmpty(tasks.filter(({ final }) => final.every(({ expect }) => Object.keys(expect).length === 0)))
  })

  it("reaches every final state by the gold actions, and refuses every mutation", async () => {
    const replays = []
    for (const task of tasks) replays.push(await replay(bench, task))
    const table = tableOf(replays)
    console.log(table)
    assert.deepStrictEqual(
      replays.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`)),
      []
    )
    assert.lengthOf(table.split("\n"), tasks.length + 2)
    const mutations = tasks.reduce((sum, task) => sum + (task.mutations?.length ?? 0), 0)
    assert.strictEqual(
      replays.reduce((sum, { refused }) => sum + refused, 0),
      mutations
    )
    assert.isAtLeast(mutations, 40)
    // What the gold actions cost; a change of a result's shape shows here.
    const tokens = replays.reduce((sum, { cost }) => sum + cost.tokensOut, 0)
    assert.isAtMost(tokens / tasks.length, 320, "tokens that a model reads per task")
  })

  it("fails where the state, a refusal or a result is another", async () => {
    const task = tasks.find(({ id }) => id === "unproven-figure")
    assert.ok(task)
    const [first] = task.final
    const [mutation] = task.mutations ?? []
    assert.ok(first && mutation)
    const wrong: ReadonlyArray<Task> = [
      { ...task, final: [{ ...first, expect: { "drafts.length": 7 } }] },
      { ...task, mutations: [{ ...mutation, error: "NOT_FOUND" }] },
      { ...task, gold: task.gold.map((action) => ({ ...action, expect: { "findings.0.code": "nothing" } })) },
      { ...task, gold: [], mutations: [] }
    ]
    for (const changed of wrong) assert.isNotEmpty((await replay(bench, changed)).problems)
  })

  it("is run by a program that reads tasks and writes calls", async () => {
    const example = fileURLToPath(new URL("../../packages/mcp/evals/example.js", import.meta.url))
    const program = startProgram(`${JSON.stringify(process.execPath)} ${JSON.stringify(example)}`)
    for (const id of ["first-draft", "three-at-once", "stop-writing"]) {
      const task = tasks.find((candidate) => candidate.id === id)
      assert.ok(task)
      const { cost, problems } = await modelRun(bench, task, program)
      assert.deepStrictEqual(problems, [], id)
      assert.isAbove(cost.calls, 1)
    }
    program.end()
    const silent = startProgram(`${JSON.stringify(process.execPath)} -e ""`)
    const [task] = tasks
    assert.ok(task)
    assert.include((await modelRun(bench, task, silent)).problems, "the program ended")
  })
})
