/** What waits to be sent to a lead who wrote, on any channel, returns to review. */

import * as Effect from "effect/Effect"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { withdrawEmails } from "../transmission/emails/changeEmail.ts"
import { cancelInvitationsOf } from "../transmission/invitations/cancelInvitations.ts"

/**
 * Approved drafts and queued emails return to review, and queued invitations are cancelled, whenever the message was written:
 * who approved them may not have seen it. Fails with UNAVAILABLE.
 */
export const withdrawAfterReply = Effect.fnUntraced(function* (organizationId: OrganizationId, leadId: LeadId) {
  const open = yield* (yield* DraftsRepo).holdOpen(organizationId, { leadId })
  yield* withdrawDrafts(organizationId, open, "review", "lead_replied")
  yield* cancelInvitationsOf(organizationId, leadId, "lead_replied")
  yield* withdrawEmails(organizationId, leadId, "review", "lead_replied")
})
