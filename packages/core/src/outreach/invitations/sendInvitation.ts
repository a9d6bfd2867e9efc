/**
 * linkedin.invitation.send: request, claim, transmit and record, with the outcome for the caller.
 *
 * Intent is committed before the provider is asked, the outcome after; no transaction is open in between.
 */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { asService } from "../../kernel/background/Worker.ts"
import { Actor, Execution, warn } from "../../kernel/command/Execution.ts"
import { ContentChanged } from "../../kernel/failure/failures.ts"
import { type DraftId, type InstantText, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { holdLead } from "../../leads/findLead.ts"
import { textRules } from "../../workspace/approvals/Policies.ts"
import { recipientNow } from "../approval.ts"
import { announce, apply, carryOut, decide } from "../carryOut.ts"
import { chooseAgent } from "../createDraft.ts"
import { holdDraft, refuseSuppressed } from "../DraftsRepo.ts"
import { wordingOfInvitation } from "../disclosure.ts"
import { type DispatchNeeds, lost, type TransmissionKind } from "../dispatchKind.ts"
import { refusalOf } from "../eligibility.ts"
import { followProfile } from "../followProfile.ts"
import { applyRefusal, readFacts } from "../gate.ts"
import { lifeOf } from "../Life.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { accountIfAny, accountOfAgent, anyAccountOfAgent } from "../provider/LinkedInGateway.ts"
import type { Recipient, Relation } from "../provider/ProviderReads.ts"
import { waitReason } from "../QueueEntry.ts"
import { QueueReason } from "../reasons.ts"
import { recordInvitation, retryStoring, unknownOutcome } from "../recordOutcome.ts"
import { keepSending, nextLookupAt, SendOptions } from "../SendOptions.ts"
import { type InvitationClaim, type SendOutcome, startTransmission } from "../startTransmission.ts"
import type { Invitation } from "../Transmission.ts"
import { type Due, holdInvitation, readInvitation, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { checkRelation, transmit } from "../transmit.ts"
import { noteFor, requestInvitation } from "./requestInvitation.ts"

/** The request. `agent` is an id or a handle. */
interface SendInvitationRequest {
  readonly leadId: LeadId
  /** The profile that the caller expects. */
  readonly linkedinUrl: string | undefined
  readonly agent: string | undefined
  readonly note: string | null
}

/** The output of the command. */
export const SentInvitation = Schema.Struct({
  result: Schema.Literals(["sent", "queued", "already_connected", "already_pending"]),
  invitation_id: Schema.NullOr(Schema.String).annotate({
    description: "Id of the invitation, also in linkedin.queue.list; null if there is none"
  }),
  reason: Schema.NullOr(QueueReason).annotate({ description: "Why a queued invitation waits; otherwise null" }),
  not_before: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "Earliest time of the next attempt of a queued invitation; null if a person must act"
  })
})

export type SentInvitation = typeof SentInvitation.Type

const shown = (
  result: SentInvitation["result"],
  invitation: Invitation | null,
  reason: QueueReason | null = null,
  notBefore: InstantText | null = null
): SentInvitation => ({ result, invitation_id: invitation?.id ?? null, reason, not_before: notBefore })

/** The output for an existing live invitation. */
const liveResult = Effect.fnUntraced(function* (invitation: Invitation) {
  switch (invitation.state) {
    case "pending":
      return shown("already_pending", invitation)
    case "ambiguous":
      return unknownOutcome(invitation)
    case "sending":
      return shown("queued", invitation, "sending")
    default: {
      const { pacing } = yield* SendOptions
      const { reason, until } = waitReason(yield* readInvitation(invitation.id), yield* now, pacing)
      return shown("queued", invitation, reason, until)
    }
  }
})

/** The assumed outcome of a dry run. */
const presumed: SendOutcome = { _tag: "Sent", messageId: null, externalId: null, relation: undefined }

const resultOf = (invitation: Invitation): SentInvitation => {
  if (invitation.state === "queued") return shown("queued", invitation, invitation.reason, invitation.notBefore)
  return shown(invitation.state === "cancelled" ? "already_connected" : "sent", invitation)
}

