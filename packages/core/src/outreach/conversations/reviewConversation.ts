/**
 * What a person decides about a conversation: to put it aside until a time, or to ask the writers, AI agents or people, for a draft.
 * All of this holds the lead, as every message to and from it does.
 */

import * as Effect from "effect/Effect"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import { WrongState } from "../../kernel/failure/failures.ts"
import { type InstantText, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { DraftOpen } from "../../leads/failures.ts"
import { holdLead } from "../../leads/findLead.ts"
import { storeLead } from "../../leads/LeadConsequences.ts"
import { openMission } from "../createDraft.ts"
import { openDraftsOf, refuseSuppressed } from "../DraftsRepo.ts"
import { refuseSnooze } from "../reviewDraft.ts"

/** What is asked for, kept with the lead until something is written. `mission` is an id or a handle; `instructions` is null to withdraw the request. */
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
  const { kind, userId } = yield* Actor
  const missionId = mission === undefined ? null : (yield* openMission(mission)).id
  const lead = yield* holdLead(leadId)
  const { draftRequest: before, id } = lead.row
  if (instructions === null) return before === null ? lead.row : (yield* storeLead(lead, { draftRequest: null })).row
  yield* refuseSuppressed(lead.row)
  const [open] = yield* openDraftsOf(id, 1)
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

/**
 * Hides a conversation from what waits for a reply until an instant or the next message; null shows it again. The lead's status
 * stays. Fails with NOT_FOUND, WRONG_STATE when the lead never wrote, and INVALID_INPUT for an instant that is not in the next year.
 */
export const snoozeConversation = Effect.fnUntraced(function* (leadId: LeadId, until: InstantText | null) {
  yield* refuseSnooze(until, yield* now)
  const lead = yield* holdLead(leadId)
  const { id, lastInboundAt, snoozedUntil } = lead.row
  if (snoozedUntil === until) return lead.row
  if (lastInboundAt === null) {
    return yield* new WrongState({
      message: "The lead has not written yet, so there is no conversation to snooze. See review.list, tab replies."
    })
  }
  const { row } = yield* storeLead(lead, { snoozedUntil: until })
  yield* emit({ type: "conversation.snoozed", subject: { type: "lead", id }, data: { until } })
  return row
})
