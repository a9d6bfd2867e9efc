/** Reading one item of the review queue. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import type { ReviewEntry } from "./ReviewEntry.ts"
import { mayRead, ReviewRepo } from "./ReviewRepo.ts"

/** The item as it is at an instant. Fails with NOT_FOUND, also for one of a kind that the actor may not read. */
export const readEntry = Effect.fnUntraced(function* (
  id: string,
  at: string
): Effect.fn.Return<ReviewEntry, NotFound | StoreFailure, Actor | ReviewRepo> {
  const actor = yield* Actor
  const entry = yield* (yield* ReviewRepo).find(actor.organizationId, id, at)
  if (entry === undefined || !mayRead(actor, entry.kind)) return yield* new NotFound({ kind: "item to review", id })
  return entry
})
