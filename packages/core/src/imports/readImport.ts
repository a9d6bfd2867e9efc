/** Reading imports: what commands and resources share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, notFound } from "../Failure.ts"
import { type CursorSecret, readPage } from "../Page.ts"
import { isoFromMillis } from "../Time.ts"
import { type ImportDetail, type ImportSummary, shownRefusedRows, summaryOf } from "./Import.ts"
import { type ImportState, type ImportType, staleAfterMillis } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** One import of the actor's organization. Fails with NOT_FOUND. */
export const getImport = Effect.fnUntraced(function* (
  importId: string
): Effect.fn.Return<ImportDetail, Failure, Actor | ImportsRepo> {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).find(organizationId, importId, shownRefusedRows)
  if (found === undefined) return yield* notFound("import", importId.slice(0, 64))
  const millis = yield* Clock.currentTimeMillis
  return { ...summaryOf(found.run, found.mission, millis), refused_rows: found.refused }
})

/** Which imports, and which page of them. `mission_id` is an id or a handle. */
export interface ImportQuery {
  readonly mission_id?: string
  readonly type?: ImportType
  readonly state?: ImportState
  readonly cursor?: string
  readonly limit: number
}

/** A page of imports, newest first; `list` is what its cursors belong to. Fails with INVALID_CURSOR. */
export const listImports = Effect.fnUntraced(function* (
  list: string,
  query: ImportQuery
): Effect.fn.Return<
  { readonly items: ReadonlyArray<ImportSummary>; readonly nextCursor: string | null },
  Failure,
  Actor | ImportsRepo | CursorSecret
> {
  const { organizationId } = yield* Actor
  const repo = yield* ImportsRepo
  const millis = yield* Clock.currentTimeMillis
  const filter = {
    mission: query.mission_id,
    type: query.type,
    state: query.state,
    staleBefore: isoFromMillis(millis - staleAfterMillis)
  }
  const page = yield* readPage(organizationId, list, query, (request) => repo.list(organizationId, filter, request))
  return { items: page.items.map(({ mission, run }) => summaryOf(run, mission, millis)), nextCursor: page.nextCursor }
})
