/**
 * linkedin.invitation.send: request, claim, transmit and record, with the outcome for the caller.
 *
 * Intent is committed before the provider is asked, the outcome after; no transaction is open in between. Source: catalogue
 * 4.1; contract 7 "Sending".
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import type { AgentsRepo } from "../../agents/AgentsRepo.ts"
import { Execution, warn } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import { holdLead, type SuppressionsRepo } from "../../leads/index.ts"
import { now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { chooseAgent } from "../createDraft.ts"
import type { QueueReason } from "../DraftRow.ts"
import { whyInvitation } from "../QueueEntry.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { refuseSuppressed } from "../readDraft.ts"
import { accountOfAgent } from "../resolveAccount.ts"
import { SendOptions } from "../SendOptions.ts"
import { type ClaimedInvitation, type ClaimInvitationNeeds, claimInvitation } from "./claimInvitation.ts"
import { type Invitation, noteFor } from "./Invitation.ts"
import { keepInvitation } from "./keepInvitation.ts"
import { type RecordInvitationNeeds, recordInvitation, unknownInvitation } from "./recordInvitation.ts"
import { requestInvitation } from "./requestInvitation.ts"
import { type InvitationOutcome, transmitInvitation } from "./transmitInvitation.ts"

/** What a caller asks. `agent` is an id or a handle. */
export interface SendInvitationRequest {
  readonly leadId: string
  readonly agent: string | undefined
  readonly note: string | null
}

/** What became of it, the whole output of the command. */
export const SentInvitation = Schema.Struct({
  result: Schema.Literals(["sent", "queued", "already_connected", "already_pending"]),
  invitation_id: Schema.NullOr(Schema.String).annotate({
    description: "Id of the invitation, also in linkedin.queue.list; null where there is none"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why a queued one waits; null otherwise" }),
  not_before: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "Before when a queued one is not tried; null where nothing but a person moves it on"
  })
})
export type SentInvitation = typeof SentInvitation.Type

/** What it takes. */
export type SendInvitationNeeds = AgentsRepo | ClaimInvitationNeeds | Ids | RecordInvitationNeeds | SuppressionsRepo

const shown = (
  result: SentInvitation["result"],
  invitation: Invitation | null,
  reason: QueueReason | null = null,
  notBefore: string | null = null
): SentInvitation => ({ result, invitation_id: invitation?.id ?? null, reason, not_before: notBefore })

/** What there is to say of a live one, beside which there may be no other. */
const standing = Effect.fnUntraced(function* (
  invitation: Invitation
): Effect.fn.Return<SentInvitation | Failure, Failure, QueueRepo> {
  switch (invitation.state) {
    case "pending":
      return shown("already_pending", invitation)
    case "ambiguous":
      return unknownInvitation(invitation)
    case "sending":
      return shown("queued", invitation, "sending")
    default: {
      const { pacing } = yield* SendOptions
      const listed = yield* (yield* QueueRepo).invitations.find(invitation.organizationId, invitation.id)
      const why = listed === undefined ? undefined : whyInvitation(listed, yield* now, pacing)
      return shown("queued", invitation, why?.reason ?? invitation.reason, why?.until ?? invitation.notBefore)
    }
  }
})

/** What a dry run answers in the provider's place. */
const presumed: InvitationOutcome = { _tag: "Sent", externalId: null, relation: undefined }

const resultOf = (invitation: Invitation): SentInvitation => {
  if (invitation.state === "queued") return shown("queued", invitation, invitation.reason, invitation.notBefore)
  return shown(invitation.state === "cancelled" ? "already_connected" : "sent", invitation)
}

/** The provider may have it already: a store that stumbles is asked again before the outcome is given up. */
const recordRetries = { schedule: Schedule.exponential("100 millis"), times: 4 }

/**
 * Sends an invitation, or queues it where the account's hours and limits hold it back. Outward: fails with NOT_FOUND,
 * INVALID_INPUT (no agent can be told, or the note is too long), LEAD_SUPPRESSED, NO_LINKEDIN_ACCOUNT,
 * ACCOUNT_DISCONNECTED, WRONG_STATE (21 days), GATEWAY_REJECTED and SEND_OUTCOME_UNKNOWN.
 */
export const sendInvitation = Effect.fnUntraced(function* (
  request: SendInvitationRequest
): Effect.fn.Return<SentInvitation, Failure, SendInvitationNeeds> {
  const execution = yield* Execution
  const begun: { readonly said: SentInvitation | Failure } | { readonly claimed: ClaimedInvitation } =
    yield* execution.commit(
      Effect.gen(function* () {
        const { organizationId } = yield* Actor
        const { row: lead } = yield* holdLead(request.leadId)
        const agent = yield* chooseAgent(request.agent, undefined)
        yield* refuseSuppressed(lead)
        const account = yield* accountOfAgent(agent.id)
        const note = yield* Effect.fromResult(noteFor(request.note, account.tier, "note"))
        const { relation } = yield* (yield* QueueRepo).person(organizationId, account.id, lead.id)
        if (relation?.connected === true) return { said: shown("already_connected", null) }
        yield* (yield* AccountsRepo).ensure(account)
        const asked = { account, leadId: lead.id, draftId: null, note, bypass: false }
        const { _tag, invitation } = yield* requestInvitation(asked)
        if (_tag === "Live") return { said: yield* standing(invitation) }
        yield* (yield* QueueRepo).invitations.save(organizationId, [invitation])
        return { claimed: yield* claimInvitation(invitation, account, { isCallers: true, rests: true }) }
      })
    )
  if ("said" in begun) return yield* execution.finish(Effect.succeed(begun.said))
  const { claimed } = begun
  if (claimed._tag === "Queued") {
    return yield* execution.finish(Effect.succeed(shown("queued", claimed.invitation, claimed.reason, claimed.until)))
  }
  if (claimed._tag === "Lost") return yield* execution.finish(Effect.succeed(shown("queued", null, "sending")))
  const { claim } = claimed
  if (execution.dryRun) yield* warn("not_asked: LinkedIn was not asked, so the outcome is what it would usually be.")
  const outcome = execution.dryRun ? presumed : yield* keepInvitation(claim.invitation, transmitInvitation(claim))
  const record = execution.finish(
    Effect.map(recordInvitation(claim, outcome), ({ failure, invitation }) => {
      if (failure !== undefined) return failure
      return outcome._tag === "AlreadyPending" ? shown("already_pending", invitation) : resultOf(invitation)
    })
  )
  return yield* Effect.retry(record, { ...recordRetries, while: ({ code }) => code === "UNAVAILABLE" })
})
