/** Invitations as the machine carries them out. */
import * as Effect from "effect/Effect"
import { now } from "../../../kernel/schema/Time.ts"
import { anyAccountOfAgent } from "../../provider/resolveAccount.ts"
import type { Relation } from "../../provider/SendResult.ts"
import type { InvitationClaim, SendOutcome } from "../Claim.ts"
import { clearWaitingLeads } from "../clearWaitingLeads.ts"
import type { DispatchNeeds } from "../DispatchRound.ts"
import { wordingOfInvitation } from "../disclosure.ts"
import { checkGate, isMissionHeld } from "../gate.ts"
import { lost } from "../messages.ts"
import { unknownAt } from "../sendOutcomes.ts"
import { settleAttempts } from "../settleAttempts.ts"
import type { QueueReason } from "../Transmission.ts"
import type { TransmissionKind } from "../TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { transmit } from "../transmit.ts"
import { cancelInvitations } from "./cancelInvitations.ts"
import { claimInvitation } from "./claimInvitation.ts"
import { holdDue, lookupInvitation, settleFound } from "./lookupInvitation.ts"
import { recordInvitation } from "./recordInvitation.ts"

const claimDue = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdDue(due)
  if (view === undefined || isMissionHeld(view)) return undefined
  const { lead, row } = view
  const cancel = (reason: QueueReason) =>
    Effect.as(Effect.flatMap(cancelInvitations(due.organizationId, [row], reason), clearWaitingLeads), undefined)
  const block = yield* checkGate({ ...view, wording: wordingOfInvitation(row) }, { at: row.createdAt })
  if (block !== undefined) return yield* cancel(block.reason)
  const found = yield* Effect.result(anyAccountOfAgent(row.agentId))
  if (found._tag === "Failure") {
    const { code } = found.failure
    if (code !== "NO_LINKEDIN_ACCOUNT" && code !== "NOT_FOUND") return yield* found.failure
  }
  // The agent may write with another account now, which may have an invitation of its own.
  if (found._tag === "Failure" || found.success.id !== row.accountId) return yield* cancel("no_account")
  const mode = { isFromCommand: false, fence: due.fence, rests: true, leadStatus: lead.status }
  const claimed = yield* claimInvitation(row, found.success, mode)
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
