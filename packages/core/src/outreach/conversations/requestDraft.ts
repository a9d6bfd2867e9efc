/**
 * Asking the writers, AI agents or people, for a draft to a lead. The wish is kept with the lead until something is written; all
 * of this holds the lead, as creating a draft does.
 */

import * as Effect from "effect/Effect"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import { type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { DraftOpen } from "../../leads/failures.ts"
import { holdLead } from "../../leads/findLead.ts"
import { storeLead } from "../../leads/LeadConsequences.ts"
import { openMission } from "../createDraft.ts"
import { DraftsRepo, refuseSuppressed } from "../DraftsRepo.ts"

/** What is asked for. `mission` is an id or a handle; `instructions` is null to withdraw the request. */
interface DraftWish {
  readonly leadId: LeadId
  readonly mission: string | undefined
  readonly instructions: string | null
}

/**
 * Asks for a draft, or withdraws the request; the same again changes nothing. Fails with NOT_FOUND, MISSION_ARCHIVED, LEAD_SUPPRESSED,
 * and with DRAFT_OPEN when there is a draft, of which another text can be asked for.
 */
export const requestDraft = Effect.fnUntraced(function* ({ instructions, leadId, mission }: DraftWish) {
  const { kind, organizationId, userId } = yield* Actor
  const missionId = mission === undefined ? null : (yield* openMission(mission)).id
  const lead = yield* holdLead(leadId)
  const { draftRequest: before, id } = lead.row
  if (instructions === null) return before === null ? lead.row : (yield* storeLead(lead, { draftRequest: null })).row
  yield* refuseSuppressed(lead.row)
  const filter = {
    status: ["PENDING_REVIEW", "READY_TO_SEND"],
    leadId: id,
    mission: undefined,
    agent: undefined
  } as const
  const { items } = yield* (yield* DraftsRepo).list(organizationId, filter, { limit: 1, after: undefined })
  const [open] = items
  if (open !== undefined) {
    const message = `Lead ${id} already has the open draft ${open.row.id}. Ask for another text with linkedin.draft.request-rewrite.`
    return yield* new DraftOpen({ draftId: open.row.id, message })
  }
  if (before?.instructions === instructions && before.missionId === missionId) return lead.row
  const draftRequest = { instructions, missionId, userId, actorKind: kind, at: yield* now }
  const { row } = yield* storeLead(lead, { draftRequest })
  yield* emit({
    type: "draft.requested",
    subject: { type: "lead", id },
    data: { instructions, ...(missionId === null ? {} : { mission_id: missionId }) }
  })
  return row
})
