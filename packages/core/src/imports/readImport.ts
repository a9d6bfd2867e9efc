/** Reading imports: what commands and resources share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, notFound } from "../Failure.ts"
import { type ImportDetail, shownRefusedRows, summaryOf } from "./Import.ts"
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
