/** Replays a task without a model: the gold actions reach the final state, and each mutation is refused. */
import type { Cost, openBench } from "./Bench.ts"
import { differences, filled, type Json, type Task } from "./Task.ts"

type Bench = Awaited<ReturnType<typeof openBench>>

/** What a replay found. */
export interface Replay {
  readonly id: string
  readonly family: string
  readonly cost: Cost
  readonly refused: number
  readonly problems: ReadonlyArray<string>
}

/** Replays one task. Mutations run in the same workspace, so that the final state also shows that they changed nothing. */
export const replay = async (bench: Bench, task: Task): Promise<Replay> => {
  const { call, close, cost, saved, stateProblems } = await bench.prepare(task)
  const problems: Array<string> = []
  let refused = 0
  const mutate = async (position: number) => {
    for (const mutation of task.mutations ?? []) {
      if ((mutation.instead ?? task.gold.length) !== position) continue
      const { code, text } = await call(mutation.tool, Object(filled(mutation.arguments, saved)))
      if (code === mutation.error) refused++
      else problems.push(`${mutation.kind}: expected ${mutation.error}, got ${text.slice(0, 200)}`)
    }
  }
  let spent: Cost = cost()
  const add = (before: Cost, after: Cost) => {
    spent = {
      calls: spent.calls + after.calls - before.calls,
      tokensIn: spent.tokensIn + after.tokensIn - before.tokensIn,
      tokensOut: spent.tokensOut + after.tokensOut - before.tokensOut
    }
  }
  for (const [index, action] of task.gold.entries()) {
    await mutate(index)
    const before = cost()
    const args: Json = Object(filled(action.arguments, saved))
    const { data, isError, text } = await call(action.tool, args)
    add(before, cost())
    const expectsError = action.expect?.["error"] !== undefined
    if (isError !== expectsError) problems.push(`${action.tool}: ${text.slice(0, 300)}`)
    const found = isError ? { error: text } : data
    problems.push(...differences(found, action.expect ?? {}, saved).map((line) => `${action.tool}: ${line}`))
    if (action.save !== undefined) saved[action.save] = data
  }
  await mutate(task.gold.length)
  problems.push(...(await stateProblems()))
  await close()
  return { id: task.id, family: task.family, cost: spent, refused, problems }
}

/** The replays as a table. */
export const tableOf = (replays: ReadonlyArray<Replay>): string => {
  const rows = replays.map(({ cost, family, id, problems, refused }) => [
    family,
    id,
    String(cost.calls),
    String(cost.tokensIn),
    String(cost.tokensOut),
    String(refused),
    problems.length === 0 ? "ok" : problems.join("; ")
  ])
  const head = ["family", "task", "calls", "tokens in", "tokens out", "refused", "result"]
  const sum = (pick: (replay: Replay) => number) => String(replays.reduce((total, item) => total + pick(item), 0))
  const passed = replays.filter(({ problems }) => problems.length === 0).length
  const total = [
    "total",
    `${replays.length} tasks`,
    sum(({ cost }) => cost.calls),
    sum(({ cost }) => cost.tokensIn),
    sum(({ cost }) => cost.tokensOut),
    sum(({ refused }) => refused),
    `${passed} ok`
  ]
  const all = [head, ...rows, total]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column >= 2 && column <= 5 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
        )
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
