/**
 * send_now: approve, claim, transmit and record, with the outcome for the caller.
 *
 * Intent is committed before the provider is asked, the outcome after; no transaction is open in between.
 */

import * as Effect from "effect/Effect"
import { Actor, Execution, warn } from "../kernel/command/Execution.ts"
import type { DraftId } from "../kernel/schema/IdsAndTime.ts"
import { approveHeld } from "./approveDraft.ts"
import { claimSend } from "./claimSend.ts"
import type { ApprovalChoice } from "./DraftInput.ts"
import { type DraftView, draftOf, holdDraft } from "./DraftsRepo.ts"
import { refuseUndisclosed, wordingOfInvitation } from "./disclosure.ts"
import { DisclosureRequired } from "./failures.ts"
import { noteFor } from "./invitations/requestInvitation.ts"
import type { ApproveOutput, DispatchResult } from "./LinkedInDraft.ts"
import { anyAccountOfAgent } from "./provider/LinkedInGateway.ts"
import { recordInvitation, recordSend, retryStoring } from "./recordOutcome.ts"
import { keepSending } from "./SendOptions.ts"
import { type MessageClaim, type SendOutcome, startTransmission } from "./startTransmission.ts"
import { transmit } from "./transmit.ts"

/** The request of send_now. */
interface SendNow {
  readonly draftId: DraftId
  readonly choice: ApprovalChoice
  readonly invite: boolean
  readonly note: string | null
}

const resultOf = ({ item, row }: DraftView): DispatchResult => {
  if (row.status === "DISPATCHED") {
    return {
      status: "sent",
      ...(row.messageId === null ? {} : { messageId: row.messageId }),
      ...(row.externalMessageId === null ? {} : { externalMessageId: row.externalMessageId })
    }
  }
  const id = item?.id ?? row.queueItemId ?? ""
  return item?.state === "waiting_relation"
    ? { status: "waiting_relation", messageQueueId: id }
    : { status: "queued", queueId: id }
}

// What finishes is what an idempotency key keeps, so it is the whole output.
const outputOf = (view: DraftView): ApproveOutput => ({
  draft: draftOf(view),
  dispatch_result: resultOf(view),
  mode: "sent"
})

/** The assumed outcome of a dry run, from the stored relation. */
const presumed = ({ recipient, row }: MessageClaim): SendOutcome =>
  row.state === "waiting_relation" || recipient.invitedAt !== null
    ? { _tag: "Waiting", invitation: "none", relation: undefined }
    : { _tag: "Sent", messageId: null, externalId: null, relation: undefined }

const notSynced = "conversation_not_synced: no conversation with this person was stored, so a new one was started."

/** The person is not connected: the message waits, and the invitation is sent now. */
const inviteFor = Effect.fnUntraced(function* (claim: MessageClaim, outcome: SendOutcome) {
  const execution = yield* Execution
  const begun = yield* retryStoring(
    execution.commit(
      Effect.gen(function* () {
        const { failure, view, wanted } = yield* recordSend(claim, outcome)
        if (failure !== undefined || wanted === undefined) return { failure, view, claimed: undefined }
        // It may have been queued with another note; the queue cancels one that must not be sent.
        const { lead, rules } = view
        const gate = { lead, rules, wording: wordingOfInvitation(wanted) }
        // The account has just begun to rest, for the message.
        const { account, leadStatus } = claim
        const mode = { isFromCommand: true, rests: false, leadStatus, recipient: wanted.approved.recipient }
        const claimed = yield* startTransmission({ draft: null, row: wanted }, account, gate, mode)
        return { failure, view, claimed }
      })
    )
  )
  const { claimed, failure, view } = begun
  if (claimed?._tag !== "Claim") return yield* execution.finish(Effect.succeed(failure ?? outputOf(view)))
  const invited = yield* keepSending(claimed.claim.lease, transmit(claimed.claim))
  return yield* retryStoring(
    execution.finish(
      Effect.gen(function* () {
        const { failure: refusal, invitation } = yield* recordInvitation(claimed.claim, invited)
        if (invitation.state === "failed" && refusal !== undefined) return refusal
        if (invitation.state === "ambiguous") {
          yield* warn("invitation_unknown: it is unknown whether the invitation was sent; it is not sent again.")
        }
        return outputOf(view)
      })
    )
  )
})

/**
 * Approves the draft as chosen and sends it. Fails as `approveHeld` and `claimSend` do, and with GATEWAY_REJECTED,
 * ACCOUNT_DISCONNECTED or SEND_OUTCOME_UNKNOWN, which are outcomes and kept under the idempotency key.
 */
export const sendDraft = Effect.fnUntraced(function* (request: SendNow) {
  const execution = yield* Execution
  const claimed = yield* execution.commit(
    Effect.gen(function* () {
      const before = yield* holdDraft(request.draftId)
      if (request.note !== null) {
        const { tier } = yield* anyAccountOfAgent(before.agent.id)
        const note = yield* Effect.fromResult(noteFor(request.note, tier, "invitation_note"))
        const { kind: actorKind, userId } = yield* Actor
        const wording = wordingOfInvitation({ note, requestedBy: { userId, actorKind } })
        const undisclosed = refuseUndisclosed(before.rules, before.lead, wording)
        if (undisclosed !== undefined) {
          return yield* new DisclosureRequired({ message: `invitation_note: ${undisclosed.message}` })
        }
      }
      const approved = yield* approveHeld(before, request.choice, true)
      const mode = { isFromCommand: true, invite: request.invite, note: request.note }
      const found = yield* claimSend(approved, before, mode)
      return found._tag === "No" ? yield* found.failure : found
    })
  )
  if (claimed._tag !== "Claim") return yield* execution.finish(Effect.succeed(outputOf(claimed.view)))
  const { claim } = claimed
  if (execution.dryRun) yield* warn("not_asked: LinkedIn was not contacted; this is the usual outcome.")
  const outcome = execution.dryRun ? presumed(claim) : yield* keepSending(claim.lease, transmit(claim))
  if (outcome._tag === "Waiting" && outcome.invitation === "wanted") return yield* inviteFor(claim, outcome)
  return yield* retryStoring(
    execution.finish(
      Effect.gen(function* () {
        if (outcome._tag === "Sent" && outcome.relation?.chatId === null) yield* warn(notSynced)
        const { failure, view } = yield* recordSend(claim, outcome)
        return failure ?? outputOf(view)
      })
    )
  )
})
