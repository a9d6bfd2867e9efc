/**
 * Claims, and starting a transmission with a LinkedIn account, the same for messages and invitations: reads what decides under the account's
 * lock, then stores the start, or holds the account.
 */

import * as Effect from "effect/Effect"
import type { Lease } from "../kernel/background/Worker.ts"
import { emit } from "../kernel/command/Execution.ts"
import type { NotFound, StoreEffect, StoreFailure } from "../kernel/failure/failures.ts"
import { changedAt, type InstantText, now } from "../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import { apply, type SettleNeeds } from "./carryOut.ts"
import type { DraftView } from "./DraftsRepo.ts"
import { eligibility, type Facts, type Refused, refusalOf } from "./eligibility.ts"
import type { AccountDisconnected } from "./failures.ts"
import type { Events, Life } from "./Life.ts"
import { paceOf } from "./pacing/Pacing.ts"
import * as Limits from "./pacing/UsageLimits.ts"
import { AccountsRepo } from "./provider/AccountsRepo.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { accountDisconnected, LinkedInGateway } from "./provider/LinkedInGateway.ts"
import type { Confirmed, Recipient, RefusalKind, Relation, SendResult } from "./provider/ProviderReads.ts"
import type { QueueReason } from "./reasons.ts"
import { isSendingHeld, SendOptions, secondsAfter, secondsBefore } from "./SendOptions.ts"
import { actionOf, type Invitation, type LinkedInTransmission, type Message } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The text, when it was sent to the provider, and the messages of other drafts. */
export interface SoughtMessage {
  readonly text: string
  readonly startedAt: InstantText
  readonly others: ReadonlySet<string>
}

/** The claim: `row` is in state `sending`, and `attempt` is stored without an outcome. */
export interface LinkedInClaim<Row extends LinkedInTransmission = LinkedInTransmission> {
  readonly row: Row
  /** The lease under which it is transmitted. */
  readonly lease: Lease
  readonly attempt: Limits.SendAttempt
  readonly account: LinkedInAccount
  readonly recipient: Recipient
  /** True for a command, whose caller hears of a refusal; a refusal of the dispatcher's puts a draft under review. */
  readonly isFromCommand: boolean
  /** What a conversation shows where it left already: of a message that is older than the last release of a hold. */
  readonly sought: SoughtMessage | undefined
  /** That of its lead when it was claimed. */
  readonly leadStatus: LeadStatus
}

/** The claim of a message. */
export interface MessageClaim extends LinkedInClaim<Message> {
  /** Draft and message as they were before; `item` is null when nothing live carried the draft. */
  readonly before: NonNullable<Events["Fail"]["before"]>
  /** The draft as stored with the claim. */
  readonly view: DraftView
}

/** The claim of an invitation. */
export type InvitationClaim = LinkedInClaim<Invitation>

/** What became of a claim, with what the provider said of account and person; undefined when that was not heard. */
export type SendOutcome = { readonly relation: Relation | undefined } & (
  | { readonly _tag: "Sent"; readonly messageId: string | null; readonly externalId: string | null }
  /** Not connected, so a message waits. `invitation`: whether one is open already, or one is to be made. */
  | { readonly _tag: "Waiting"; readonly invitation: "none" | "pending" | "wanted" }
  /** An invitation was there before, or is not needed. */
  | { readonly _tag: "AlreadyPending" }
  | { readonly _tag: "AlreadyConnected" }
  | Exclude<SendResult, Confirmed>
)

const words = {
  Sent: { attempt: "confirmed", detail: "sent" },
  Waiting: { attempt: "refused", detail: "waiting_relation" },
  AlreadyPending: { attempt: "refused", detail: "already_pending" },
  AlreadyConnected: { attempt: "refused", detail: "already_connected" },
  Unavailable: { attempt: "unavailable", detail: "retry" },
  Unknown: { attempt: "unknown", detail: "unknown" }
} as const

/** Whether a refusal passes by itself, and whether it is about the account. */
export const isTemporary = (kind: RefusalKind) => kind === "limit" || kind === "transient"
export const isOfAccount = (kind: RefusalKind) => kind === "account_down" || kind === "account_restricted"

/** How an attempt is stored, and what is counted of the outcome. */
export const wordsOf = (
  outcome: SendOutcome
): { readonly attempt: Limits.SendAttempt["outcome"]; readonly detail: string } => {
  if (outcome._tag !== "Refused") return words[outcome._tag]
  if (isTemporary(outcome.kind)) return words.Unavailable
  return { attempt: "refused", detail: isOfAccount(outcome.kind) ? "account_down" : "rejected" }
}

/** How to start. */
interface StartOptions extends Pick<LinkedInClaim, "isFromCommand" | "leadStatus"> {
  /** The fence of the lease; undefined for a command, which takes it over. */
  readonly fence?: number | undefined
  /** False when the account just started to pause, for the message; otherwise it pauses afterwards. */
  readonly rests?: boolean
  /** Whom it was approved for. */
  readonly recipient: ReadonlyArray<Identity>
  /** Stores the row as it must be before the start. */
  readonly prepare?: StoreEffect<void>
}

