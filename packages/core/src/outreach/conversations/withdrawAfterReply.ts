/** What waits to be sent to a lead who wrote, on any channel, returns to review. */

import * as Effect from "effect/Effect"
import type { InstantText, LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { withdrawEmails } from "../transmission/emails/changeEmail.ts"
import { cancelInvitationsOf } from "../transmission/invitations/cancelInvitations.ts"

/** A reply that was written up to this long before an approval was not known to whoever approved. */
const unseenMillis = 86_400_000

const isNews = (decidedAt: InstantText, at: string): boolean =>
  at >= isoFromMillis(Date.parse(decidedAt) - unseenMillis)

const isNewsTo = ({ item, row }: DraftView, at: string): boolean => {
  const decidedAt = item?.createdAt ?? row.approvedAt
  return row.status === "READY_TO_SEND" && decidedAt !== null && isNews(decidedAt, at)
}

/**
 * Approved drafts and queued emails return to review, and queued invitations are cancelled. `at` is when the reply was
 * written: what was decided long after it stays, unless `isAll`. Fails with UNAVAILABLE.
 */
export const withdrawAfterReply = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  at: string,
  isAll: boolean
) {
  const open = yield* (yield* DraftsRepo).holdOpen(organizationId, { leadId })
  const waiting = open.filter((view) => isAll || isNewsTo(view, at))
  yield* withdrawDrafts(organizationId, waiting, "review", "lead_replied")
  yield* cancelInvitationsOf(organizationId, leadId, "lead_replied")
  yield* withdrawEmails(
    organizationId,
    leadId,
    "review",
    "lead_replied",
    ({ createdAt, decidedAt }) => isAll || isNews(decidedAt ?? createdAt, at)
  )
})
