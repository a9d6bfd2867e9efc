/** Deleting leads that nobody uses. */

import * as Effect from "effect/Effect"
import { Actor, emit } from "../kernel/command/Execution.ts"
import { WrongState } from "../kernel/failure/failures.ts"
import type { LeadId } from "../kernel/schema/IdsAndTime.ts"
import { holdLead } from "./findLead.ts"
import { LeadsRepo } from "./LeadsRepo.ts"

/** Deletes a lead that nobody uses. Fails with NOT_FOUND, and with WRONG_STATE when it is in use. */
export const removeLead = Effect.fnUntraced(function* (leadId: LeadId) {
  const { organizationId } = yield* Actor
  const { row } = yield* holdLead(leadId)
  const kept = yield* (yield* LeadsRepo).removeUnused(organizationId, row.id)
  if (kept !== undefined) return yield* new WrongState({ message: `The lead is in use: ${kept}.` })
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: row.id }, data: { tombstones: 0 } })
})