/**
 * The lead to invite, held, who may be contacted. Fails with NOT_FOUND, LEAD_SUPPRESSED, and with CONTENT_CHANGED where
 * the profile is not the expected one.
 */
export const invitee = Effect.fnUntraced(function* (leadId: LeadId, expected: string | undefined) {
  const { row: lead } = yield* holdLead(leadId)
  yield* refuseSuppressed(lead)
  if (expected === undefined || expected === lead.linkedinUrl) return lead
  return yield* new ContentChanged({
    message:
      "The lead's LinkedIn profile has changed since the invitation was requested. Read lead.get and send it again."
  })
})

/**
 * Sends an invitation, or queues it outside of the account's hours and limits. Outward: fails with NOT_FOUND,
 * INVALID_INPUT (agent missing, or note too long), LEAD_SUPPRESSED, CONTENT_CHANGED (another profile), NO_LINKEDIN_ACCOUNT,
 * ACCOUNT_DISCONNECTED, DISCLOSURE_REQUIRED, WRONG_STATE (21 days), GATEWAY_REJECTED and SEND_OUTCOME_UNKNOWN.
 */
export const sendInvitation = Effect.fnUntraced(function* (request: SendInvitationRequest) {
  const execution = yield* Execution
  const begun = yield* execution.commit(
    Effect.gen(function* () {
      const { kind, organizationId, userId } = yield* Actor
      const { person, save } = yield* TransmissionsRepo
      const lead = yield* invitee(request.leadId, request.linkedinUrl)
      const agent = yield* chooseAgent(request.agent, undefined)
      const account = yield* accountOfAgent(agent.id)
      const note = yield* Effect.fromResult(noteFor(request.note, account.tier, "note"))
      const { relation } = yield* person(organizationId, account.id, lead.id)
      if (relation?.connected === true) return { said: shown("already_connected", null) }
      yield* (yield* AccountsRepo).ensure(account)
      const requestedBy = { userId, actorKind: kind }
      const recipient = yield* recipientNow(lead)
      const gate = { lead, rules: yield* textRules, wording: wordingOfInvitation({ note, requestedBy }) }
      const refused = refusalOf(gate, yield* now)
      if (refused !== undefined) return yield* refused.failure
      const asked = { account, leadId: lead.id, draftId: null, note, bypass: false, recipient, requestedBy }
      const { invitation, isNew } = yield* requestInvitation(asked)
      if (!isNew) return { said: yield* liveResult(invitation) }
      yield* save(organizationId, [invitation])
      const life = { draft: null, row: invitation }
      yield* announce("invitation.queued", life)
      const mode = { isFromCommand: true, leadStatus: lead.status, recipient }
      return { claimed: yield* startTransmission(life, account, gate, mode), invitation }
    })
  )
  if ("said" in begun) return yield* execution.finish(Effect.succeed(begun.said))
  const { claimed } = begun
  if (claimed._tag === "Queued") {
    return yield* execution.finish(Effect.succeed(shown("queued", begun.invitation, claimed.reason, claimed.until)))
  }
  if (claimed._tag !== "Claim") return yield* execution.finish(Effect.succeed(shown("queued", null, "sending")))
  const { claim } = claimed
  if (execution.dryRun) yield* warn("not_asked: LinkedIn was not contacted; this is the usual outcome.")
  const outcome = execution.dryRun ? presumed : yield* keepSending(claim.lease, transmit(claim))
  const record = execution.finish(
    Effect.map(recordInvitation(claim, outcome), ({ failure, invitation }) => {
      if (failure !== undefined) return failure
      return outcome._tag === "AlreadyPending" ? shown("already_pending", invitation) : resultOf(invitation)
    })
  )
  return yield* retryStoring(record)
})

/** The invitation as it is stored now, if it is still leased under the same fence; its lead is held. */
const holdDue = Effect.fnUntraced(function* ({ fence, id, state }: Due) {
  const view = yield* holdInvitation(id)
  return view.row.fence === fence && view.row.state === state ? view : undefined
})

