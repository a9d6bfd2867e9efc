/** Reading imports, for commands and resources. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import { readPage } from "../kernel/schema/Page.ts"
import type { ImportId, MissionId } from "../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../kernel/schema/Time.ts"
import type { ImportType } from "../missions/ImportType.ts"
import { refuseUnknownMission } from "../missions/refuseUnknownMission.ts"
import { type ImportDetail, shownRefusedRows, summaryOf } from "./Import.ts"
import { type ImportState, staleAfterMillis } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** One import of the actor's organization. Fails with NOT_FOUND. */
export const getImport = Effect.fnUntraced(function* (
  importId: ImportId
): Effect.fn.Return<ImportDetail, StoreFailure | NotFound, Actor | ImportsRepo> {
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
