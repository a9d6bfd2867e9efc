/**
 * Starting a transmission with a LinkedIn account, the same for messages and invitations: reads what decides under the account's
 * lock, then stores the start, or holds the account.
 */

import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { LinkedInClaim } from "./Claim.ts"
import { eligibility, type Facts, type Later, type Refused, refusalOf } from "./eligibility.ts"
import { paceOf } from "./pacing/Pacing.ts"
import { countedFor, gapAfter } from "./pacing/UsageLimits.ts"
import { newAttempt } from "./SendAttempt.ts"
import { isSendingHeld } from "./SendingHold.ts"
import { SendOptions, secondsAfter, secondsBefore } from "./SendOptions.ts"
import { actionOf, type LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** How to start. */
export interface StartOptions extends Pick<LinkedInClaim, "isFromCommand" | "leadStatus"> {
  /** The fence of the lease; undefined for a command, which takes it over. */
  readonly fence?: number | undefined
  /** False when the account just started to pause, for the message; otherwise it pauses afterwards. */
  readonly rests?: boolean
  /** Whom it was approved for. */
  readonly recipient: ReadonlyArray<Identity>
  /** Stores the row as it must be before the start. */
  readonly prepare?: Effect.Effect<void, StoreFailure>
}

/** Claimed under a lease; or it waits; or it must not be sent; or it is left as it is: to another process, or to its mission. */
type StartResult<Row extends LinkedInTransmission> =
  | { readonly _tag: "Claim"; readonly claim: LinkedInClaim<Row> }
  | Later
  | Refused
  | { readonly _tag: "Lost" }

/** Hours and limits may be changed meanwhile, so a held account is looked at again this soon. */
const recheckSeconds = 600

/** Starts a transmission whose lead is held. `gate` is what the gate reads; `account` what the agent has now. */
export const startTransmission = Effect.fnUntraced(function* <Row extends LinkedInTransmission>(
  row: Row,
  account: LinkedInAccount | undefined,
  gate: Facts,
  { fence, isFromCommand, leadStatus, prepare = Effect.void, recipient: identities, rests = true }: StartOptions
): Effect.fn.Return<StartResult<Row>, StoreFailure, AccountsRepo | Execution | LinkedInGateway | TransmissionsRepo> {
  const { bypass, id, kind, leadId, organizationId, updatedAt } = row
  const { accountFacts, begin, holdAccount, person } = yield* TransmissionsRepo
  const { leaseSeconds, pacing: paced } = yield* SendOptions
  const at = yield* now
  const refused = refusalOf(gate, at)
  if (refused !== undefined) return refused
  if (account === undefined) return { _tag: "Lost" }
  yield* (yield* AccountsRepo).ensure(account)
  const action = actionOf(row)
  const { actions, seconds } = countedFor(action)
  const read = yield* accountFacts({
    organizationId,
    accountId: account.id,
    actions,
    since: secondsBefore(at, seconds),
    isLocked: paced,
    item: { id, leadId }
  })
  const facts: Facts = {
    ...gate,
    ...(read.account && paceOf(read.account)),
    action,
    bypass,
    paced,
    leadTimezone: read.leadTimezone,
    accountStatus: account.status,
    isManual: (yield* LinkedInGateway).isManual === true,
    isHeld: read.isHeld || (yield* isSendingHeld),
    isBusy: read.isBusy
  }
  const answer = eligibility(facts, at)
  if (answer._tag === "Later" && answer.reason === "mission_paused") return { _tag: "Lost" }
  if (answer._tag === "Later" && answer.isAccountHeld && answer.when !== null) {
    const { reason, when: until } = answer
    const again = secondsAfter(at, recheckSeconds)
    yield* holdAccount(organizationId, account.id, kind, { reason, until, recheckAt: until < again ? until : again })
    if (reason === "usage_limit" && read.account?.[kind].pacedReason !== "usage_limit") {
      const data = { agent_id: account.agentId, action: kind, until }
      yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
    }
  }
  if (answer._tag !== "Now") return answer
  yield* prepare
  const attempt = newAttempt(account, action, id, row.attempts + 1, at)
  const gapSeconds = rests && paced && read.account !== null ? gapAfter(id, read.account.smart) : null
  const begun = yield* begin({ attempt, updatedAt, fence, gapSeconds, leaseSeconds })
  if (begun === undefined) return { _tag: "Lost" }
  const { relation } = yield* person(organizationId, account.id, leadId)
  const started = { state: "sending", reason: null, notBefore: null, attempts: attempt.number, fence: begun } as const
  return {
    _tag: "Claim",
    claim: {
      row: { ...row, ...started },
      lease: { organizationId, id, fence: begun },
      attempt,
      account,
      recipient: { leadId, identities, invitedAt: relation?.invitedAt ?? null },
      isFromCommand,
      sought: undefined,
      leadStatus
    }
  }
})
