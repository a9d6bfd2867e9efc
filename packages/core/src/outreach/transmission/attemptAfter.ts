/** A transmission of a message or an invitation as it is kept once its outcome is known to us. */
import type { SendOutcome } from "./Claim.ts"
import type { SendAttempt } from "./SendAttempt.ts"

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
export const attemptAfter = (attempt: SendAttempt, outcome: SendOutcome, at: string): SendAttempt => ({
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
