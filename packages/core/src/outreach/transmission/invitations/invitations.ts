/** Invitations as the machine carries them out. */
import * as Effect from "effect/Effect"
import type { DraftId } from "../../../kernel/schema/RecordIds.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { holdDraft } from "../../drafts/readDraft.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import { accountIfAny } from "../../provider/resolveAccount.ts"
import type { Relation } from "../../provider/SendResult.ts"
import { applyBlock } from "../applyBlock.ts"
import type { InvitationClaim, SendOutcome } from "../Claim.ts"
import { clearWaitingLeads } from "../clearWaitingLeads.ts"
import type { DispatchNeeds } from "../DispatchRound.ts"
import { wordingOfDraft, wordingOfInvitation } from "../disclosure.ts"
import { checkApproved, isMissionHeld } from "../gate.ts"
import { lost } from "../messages.ts"
import { unknownAt } from "../sendOutcomes.ts"
import { settleAttempts } from "../settleAttempts.ts"
import type { TransmissionKind } from "../TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { transmit } from "../transmit.ts"
import { cancelInvitations } from "./cancelInvitations.ts"
import { claimInvitation } from "./claimInvitation.ts"
import { holdDue, lookupInvitation, settleFound } from "./lookupInvitation.ts"
import { recordInvitation } from "./recordInvitation.ts"

/** Withdraws the approved message that waits for a cancelled invitation, if it must not be sent either. */
const withdrawMessage = Effect.fnUntraced(function* (draftId: DraftId, account: LinkedInAccount | undefined) {
  const view = yield* holdDraft(draftId)
  const { item, row } = view
  if (row.status !== "READY_TO_SEND") return
  const approved = { recipient: row.recipient, accountId: item?.accountId ?? null }
  const subject = { ...view, wording: wordingOfDraft(row) }
  const block = yield* checkApproved(subject, approved, account, { at: item?.createdAt ?? row.approvedAt })
  if (block !== undefined) yield* applyBlock(view, block)
})

const claimDue = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdDue(due)
  if (view === undefined || isMissionHeld(view)) return undefined
  const { lead, row } = view
  const account = yield* accountIfAny(row.agentId)
  const subject = { ...view, wording: wordingOfInvitation(row) }
  const block = yield* checkApproved(subject, row, account, { at: row.createdAt })
  if (block !== undefined || account === undefined) {
    const idle = yield* cancelInvitations(due.organizationId, [row], block?.reason ?? "no_account")
    if (row.draftId !== null) yield* withdrawMessage(row.draftId, account)
    yield* clearWaitingLeads(idle)
    return undefined
  }
  const mode = { isFromCommand: false, fence: due.fence, rests: true, leadStatus: lead.status }
  const claimed = yield* claimInvitation(row, account, mode)
  return claimed._tag === "Claim" ? claimed.claim : undefined
})

/** It may have gone out: blocked until the provider or a person shows it. */
const markLost = Effect.fnUntraced(function* (due: Due) {
  const row = (yield* holdDue(due))?.row
  if (row === undefined) return
  const at = yield* now
  yield* settleAttempts(row, "unknown", lost, at)
  yield* (yield* TransmissionsRepo).save(due.organizationId, [unknownAt(row, at)])
})

/** See {@link TransmissionKind}. */
export const invitations: Required<
  Omit<TransmissionKind<InvitationClaim, SendOutcome, Relation, DispatchNeeds>, "precheck">
> = {
  name: "invitation",
  claim: claimDue,
  transmit,
  record: (claim, outcome) =>
    Effect.map(recordInvitation(claim, outcome), ({ invitation }) => invitation.state === "pending"),
  markLost,
  lookup: lookupInvitation,
  settle: settleFound
}
