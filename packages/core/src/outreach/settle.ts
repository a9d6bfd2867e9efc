/** Cancelling and withdrawing what waits, and settling what may have been sent. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor, Execution, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, type InstantText, type InvitationId, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { DraftInFlight } from "../leads/failures.ts"
import { findLead } from "../leads/findLead.ts"
import { beginUse, endUse } from "./accountUse.ts"
import { apply, carryOut, decide, recordDelivery } from "./carryOut.ts"
import { chooseAgent } from "./createDraft.ts"
import { draftOf, holdDraft, readDraft } from "./DraftsRepo.ts"
import { type AccountDisconnected, GatewayError, GatewayRejected, NoLinkedinAccount, UsageLimit } from "./failures.ts"
import { acceptInvitation, invitationsOf } from "./invitations/requestInvitation.ts"
import { type Delivery, type Event, lifeOf } from "./Life.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { accountDisconnected, accountOfAgent, LinkedInGateway, statusOfRefusal } from "./provider/LinkedInGateway.ts"
import type { SendResult } from "./provider/ProviderReads.ts"
import { entryOf } from "./QueueEntry.ts"
import { SendOptions } from "./SendOptions.ts"
import { isOfAccount } from "./startTransmission.ts"
import { type Invitation, isLive, type LinkedInTransmission, type Transmission } from "./Transmission.ts"
import { holdInvitation, readInvitation, readMessage, TransmissionsRepo } from "./TransmissionsRepo.ts"
import { boundedWrite, checkRelation } from "./transmit.ts"

const isInvitation = (id: string): boolean => id.startsWith("inv_")

const over = ({ id, kind, state }: LinkedInTransmission): WrongState =>
  new WrongState({
    message: `${kind === "message" ? "Queue item" : "Invitation"} ${id} is already ${state}. Read it with linkedin.queue.list.`
  })

/** The output: the item, with the draft of a message. */
const settled = Effect.fnUntraced(function* (id: string, draftId: string | null) {
  const { pacing } = yield* SendOptions
  const view = isInvitation(id) ? yield* readInvitation(id) : yield* readMessage(id)
  const item = entryOf(view, yield* now, pacing)
  return { item, draft: draftId === null ? null : draftOf(yield* readDraft(draftId)) }
})

/** Holds an invitation, or a message and its draft, of which it must still be the current one. */
const holdItem = Effect.fnUntraced(function* (id: string) {
  if (isInvitation(id)) {
    const view = yield* holdInvitation(id)
    return { view, row: view.row, draftId: null }
  }
  const {
    row: { draftId },
    row
  } = yield* readMessage(id)
  const view = yield* holdDraft(draftId)
  return view.item?.id === id ? { view, row: view.item, draftId } : yield* over(row)
})

/**
 * Cancels a queued item; the draft of a message returns to review. Fails with NOT_FOUND, WRONG_STATE (no longer queued),
 * DRAFT_FINAL, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const cancelQueued = Effect.fnUntraced(function* (id: string) {
  const { draftId, row, view } = yield* holdItem(id)
  const at = yield* now
  const _tag = draftId === null ? "Cancel" : "Withdraw"
  const decision = yield* Effect.fromResult(decide(lifeOf(view), { _tag, reason: "item_cancelled" }, at))
  if (decision.life.row === row) return yield* over(row)
  yield* carryOut(decision, at)
  return yield* settled(id, draftId)
})

/**
 * Settles an item that may have been sent. A queued item can be settled as sent too, if it was sent manually. not_sent
 * returns a draft to review. Fails with NOT_FOUND or WRONG_STATE.
 */
export const resolveQueued = Effect.fnUntraced(function* (
  id: string,
  outcome: "sent" | "not_sent",
  externalId: string | null
) {
  const { draftId, row, view } = yield* holdItem(id)
  const at = changedAt(row.updatedAt, yield* now)
  const settle = (sent: Delivery | undefined) =>
    Effect.fromResult(
      Result.mapError(decide(lifeOf(view), { _tag: "Settle", sent, reason: "not_sent" }, at), (refusal) =>
        refusal._tag === "DraftFinal" && isLive(row) ? refusal : over(row)
      )
    )
  const isSent = outcome === "sent"
  const decision = yield* settle(isSent ? { externalId: null, recordedAs: null, isFirst: false } : undefined)
  const isMessage = isSent && "item" in view
  yield* carryOut(isMessage ? yield* settle(yield* recordDelivery(view, externalId, at)) : decision, at)
  return yield* settled(id, draftId)
})

/** Which invitation: by its own id, or that of the agent's account to a lead. `agent` is an id or a handle. */
type WithdrawRequest =
  | { readonly invitationId: InvitationId }
  | { readonly leadId: LeadId; readonly agent: string | undefined }

/** The output of the command. */
export const WithdrawalResult = Schema.Struct({
  withdrawn: Schema.Boolean.annotate({ description: "False when the person had accepted it" }),
  invitation_id: Schema.String,
  state: Schema.String.annotate({ description: "What the invitation is now: withdrawn, cancelled or accepted" })
})
export type WithdrawalResult = typeof WithdrawalResult.Type

const shown = ({ id, state }: Transmission): WithdrawalResult => ({
  withdrawn: state === "withdrawn" || state === "cancelled",
  invitation_id: id,
  state
})

const none = (leadId: LeadId): NotFound =>
  new NotFound({
    kind: "invitation",
    message: `Lead ${leadId.slice(0, 64)} has no open invitation. List open ones with linkedin.queue.list and state pending.`
  })

