/** What imports state as events. Source: G35. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../Execution.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"

const counted = (run: ImportRun) => ({
  mission_id: run.missionId,
  type: run.type,
  created_count: run.counts.created,
  updated_count: run.counts.updated,
  skipped_count: run.counts.skipped,
  invalid_count: run.counts.invalid
})

/** An import begins, or goes on where it stopped. */
export const importStarted = (run: ImportRun): Effect.Effect<void, never, Execution> =>
  emit({ type: "import.started", subject: { type: "import", id: run.id }, data: counted(run) })

/** An import ended: completed, failed or interrupted. */
export const importEnded = (run: ImportRun): Effect.Effect<void, never, Execution> =>
  emit({
    type: run.state === "completed" ? "import.completed" : "import.failed",
    subject: { type: "import", id: run.id },
    data: { ...counted(run), state: run.state, reason: run.reason }
  })

/** Rows between two progress events: a tenth of the rows to expect, one page at least; ten thousand of a file. */
const step = (run: ImportRun): number => (run.rowLimit === null ? 10_000 : Math.max(25, Math.ceil(run.rowLimit / 10)))

const quietMillis = 30_000

/** When progress was last told: at how many rows, and when. */
export interface Told {
  readonly rows: number
  readonly millis: number
}

/** States progress once a tenth of the rows is done or 30 s have passed; answers when it was last told. */
const importProgressed = Effect.fnUntraced(function* (run: ImportRun, last: Told) {
  const rows = rowsSeen(run.counts)
  const millis = yield* Clock.currentTimeMillis
  if (rows - last.rows < step(run) && millis - last.millis < quietMillis) return last
  yield* emit({ type: "import.progress", subject: { type: "import", id: run.id }, data: counted(run) })
  return { rows, millis }
})

/** States what there is to say after some rows: that the import ended, or how far it got; answers when that was last told. */
export const importAdvanced = (run: ImportRun, last: Told): Effect.Effect<Told, never, Execution> =>
  run.state === "running" ? importProgressed(run, last) : Effect.as(importEnded(run), last)
