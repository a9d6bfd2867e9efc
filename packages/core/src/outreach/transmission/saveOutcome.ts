/** What is stored of an outcome whatever was transmitted: its attempt, and how account and person stand. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { type LinkedInClaim, outcomes, type SendOutcome } from "./Claim.ts"
import { acceptInvitation } from "./invitations/acceptInvitation.ts"
import type { SendAttempt } from "./SendAttempt.ts"
import type { LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What the provider said of it. */
const detailOf = (outcome: SendOutcome): string | null => {
  if (outcome._tag === "Sent") return outcome.externalId
  if ("detail" in outcome) return outcome.detail
  if (outcome._tag === "Waiting") return "not_connected"
  return "providerCode" in outcome ? outcome.providerCode : outcomes[outcome._tag].detail
}

/**
 * Stores the attempt with its outcome, and says whether it may change the row: it is fenced, so only while the row is still
 * in the attempt that the outcome belongs to. A confirmation alone is believed later too, as it is the truth.
 */
export const saveOutcome = Effect.fnUntraced(function* (
  claim: LinkedInClaim,
  stored: LinkedInTransmission | null,
  outcome: SendOutcome,
  at: string
) {
  const { attempt: word } = outcomes[outcome._tag]
  const detail = detailOf(outcome)?.slice(0, 500) ?? null
  const attempt: SendAttempt = { ...claim.attempt, outcome: word, detail, endedAt: at }
  yield* (yield* TransmissionsRepo).saveAttempt(attempt)
  const isOpen = stored?.state === "sending" || (stored?.state === "ambiguous" && outcome._tag === "Sent")
  return { attempt, isOurs: isOpen && stored?.id === claim.row.id && stored.attempts === attempt.number }
})

/** Stores what the provider said of account and person. */
export const updateRelation = Effect.fnUntraced(function* (
  { account, recipient: { invitedAt, leadId }, row }: LinkedInClaim,
  outcome: SendOutcome,
  at: string
) {
  const { _tag, relation: heard } = outcome
  const isConnected = _tag === "AlreadyConnected"
  const isInvited =
    row.kind === "invitation"
      ? _tag === "Sent" || _tag === "AlreadyPending" || _tag === "Unknown"
      : _tag === "Waiting" && outcome.invitation === "pending"
  if (heard === undefined && !isInvited && !isConnected) return
  const { organizationId } = account
  const { person, saveRelation } = yield* TransmissionsRepo
  const { relation: known } = yield* person(organizationId, account.id, leadId)
  const connected = isConnected || (heard?.connected ?? known?.connected ?? false)
  const before = known?.invitedAt ?? invitedAt
  yield* saveRelation({
    organizationId,
    accountId: account.id,
    leadId,
    connected,
    chatId: heard?.chatId ?? known?.chatId ?? null,
    invitedAt: isInvited ? (row.kind === "invitation" ? at : (before ?? at)) : before,
    checkedAt: at
  })
  if (connected && row.kind === "message") yield* acceptInvitation(organizationId, account.id, leadId, at)
})

/** The provider may already have it, so storing the outcome is retried. */
export const retryStoring = <A, E extends Failure, R>(record: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(record, {
    schedule: Schedule.exponential("100 millis"),
    times: 4,
    while: ({ code }) => code === "UNAVAILABLE"
  })