const findId = Effect.fnUntraced(function* (request: WithdrawRequest) {
  if ("invitationId" in request) return request.invitationId
  const { organizationId } = yield* Actor
  const { id: leadId } = yield* findLead({ lead_id: request.leadId })
  const agent = request.agent === undefined ? undefined : yield* chooseAgent(request.agent, undefined)
  const open = (yield* invitationsOf(organizationId, leadId)).filter(
    (one) => isLive(one) && (agent === undefined || one.agentId === agent.id)
  )
  const [only, ...others] = open
  if (only === undefined) return yield* none(leadId)
  if (others.length > 0) {
    return yield* new InvalidInput({ message: "agent_handle is required, as several agents invited this lead." })
  }
  return only.id
})

type WithdrawStep =
  /** Done without the provider. */
  | { readonly _tag: "Done"; readonly withdrawn: WithdrawalResult }
  | { readonly _tag: "Ask"; readonly invitation: Invitation; readonly account: LinkedInAccount }

const begin = Effect.fnUntraced(function* (request: WithdrawRequest) {
  const id = yield* findId(request)
  const { row: invitation } = yield* holdInvitation(id)
  const end = (event: Event<"Cancel" | "Recall">, at: InstantText) =>
    Effect.map(apply({ draft: null, row: invitation }, event, at), ({ row }): WithdrawStep => {
      return { _tag: "Done", withdrawn: shown(row ?? invitation) }
    })
  if (invitation.state === "sending") {
    return yield* new DraftInFlight({ message: `Invitation ${id} is being sent. Retry in a moment.` })
  }
  if (!isLive(invitation)) {
    return yield* new WrongState({
      message: `Invitation ${id} is ${invitation.state}, so there is nothing to withdraw.`
    })
  }
  const at = yield* now
  if (invitation.state === "queued") return yield* end({ _tag: "Cancel", reason: "item_cancelled" }, at)
  if ((yield* LinkedInGateway).isManual === true) {
    yield* warn(
      "by_hand: this service does not contact LinkedIn. Withdraw the invitation on LinkedIn if you have not yet."
    )
    return yield* end({ _tag: "Recall" }, at)
  }
  const account = yield* accountOfAgent(invitation.agentId)
  if (account.id !== invitation.accountId) {
    return yield* new NoLinkedinAccount({
      message: `Invitation ${id} was sent with account ${invitation.accountId}, which its agent no longer has. Withdraw it on LinkedIn.`
    })
  }
  const ask: WithdrawStep = { _tag: "Ask", invitation, account }
  return ask
})

const outcomeOf = ({ _tag }: SendResult) => _tag.toLowerCase() as Lowercase<SendResult["_tag"]>

const failureOf = (
  result: SendResult,
  account: LinkedInAccount
): AccountDisconnected | GatewayError | GatewayRejected | UsageLimit => {
  if (result._tag === "Refused") {
    const { kind, providerCode } = result
    if (isOfAccount(kind)) return accountDisconnected({ ...account, status: statusOfRefusal(kind) })
    if (kind === "limit")
      return new UsageLimit({ message: "LinkedIn refuses more withdrawals for now. Retry tomorrow." })
    return new GatewayRejected({
      message: `LinkedIn's provider refused the withdrawal (${kind}, provider=${providerCode.slice(0, 100)}).`
    })
  }
  return new GatewayError({
    message: "It is unknown whether the invitation was withdrawn. Retry: withdrawing twice does no harm."
  })
}

/**
 * Withdraws an invitation: immediately while it is queued, else at the provider. `withdrawn` is false when the person had
 * accepted it. Outward: fails with NOT_FOUND, INVALID_INPUT, WRONG_STATE, DRAFT_IN_FLIGHT, NO_LINKEDIN_ACCOUNT, ACCOUNT_DISCONNECTED,
 * USAGE_LIMIT, GATEWAY_REJECTED and GATEWAY_ERROR.
 */
export const withdrawInvitation = Effect.fnUntraced(function* (request: WithdrawRequest) {
  const execution = yield* Execution
  const { organizationId } = yield* Actor
  const begun = yield* execution.commit(begin(request))
  if (begun._tag === "Done") return yield* execution.finish(Effect.succeed(begun.withdrawn))
  const { account, invitation } = begun
  const { person } = yield* TransmissionsRepo
  const { relation: known } = yield* person(organizationId, account.id, invitation.leadId)
  const { recipient: identities } = invitation.approved
  const recipient = { leadId: invitation.leadId, identities, invitedAt: known?.invitedAt ?? null }
  const end = (isAccepted: boolean) =>
    execution.finish(
      Effect.gen(function* () {
        const { row: held } = yield* holdInvitation(invitation.id)
        const at = yield* now
        if (isAccepted) yield* acceptInvitation(organizationId, account.id, held.leadId, at)
        const isOpen = held.state === "pending" || held.state === "ambiguous"
        if (!isAccepted && isOpen) yield* apply({ draft: null, row: held }, { _tag: "Recall" }, at)
        return shown((yield* readInvitation(invitation.id)).row)
      })
    )
  if (execution.dryRun) {
    yield* warn("not_asked: LinkedIn was not contacted; this is the usual outcome.")
    return yield* end(false)
  }
  const look = yield* checkRelation({ account, recipient })
  if (look._tag === "Known" && look.relation.connected) return yield* end(true)
  const attempt = yield* execution.commit(beginUse(account, "withdrawal"))
  const { writeSeconds } = yield* SendOptions
  const { withdrawInvitation: take } = yield* LinkedInGateway
  const result = yield* boundedWrite(take(account, recipient), writeSeconds)
  const detail = result._tag === "Confirmed" ? null : result._tag === "Refused" ? result.providerCode : result.detail
  yield* execution.commit(endUse(attempt, outcomeOf(result), detail))
  if (result._tag !== "Confirmed") return yield* failureOf(result, account)
  return yield* end(false)
})
