/** Events of imports. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"

const counted = (run: ImportRun) => ({
  mission_id: run.missionId,
  type: run.type,
  created_count: run.counts.created,
  updated_count: run.counts.updated,
  skipped_count: run.counts.skipped,
  invalid_count: run.counts.invalid
})

/** An import started or resumed. */
export const importStarted = (run: ImportRun): Effect.Effect<void, never, Execution> =>
  emit({ type: "import.started", subject: { type: "import", id: run.id }, data: counted(run) })

/** An import ended. Every state but completed emits import.failed, with the state. */
export const importEnded = (run: ImportRun): Effect.Effect<void, never, Execution> =>
  emit({
    type: run.state === "completed" ? "import.completed" : "import.failed",
    subject: { type: "import", id: run.id },
    data: { ...counted(run), state: run.state, reason: run.reason }
  })

/** Rows between two progress events: a tenth of the limit, at least one page; ten thousand for files. */
const step = (run: ImportRun): number => (run.rowLimit === null ? 10_000 : Math.max(25, Math.ceil(run.rowLimit / 10)))

const quietMillis = 30_000

/** Rows and time of the last progress event. */
export interface EmittedProgress {
  readonly rows: number
  readonly millis: number
}

/** Emits progress after {@link step} rows or 30 s; returns the last emitted progress. */
const importProgressed = Effect.fnUntraced(function* (run: ImportRun, last: EmittedProgress) {
  const rows = rowsSeen(run.counts)
  const millis = yield* Clock.currentTimeMillis
  if (rows - last.rows < step(run) && millis - last.millis < quietMillis) return last
  yield* emit({ type: "import.progress", subject: { type: "import", id: run.id }, data: counted(run) })
  return { rows, millis }
})

/** Emits progress or the end of an import after some rows; returns the last emitted progress. */
export const importAdvanced = (
  run: ImportRun,
  last: EmittedProgress
): Effect.Effect<EmittedProgress, never, Execution> =>
  run.state === "running" ? importProgressed(run, last) : Effect.as(importEnded(run), last)
