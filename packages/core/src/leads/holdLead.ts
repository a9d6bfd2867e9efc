/** Locking one lead. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import type { LeadId } from "../kernel/schema/RecordIds.ts"
import { resolveOne } from "./LeadBatch.ts"
import type { LeadsRepo, StoredLead } from "./LeadsRepo.ts"

/** The lead with this id, or the one it was merged into, locked until the transaction ends. Fails with NOT_FOUND. */
export const holdLead = Effect.fnUntraced(function* (
  leadId: LeadId
): Effect.fn.Return<StoredLead, StoreFailure | NotFound, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const { leadId: liveId, leads } = yield* resolveOne(organizationId, { identities: [], leadId })
  const lead = leads.find(({ row }) => row.id === liveId)
  return lead ?? (yield* new NotFound({ kind: "lead", id: leadId.slice(0, 64) }))
})
