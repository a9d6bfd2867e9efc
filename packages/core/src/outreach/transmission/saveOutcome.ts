/** What is stored of an outcome whatever was transmitted: its attempt, and how account and person stand. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../kernel/failure/Failure.ts"
import type { LinkedInClaim, SendOutcome } from "./Claim.ts"
import { acceptInvitation } from "./invitations/acceptInvitation.ts"
import type { SendAttempt } from "./SendAttempt.ts"
import type { LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

const outcomeWords: Readonly<Record<SendOutcome["_tag"], NonNullable<SendAttempt["outcome"]>>> = {
  Sent: "confirmed",
  Waiting: "refused",
  AlreadyPending: "refused",
  AlreadyConnected: "refused",
  Retry: "unavailable",
  Rejected: "refused",
  AccountDown: "refused",
  Unknown: "unknown"
}

/** The transmission with its outcome. */
const attemptAfter = (attempt: SendAttempt, outcome: SendOutcome, at: string): SendAttempt => ({
  ...attempt,
  outcome: outcomeWords[outcome._tag],
  detail: detailOf(outcome)?.slice(0, 500) ?? null,
  endedAt: at
})

const detailOf = (outcome: SendOutcome): string | null => {
  switch (outcome._tag) {
    case "Sent":
      return outcome.externalId
    case "Waiting":
      return "not_connected"
    case "AlreadyPending":
      return "already_pending"
    case "AlreadyConnected":
      return "already_connected"
    case "Retry":
    case "Unknown":
      return outcome.detail
    case "Rejected":
    case "AccountDown":
      return outcome.providerCode
  }
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
  const attempt = attemptAfter(claim.attempt, outcome, at)
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