type StartFailure = AccountDisconnected | NotFound | StoreFailure

/** Claimed under a lease; or it waits; or it must not be sent; or it is left as it is: to another process, or to its mission. */
type StartResult<Row extends LinkedInTransmission> =
  | { readonly _tag: "Claim"; readonly claim: LinkedInClaim<Row> }
  | { readonly _tag: "Queued"; readonly life: Life; readonly reason: QueueReason; readonly until: InstantText | null }
  | Refused
  | { readonly _tag: "Lost" }

/** Rules, hours and limits may be changed meanwhile, so what they hold is looked at again this soon. */
const recheckSeconds = 600

/**
 * Starts a transmission whose lead is held, or says that it waits. `gate` is what the gate reads; `account` what the agent has now.
 * Fails with ACCOUNT_DISCONNECTED for a command.
 */
export const startTransmission = Effect.fnUntraced(function* <Row extends LinkedInTransmission>(
  { draft, row }: Life & { readonly row: Row },
  account: LinkedInAccount | undefined,
  gate: Facts,
  { fence, isFromCommand, leadStatus, prepare = Effect.void, recipient: identities, rests = true }: StartOptions
): Effect.fn.Return<StartResult<Row>, StartFailure, AccountsRepo | LinkedInGateway | SettleNeeds> {
  const { bypass, id, kind, leadId, organizationId } = row
  const { accountFacts, begin, holdAccount, person } = yield* TransmissionsRepo
  const { leaseSeconds, pacing: paced } = yield* SendOptions
  const at = yield* now
  const refused = refusalOf(gate, at)
  if (refused !== undefined) return refused
  if (account === undefined) return { _tag: "Lost" }
  yield* (yield* AccountsRepo).ensure(account)
  const action = actionOf(row)
  const { actions, seconds } = Limits.countedFor(action)
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
  if (answer._tag === "No") return answer
  if (answer._tag === "Later") {
    const { isAccountHeld: isHeld, reason, when } = answer
    if (reason === "mission_paused") return { _tag: "Lost" }
    if (isFromCommand && reason === "account_down") return yield* accountDisconnected(account)
    if (isHeld && when !== null) {
      const again = secondsAfter(at, recheckSeconds)
      const hold = { reason, until: when, recheckAt: when < again ? when : again }
      yield* holdAccount(organizationId, account.id, kind, hold)
      if (reason === "usage_limit" && read.account?.[kind].pacedReason !== "usage_limit") {
        const data = { agent_id: account.agentId, action: kind, until: when }
        yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
      }
    }
    // Where the account is held, it stays due, and the account is looked at again.
    const again = reason === "no_lawful_basis" ? secondsAfter(at, recheckSeconds) : at
    const until = kind === "invitation" && reason === "by_hand" ? null : (when ?? again)
    const notBefore = isHeld ? (row.notBefore ?? at) : until
    return {
      _tag: "Queued",
      life: yield* apply({ draft, row }, { _tag: "Wait", reason, notBefore, isHeld }, at),
      reason,
      until
    }
  }
  yield* prepare
  const attempt = Limits.newAttempt(account, action, id, row.attempts + 1, at)
  const updatedAt = changedAt(row.updatedAt, at)
  const gapSeconds = rests && paced && read.account !== null ? Limits.gapAfter(id, read.account.smart) : null
  const begun = yield* begin({ attempt, updatedAt, fence, gapSeconds, leaseSeconds })
  if (begun === undefined) return { _tag: "Lost" }
  const { relation } = yield* person(organizationId, account.id, leadId)
  const sending = { state: "sending", reason: null, notBefore: null, attempts: attempt.number, fence: begun } as const
  return {
    _tag: "Claim",
    claim: {
      row: { ...row, ...sending, updatedAt },
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

/** The share of a limit that is told of. */
const threshold = 0.8

/**
 * States `usage.threshold_reached` for each window in which a transmission was the one that reached four fifths of the
 * limit. Nothing is limited, and nothing told, without pacing.
 */
export const announceUsage = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  { action, organizationId, startedAt }: Limits.SendAttempt
) {
  const { pacing } = yield* SendOptions
  if (!pacing) return
  const since = secondsBefore(startedAt, Limits.windowMillis.week / 1_000)
  const filter = { gateway: account.gateway, accountId: account.id }
  const [usage] = yield* (yield* TransmissionsRepo).usage(organizationId, filter, since)
  if (usage === undefined) return
  const earlier = usage.done.flatMap((done) =>
    Limits.countedAs[action].includes(done.action) && done.at < startedAt ? [done.at] : []
  )
  const caps = Limits.capsOf(usage, action, startedAt)
  for (const window of ["day", "week"] as const) {
    const limit = caps[window]
    if (limit === null) continue
    const used = Limits.usesWithin(earlier, window, startedAt).length + 1
    if (used - 1 >= limit * threshold || used < limit * threshold) continue
    const data = { agent_id: account.agentId, action, window, used, limit }
    yield* emit({ type: "usage.threshold_reached", subject: { type: "account", id: account.id }, data })
  }
})
