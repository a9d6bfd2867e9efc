/**
 * Starting a transmission with a LinkedIn account, the same for messages and invitations: checks account, person, hours and
 * limits, then stores the start in one statement.
 */

import * as Effect from "effect/Effect"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { Recipient } from "../provider/SendResult.ts"
import { holdAccount, paceOf } from "./pacing/paceSend.ts"
import type { SendAttempt } from "./SendAttempt.ts"
import { isSendingHeld } from "./SendingHold.ts"
import { retryAccountAt, retryBusyAt, SendOptions } from "./SendOptions.ts"
import { actionOf, type LinkedInTransmission, type QueueReason } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** How to start. */
interface StartOptions {
  /** The fence of the lease; undefined for a command, which takes it over. */
  readonly fence: number | undefined
  /** Whether the account pauses afterwards; false when it just started to, for the message. */
  readonly rests: boolean
  /** Whom it was approved for. */
  readonly recipient: ReadonlyArray<Identity>
  /** Stores the row as it must be before the start. */
  readonly prepare: Effect.Effect<void, StoreFailure>
}

/** Started under a lease; or it waits, alone or with its account; or another process took it. */
type StartResult =
  | {
      readonly _tag: "Started"
      readonly attempt: SendAttempt
      readonly fence: number
      readonly recipient: Recipient
    }
  | { readonly _tag: "Waits"; readonly reason: QueueReason; readonly until: string; readonly isAccountHeld: boolean }
  | { readonly _tag: "Lost" }

const waits = (reason: QueueReason, until: string): StartResult => ({
  _tag: "Waits",
  reason,
  until,
  isAccountHeld: false
})

/** Starts a transmission whose lead is locked and which passed the gate. */
export const startTransmission = Effect.fnUntraced(function* (
  row: LinkedInTransmission,
  account: LinkedInAccount,
  { fence, prepare, recipient: identities, rests }: StartOptions
): Effect.fn.Return<StartResult, StoreFailure, AccountsRepo | Execution | LinkedInGateway | TransmissionsRepo> {
  const { id, kind, leadId, organizationId, updatedAt } = row
  const { begin, isBusy, person } = yield* TransmissionsRepo
  const at = yield* now
  yield* (yield* AccountsRepo).ensure(account)
  if (account.status !== "OK") return waits("account_down", retryAccountAt(at))
  // A person sends it, at any hour, and it is never leased.
  if ((yield* LinkedInGateway).isManual === true) return waits("by_hand", at)
  if (yield* isSendingHeld) return waits("sending_held", at)
  if (yield* isBusy(organizationId, leadId, id)) return waits("lead_busy", retryBusyAt(at))
  const hold = (reason: QueueReason, until: string) =>
    Effect.as(holdAccount(account, kind, reason, until, at), {
      _tag: "Waits",
      reason,
      until,
      isAccountHeld: true
    } as const)
  const pace = yield* paceOf(row, account, at)
  if ("opensAt" in pace) {
    return yield* pace.isLeadOnly
      ? Effect.succeed(waits("outside_hours", pace.opensAt))
      : hold("outside_hours", pace.opensAt)
  }
  yield* prepare
  const action = actionOf(row)
  const attempt: SendAttempt = {
    organizationId,
    queueItemId: id,
    number: row.attempts + 1,
    accountId: account.id,
    action,
    outcome: null,
    detail: null,
    startedAt: at,
    endedAt: null
  }
  const { leaseSeconds } = yield* SendOptions
  const gapSeconds = rests ? pace.gapSeconds : null
  const begun = yield* begin({ attempt, updatedAt, fence, rules: pace.rules, gapSeconds, leaseSeconds })
  if (begun._tag === "Lost") return begun
  if (begun._tag === "Held") {
    const { reason, until } = begun
    // Invitations without a note may be sent although those with one have reached their limit; a hold is not the account's.
    const isAlone =
      reason === "limit" || reason === "sending_held" || (reason === "usage_limit" && action === "invitation_with_note")
    return yield* isAlone ? Effect.succeed(waits(reason, until)) : hold(reason, until)
  }
  const { relation } = yield* person(organizationId, account.id, leadId)
  const recipient = { leadId, identities, invitedAt: relation?.invitedAt ?? null }
  return { _tag: "Started", attempt, fence: begun.fence, recipient }
})
