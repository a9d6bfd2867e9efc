/**
 * linkedin.invitation.withdraw: taking an invitation back.
 *
 * Taking it back twice does no harm, so an unknown outcome leaves it as it is and may be tried again. Source: catalogue 4.1;
 * G39 (20 or 40 a day, and 21 days without another).
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import type { AgentsRepo } from "../../agents/AgentsRepo.ts"
import { Execution, warn } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import { findLead, type LeadConsequences, type LeadsRepo } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import type { AccountsRepo } from "../AccountsRepo.ts"
import { GatewayAdditions } from "../bridge/GatewayAdditions.ts"
import { chooseAgent } from "../createDraft.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { LinkedInGateway, type SendResult } from "../LinkedInGateway.ts"
import { beginUse, endUse } from "../pacing/countUse.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { accountDisconnected, accountOfAgent } from "../resolveAccount.ts"
import { SendOptions } from "../SendOptions.ts"
import { boundedWrite, lookAtRelation } from "../sending/transmit.ts"
import { type SettleNeeds, settleWaiting } from "../settleWaiting.ts"
import { acceptInvitation } from "./acceptInvitation.ts"
import { announceInvitation } from "./announceInvitation.ts"
import { endedInvitation, type Invitation, isLive } from "./Invitation.ts"
import { holdInvitation, readInvitation, settleInvitationAttempts } from "./settleInvitation.ts"

/** Which invitation: by its own id, or that of the agent's account to a lead. `agent` is an id or a handle. */
export type WithdrawRequest =
  | { readonly invitationId: string }
  | { readonly leadId: string; readonly agent: string | undefined }

/** What it takes. */
export type WithdrawNeeds =
  | AccountsRepo
  | AgentsRepo
  | GatewayAdditions
  | Ids
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | SettleNeeds

/** What became of it, the whole output of the command. */
export const Withdrawn = Schema.Struct({
  withdrawn: Schema.Boolean.annotate({ description: "False when the person had accepted it" }),
  invitation_id: Schema.String,
  state: Schema.String.annotate({ description: "What the invitation is now: withdrawn, cancelled or accepted" })
})
export type Withdrawn = typeof Withdrawn.Type

const shown = ({ id, state }: Invitation): Withdrawn => ({
  withdrawn: state === "withdrawn" || state === "cancelled",
  invitation_id: id,
  state
})

const none = (leadId: string): Failure =>
  fail(
    "NOT_FOUND",
    `Nothing is known of an open invitation to lead ${leadId.slice(0, 64)}. linkedin.queue.list with state pending shows those that are open.`
  )

const findId = Effect.fnUntraced(function* (request: WithdrawRequest) {
  if ("invitationId" in request) return request.invitationId
  const { organizationId } = yield* Actor
  const { id: leadId } = yield* findLead({ lead_id: request.leadId })
  const agent = request.agent === undefined ? undefined : yield* chooseAgent(request.agent, undefined)
  const open = (yield* (yield* QueueRepo).invitations.ofLead(organizationId, leadId)).filter(
    (one) => isLive(one) && (agent === undefined || one.agentId === agent.id)
  )
  const [only, ...others] = open
  if (only === undefined) return yield* none(leadId)
  if (others.length > 0) {
    return yield* fail("INVALID_INPUT", "agent_handle: is required, as several agents invited this lead.")
  }
  return only.id
})

type Begun =
  /** It is done without the provider. */
  | { readonly _tag: "Done"; readonly withdrawn: Withdrawn }
  | { readonly _tag: "Ask"; readonly invitation: Invitation; readonly account: LinkedInAccount }

const begin = Effect.fnUntraced(function* (request: WithdrawRequest): Effect.fn.Return<Begun, Failure, WithdrawNeeds> {
  const { organizationId } = yield* Actor
  const id = yield* findId(request)
  const invitation = yield* holdInvitation(id)
  if (invitation.state === "sending") {
    return yield* fail("DRAFT_IN_FLIGHT", `Invitation ${id} is being sent right now. Try again in a moment.`)
  }
  if (!isLive(invitation)) {
    return yield* fail("WRONG_STATE", `Invitation ${id} is ${invitation.state}, so there is nothing to take back.`)
  }
  const at = changedAt(invitation.updatedAt, yield* now)
  if (invitation.state === "queued") {
    const cancelled = endedInvitation(invitation, "cancelled", "item_cancelled", at)
    yield* (yield* QueueRepo).invitations.save(organizationId, [cancelled])
    yield* settleWaiting([invitation.leadId])
    return { _tag: "Done", withdrawn: shown(cancelled) }
  }
  if ((yield* LinkedInGateway).isByHand === true) {
    yield* warn("by_hand: nothing leaves by itself here. Take the invitation back on LinkedIn, if you have not yet.")
    return { _tag: "Done", withdrawn: shown(yield* storeWithdrawn(invitation, at)) }
  }
  const account = yield* accountOfAgent(invitation.agentId)
  if (account.id !== invitation.accountId) {
    return yield* fail(
      "NO_LINKEDIN_ACCOUNT",
      `Invitation ${id} was sent with account ${invitation.accountId}, which its agent has no more. Take it back on LinkedIn.`
    )
  }
  return { _tag: "Ask", invitation, account }
})

