/** Holding one lead until the transaction ends. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, notFound } from "../Failure.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"

/** The lead of an id, or the one that it was merged into, held. Fails with NOT_FOUND. */
export const holdLead = Effect.fnUntraced(function* (
  leadId: string
): Effect.fn.Return<StoredLead, Failure, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const { leadId: liveId, leads } = yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadId })
  const lead = leads.find(({ row }) => row.id === liveId)
  return lead ?? (yield* notFound("lead", leadId.slice(0, 64)))
})
