/** Reading imports, for commands and resources. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor, type Execution, emit } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { type ImportId, isoFromMillis, type MissionId } from "../kernel/schema/IdsAndTime.ts"
import { readPage } from "../kernel/schema/Page.ts"
import type { ImportType } from "../missions/MissionInput.ts"
import { refuseUnknownMission } from "../missions/MissionsRepo.ts"
import { shownRefusedRows, summaryOf } from "./Import.ts"
import { type ImportRun, type ImportState, rowsSeen, staleAfterMillis } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** One import of the actor's organization. Fails with NOT_FOUND. */
export const getImport = Effect.fnUntraced(function* (importId: ImportId) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).find(organizationId, importId, shownRefusedRows)
  if (found === undefined) return yield* new NotFound({ kind: "import", id: importId.slice(0, 64) })
  const millis = yield* Clock.currentTimeMillis
  return {
    ...summaryOf(found.run, found.mission, millis),
    columns: [...new Set((found.run.file?.columns ?? []).map(({ name }) => name).filter((name) => name !== ""))],
    refused_rows: found.refused
  }
})

/** A filter and a page. `mission_id` is an id or a handle. */
interface ImportQuery {
  readonly mission_id?: MissionId
  readonly type?: ImportType
  readonly state?: ImportState
  readonly cursor?: string
  readonly limit: number
}

/** A page of imports, newest first. Fails with INVALID_CURSOR and NOT_FOUND (mission). */
export const listImports = Effect.fnUntraced(function* (query: ImportQuery) {
  const { organizationId } = yield* Actor
  const repo = yield* ImportsRepo
  const millis = yield* Clock.currentTimeMillis
  const filter = {
    mission: query.mission_id,
    type: query.type,
    state: query.state,
    staleBefore: isoFromMillis(millis - staleAfterMillis)
  }
  const page = yield* readPage(organizationId, "imports", query, (request) =>
    repo.list(organizationId, filter, request)
  )
  yield* refuseUnknownMission(query.mission_id, page.items)
  return { items: page.items.map(({ mission, run }) => summaryOf(run, mission, millis)), nextCursor: page.nextCursor }
})

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
export const importAdvanced = (run: ImportRun, last: EmittedProgress) =>
  run.state === "running" ? importProgressed(run, last) : Effect.as(importEnded(run), last)