/** Ends it, and says so; the relation forgets that the person was invited. */
const storeWithdrawn = Effect.fnUntraced(function* (invitation: Invitation, at: string) {
  const { accountId, leadId, organizationId } = invitation
  const queue = yield* QueueRepo
  const withdrawn = endedInvitation(invitation, "withdrawn", null, at)
  if (invitation.state === "ambiguous") yield* settleInvitationAttempts(invitation, "confirmed", "settled", at)
  yield* queue.invitations.save(organizationId, [withdrawn])
  const { relation } = yield* queue.person(organizationId, accountId, leadId)
  if (relation !== undefined) yield* queue.saveRelation({ ...relation, invitedAt: null, checkedAt: at })
  yield* announceInvitation("invitation.withdrawn", withdrawn)
  yield* settleWaiting([leadId])
  return withdrawn
})

const outcomeWords = {
  Confirmed: "confirmed",
  Refused: "refused",
  Unavailable: "unavailable",
  Unknown: "unknown"
} as const

const failureOf = (result: SendResult, account: LinkedInAccount): Failure => {
  if (result._tag === "Refused") {
    const { kind, providerCode } = result
    if (kind === "account_down" || kind === "account_restricted") {
      return accountDisconnected({ ...account, status: kind === "account_down" ? "CREDENTIALS" : "RESTRICTED" })
    }
    if (kind === "limit") return fail("USAGE_LIMIT", "LinkedIn refuses more withdrawals for now. Try again tomorrow.")
    return fail(
      "GATEWAY_REJECTED",
      `LinkedIn's provider refused to take the invitation back (${kind}, provider=${providerCode.slice(0, 100)}).`
    )
  }
  return fail(
    "GATEWAY_ERROR",
    "It is not known whether the invitation was taken back. Run it again: taking it back twice does no harm."
  )
}

/**
 * Takes an invitation back: at once while it waits, else at the provider. Answers false when the person had accepted it.
 * Outward: fails with NOT_FOUND, INVALID_INPUT, WRONG_STATE, DRAFT_IN_FLIGHT, NO_LINKEDIN_ACCOUNT, ACCOUNT_DISCONNECTED,
 * USAGE_LIMIT, GATEWAY_REJECTED and GATEWAY_ERROR.
 */
export const withdrawInvitation = Effect.fnUntraced(function* (
  request: WithdrawRequest
): Effect.fn.Return<Withdrawn, Failure, WithdrawNeeds> {
  const execution = yield* Execution
  const { organizationId } = yield* Actor
  const begun = yield* execution.commit(begin(request))
  if (begun._tag === "Done") return yield* execution.finish(Effect.succeed(begun.withdrawn))
  const { account, invitation } = begun
  const queue = yield* QueueRepo
  const { identities, relation: known } = yield* queue.person(organizationId, account.id, invitation.leadId)
  const recipient = { leadId: invitation.leadId, identities, invitedAt: known?.invitedAt ?? null }
  const end = (isAccepted: boolean) =>
    execution.finish(
      Effect.gen(function* () {
        const held = yield* holdInvitation(invitation.id)
        const at = changedAt(held.updatedAt, yield* now)
        if (isAccepted) yield* acceptInvitation(organizationId, account.id, held.leadId, at)
        const isOpen = held.state === "pending" || held.state === "ambiguous"
        if (!isAccepted && isOpen) yield* storeWithdrawn(held, at)
        return shown((yield* readInvitation(invitation.id)).invitation)
      })
    )
  if (execution.dryRun) {
    yield* warn("not_asked: LinkedIn was not asked, so the outcome is what it would usually be.")
    return yield* end(false)
  }
  const look = yield* lookAtRelation({ account, recipient })
  if (look._tag === "Known" && look.relation.connected) return yield* end(true)
  const attempt = yield* execution.commit(beginUse(account, "withdrawal"))
  const { writeSeconds } = yield* SendOptions
  const { withdrawInvitation: take } = yield* GatewayAdditions
  const result = yield* boundedWrite(take(account, recipient), writeSeconds)
  const detail = result._tag === "Confirmed" ? null : result._tag === "Refused" ? result.providerCode : result.detail
  yield* execution.commit(endUse(attempt, outcomeWords[result._tag], detail))
  if (result._tag !== "Confirmed") return yield* failureOf(result, account)
  return yield* end(false)
})
