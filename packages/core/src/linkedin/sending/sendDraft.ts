/**
 * send_now: approve, claim, transmit and record, with the outcome for the caller.
 *
 * Intent is committed before the provider is asked, the outcome after; no transaction is open in between. Source: G10;
 * contract 7 "Sending".
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Execution, warn } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import type { ApproveOutput, DispatchResult } from "../ApproveOutput.ts"
import { approveHeld } from "../approveDraft.ts"
import { type DraftView, draftOf } from "../DraftView.ts"
import { claimInvitation } from "../invitations/claimInvitation.ts"
import { noteFor } from "../invitations/Invitation.ts"
import { keepInvitation } from "../invitations/keepInvitation.ts"
import { recordInvitation } from "../invitations/recordInvitation.ts"
import { transmitInvitation } from "../invitations/transmitInvitation.ts"
import type { LinkedInGateway } from "../LinkedInGateway.ts"
import { holdDraft } from "../readDraft.ts"
import { anyAccountOfAgent } from "../resolveAccount.ts"
import type { ApprovalChoice } from "../VariationChoice.ts"
import { type ClaimNeeds, claimSend } from "./claimSend.ts"
import { keepLease } from "./keepLease.ts"
import { recordSend } from "./recordSend.ts"
import { leaseOf, type SendClaim, type SendOutcome } from "./SendClaim.ts"
import { transmit } from "./transmit.ts"

/** What a caller asks of send_now. */
export interface SendNow {
  readonly draftId: string
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

/** What a dry run answers in the provider's place: what is known of the relation decides. */
const presumed = ({ item, recipient }: SendClaim): SendOutcome =>
  item.state === "waiting_relation" || recipient.invitedAt !== null
    ? { _tag: "Waiting", invitation: "none", relation: undefined }
    : { _tag: "Sent", messageId: null, externalId: null, relation: undefined }

const notSynced = "conversation_not_synced: no conversation with this person was known, so a new one was started."

/** The provider may have it already: a store that stumbles is asked again before the outcome is given up. */
const patiently = <A, R>(record: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.retry(record, {
    schedule: Schedule.exponential("100 millis"),
    times: 4,
    while: ({ code }) => code === "UNAVAILABLE"
  })

/** The person is not connected and is to be invited: the message waits, and the invitation leaves at once. */
const inviteFor = Effect.fnUntraced(function* (
  claim: SendClaim,
  outcome: SendOutcome
): Effect.fn.Return<ApproveOutput, Failure, ClaimNeeds | LinkedInGateway> {
  const execution = yield* Execution
  const begun = yield* patiently(
    execution.commit(
      Effect.gen(function* () {
        const { failure, view, wanted } = yield* recordSend(claim, outcome)
        if (failure !== undefined || wanted === undefined) return { failure, view, claimed: undefined }
        // The account has just begun to rest, for the message.
        const manner = { isCallers: true, rests: false }
        return { failure, view, claimed: yield* claimInvitation(wanted, claim.account, manner) }
      })
    )
  )
  const { claimed, failure, view } = begun
  if (claimed?._tag !== "Claim") return yield* execution.finish(Effect.succeed(failure ?? outputOf(view)))
  const invited = yield* keepInvitation(claimed.claim.invitation, transmitInvitation(claimed.claim))
  return yield* patiently(
    execution.finish(
      Effect.gen(function* () {
        const { failure: refusal, invitation } = yield* recordInvitation(claimed.claim, invited)
        if (invitation.state === "failed" && refusal !== undefined) return refusal
        if (invitation.state === "ambiguous") {
          yield* warn("invitation_unknown: it is not known whether the invitation was made; it is not made again.")
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
export const sendDraft = Effect.fnUntraced(function* (
  request: SendNow
): Effect.fn.Return<ApproveOutput, Failure, ClaimNeeds | LinkedInGateway> {
  const execution = yield* Execution
  const claimed = yield* execution.commit(
    Effect.gen(function* () {
      const before = yield* holdDraft(request.draftId)
      if (request.note !== null) {
        const { tier } = yield* anyAccountOfAgent(before.agent.id)
        yield* Effect.fromResult(noteFor(request.note, tier, "invitation_note"))
      }
      const approved = yield* approveHeld(before, request.choice, true)
      return yield* claimSend(approved, before, { isCallers: true, invite: request.invite, note: request.note })
    })
  )
  if (claimed._tag !== "Claim") return yield* execution.finish(Effect.succeed(outputOf(claimed.view)))
  const { claim } = claimed
  if (execution.dryRun) yield* warn("not_asked: LinkedIn was not asked, so the outcome is what it would usually be.")
  const outcome = execution.dryRun ? presumed(claim) : yield* keepLease(leaseOf(claim), transmit(claim))
  if (outcome._tag === "Waiting" && outcome.invitation === "wanted") return yield* inviteFor(claim, outcome)
  return yield* patiently(
    execution.finish(
      Effect.gen(function* () {
        if (outcome._tag === "Sent" && outcome.relation?.chatId === null) yield* warn(notSynced)
        const { failure, view } = yield* recordSend(claim, outcome)
        return failure ?? outputOf(view)
      })
    )
  )
})
