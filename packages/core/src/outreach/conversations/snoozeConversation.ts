/** Putting a conversation aside until a time. It holds the lead, as every message to and from it does. */

import * as Effect from "effect/Effect"
import { emit } from "../../kernel/command/Execution.ts"
import { WrongState } from "../../kernel/failure/failures.ts"
import { type InstantText, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { holdLead } from "../../leads/findLead.ts"
import { storeLead } from "../../leads/LeadConsequences.ts"
import { refuseSnooze } from "../reviewDraft.ts"

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