/** How account and person stand; undefined when that cannot be seen. */
const lookupInvitation = Effect.fnUntraced(function* ({ id, organizationId }: Due) {
  const { row } = yield* asService(organizationId, readInvitation(id))
  const account = yield* Effect.option(asService(organizationId, anyAccountOfAgent(row.agentId)))
  // Another account cannot see it.
  if (account._tag === "None" || account.value.id !== row.accountId || account.value.status !== "OK") return undefined
  // What was recorded of it is what is to be found out.
  const recipient: Recipient = { leadId: row.leadId, identities: row.approved.recipient, invitedAt: null }
  const found = yield* checkRelation({ account: account.value, recipient })
  return found._tag === "Known" ? found.relation : undefined
})

/** What the provider shows settles it; what it does not show stays unknown. Answers whether it was sent. */
const settleFound = Effect.fnUntraced(function* (due: Due, relation: Relation | undefined) {
  const row = (yield* holdDue(due))?.row
  if (row === undefined) return false
  const at = yield* now
  const life = { draft: null, row }
  const isSent = relation?.connected === true || relation?.invitation === "pending"
  if (!isSent) {
    yield* apply(life, { _tag: "Postpone", notBefore: nextLookupAt(at, row.updatedAt) }, at)
    return false
  }
  const sent = { externalId: null, recordedAs: null, isFirst: false }
  const settled = yield* Effect.fromResult(decide(life, { _tag: "Settle", sent, reason: "not_sent" }, at))
  const accepted = relation.connected
    ? yield* Effect.fromResult(decide(settled.life, { _tag: "Accept" }, at))
    : undefined
  const effects = [...settled.effects, ...(accepted?.effects ?? [])]
  yield* carryOut({ before: life, life: accepted?.life ?? settled.life, effects }, at)
  return true
})

/** Withdraws the approved message that waits for a cancelled invitation, if it must not be sent either. */
const withdrawMessage = Effect.fnUntraced(function* (draftId: DraftId, account: LinkedInAccount | undefined) {
  const view = yield* holdDraft(draftId)
  const { item, row } = view
  if (row.status !== "READY_TO_SEND") return
  const at = yield* now
  const block = refusalOf(yield* readFacts(view, account, { at: item?.createdAt ?? row.approvedAt }), at)
  if (block !== undefined) yield* applyRefusal(lifeOf(view), block, at)
})

const claimDue = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdDue(due)
  if (view === undefined) return undefined
  const { lead, row } = view
  const account = yield* accountIfAny(row.agentId)
  const gate = yield* readFacts(view, account, { at: row.createdAt })
  const mode = { isFromCommand: false, fence: due.fence, leadStatus: lead.status, recipient: row.approved.recipient }
  const life = { draft: null, row }
  const claimed = yield* startTransmission(life, account, gate, mode)
  if (claimed._tag === "No") {
    yield* applyRefusal(life, claimed, yield* now)
    if (row.draftId !== null) yield* withdrawMessage(row.draftId, account)
  }
  return claimed._tag === "Claim" ? claimed.claim : undefined
})

/** It may have gone out: blocked until the provider or a person shows it. */
const markLost = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdDue(due)
  if (view !== undefined) yield* apply(lifeOf(view), { _tag: "Lose", detail: lost }, yield* now)
})

/** Invitations as a {@link TransmissionKind}. */
export const invitations: Required<TransmissionKind<InvitationClaim, SendOutcome, Relation, DispatchNeeds>> = {
  name: "invitation",
  precheck: ({ id, organizationId }) =>
    asService(organizationId, readInvitation(id)).pipe(
      Effect.flatMap((view) => followProfile(organizationId, view)),
      Effect.as("claim" as const)
    ),
  claim: claimDue,
  transmit,
  record: (claim, outcome) =>
    Effect.map(recordInvitation(claim, outcome), ({ invitation }) => invitation.state === "pending"),
  markLost,
  lookup: lookupInvitation,
  settle: settleFound
}
