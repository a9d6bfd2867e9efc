/** What to do after a failed or unknown outcome; the same for messages and invitations. */

import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"

import type { InstantText } from "../../kernel/schema/RecordIds.ts"
import type { TransmissionFailure } from "../failures.ts"
import { GatewayRejected } from "../failures.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import { accountDisconnected } from "../provider/resolveAccount.ts"
import type { FailedOutcome, LinkedInClaim } from "./Claim.ts"
import type { QueueReason } from "./reasons.ts"
import { maxFailures, retryAccountAt, retryAt } from "./SendOptions.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Retry it, end it, or look it up. `failure` is for the caller. */
type FollowUp =
  | { readonly _tag: "Again"; readonly reason: QueueReason; readonly notBefore: InstantText; readonly failures: number }
  | {
      readonly _tag: "Over"
      readonly reason: QueueReason
      readonly detail: string
      readonly failure: TransmissionFailure | undefined
    }
  | { readonly _tag: "Unknown"; readonly detail: string }

/** How long a limit of the provider stops an action, unless the provider says. */
const limitSeconds = 86_400

const rejection = (what: string, kind: string, providerCode: string): GatewayRejected =>
  new GatewayRejected({
    message:
      `LinkedIn's provider refused the ${what} (${kind}, provider=${providerCode.slice(0, 100)}). Nothing was sent` +
      `${what === "message" ? " and the draft is unchanged. Check the recipient" : ". Check the person"} before retrying.`
  })

/**
 * Decides after `failures` earlier failures in a row. Stops the action or updates the account's status if the response says
 * so; only the dispatcher retries when the account is down.
 */
export const afterFailure = Effect.fnUntraced(function* (
  { account, isFromCommand, row: { kind: what } }: LinkedInClaim,
  failures: number,
  outcome: FailedOutcome,
  at: string
): Effect.fn.Return<FollowUp, StoreFailure, AccountsRepo | Execution | TransmissionsRepo> {
  const { organizationId } = account
  switch (outcome._tag) {
    case "Retry": {
      const { adviceSeconds, detail, reason } = outcome
      if (reason === "limit") {
        const until = retryAt(at, 1, adviceSeconds ?? limitSeconds)
        yield* (yield* TransmissionsRepo).stop(organizationId, account.id, what, until)
        return { _tag: "Again", reason, notBefore: until, failures }
      }
      const counted = failures + 1
      if (counted >= maxFailures) return { _tag: "Over", reason, detail, failure: undefined }
      return { _tag: "Again", reason, notBefore: retryAt(at, counted, adviceSeconds), failures: counted }
    }
    case "Rejected": {
      const { kind, providerCode } = outcome
      return { _tag: "Over", reason: kind, detail: providerCode, failure: rejection(what, kind, providerCode) }
    }
    case "AccountDown": {
      const { kind, providerCode } = outcome
      const status = kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      if (yield* (yield* AccountsRepo).setStatus(organizationId, account.id, status, at)) {
        const data = { agent_id: account.agentId, from: account.status, to: status, provider_code: providerCode }
        yield* emit({ type: "account.status_changed", subject: { type: "account", id: account.id }, data })
      }
      if (!isFromCommand) return { _tag: "Again", reason: kind, notBefore: retryAccountAt(at), failures }
      return { _tag: "Over", reason: kind, detail: providerCode, failure: accountDisconnected({ ...account, status }) }
    }
    case "Unknown":
      return { _tag: "Unknown", detail: outcome.detail }
  }
})
