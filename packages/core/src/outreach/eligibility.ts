/**
 * When may it leave? The one answer for messages, invitations, emails and other uses of an account: claims, the queue, forecasts
 * and the review page ask here.
 *
 * Pure. A fact that is left out holds nothing back, so that everybody asks with the facts they have.
 */

import type { TextRules } from "../kernel/command/Permission.ts"
import { WrongState } from "../kernel/failure/failures.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import type { LeadSuppressed } from "../leads/failures.ts"
import { isFollowUpOver } from "../leads/followUp.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import { type MissionStatus, refuseArchived } from "../missions/MissionStatus.ts"
import { type ApprovalChange, changedWords } from "./approval.ts"
import { refuseUndisclosed, type Wording } from "./disclosure.ts"
import { type GateRefusal, NoLinkedinAccount } from "./failures.ts"
import { type AccountHold, horizonOf, openingFrom, type PaceFacts, type Uses } from "./pacing/Pacing.ts"
import { capsChangeAt, limitResetsAt, rulesOf, type UsageAction } from "./pacing/UsageLimits.ts"
import type { AccountStatus } from "./provider/LinkedInAccount.ts"
import type { QueueReason } from "./reasons.ts"
import { retryAccountAt, retryBusyAt } from "./SendOptions.ts"

/** What the decision to send was based on: a later reply, or a later change to NotInterested, revokes it. */
export interface Decision {
  readonly at: string | null
  readonly leadStatus?: LeadStatus
}

/** What decides. The lead is held while a claim reads them. */
export interface Facts {
  /** What limits count. */
  readonly action?: UsageAction
  /** True for send_now: neither a paused mission nor hours, rests and limits hold it. */
  readonly bypass?: boolean
  readonly lead?: {
    readonly status: LeadStatus
    readonly lastInboundAt: InstantText | null
    readonly awayUntil?: InstantText | null
  }
  readonly suppressed?: LeadSuppressed | undefined
  readonly mission?: { readonly status: MissionStatus } | null
  readonly agent?: { readonly handle: string; readonly deleted: boolean }
  /** False when the agent has no account to send it with. */
  readonly hasAccount?: boolean
  /** What is no longer as it was approved. */
  readonly changed?: ReadonlyArray<ApprovalChange>
  /** Whether the organization requires the sender's domain to be set up, and it is not. */
  readonly isUnauthenticated?: boolean
  /** Whether it is the first contact of a lead without the lawful basis that the organization requires. */
  readonly isBasisMissing?: boolean
  /** What the organization requires of texts, and the text. */
  readonly rules?: TextRules
  readonly wording?: Wording
  readonly decided?: Decision
  /**
   * Of a follow-up: from when its days count, and, after another message to the lead, when they are over again. Neither its
   * approval nor send_now changes that.
   */
  readonly followUp?: { readonly since: InstantText; readonly dueAt: InstantText | null } | undefined
  /** When waiting for a connection ends. */
  readonly expiresAt?: InstantText | null
  readonly accountStatus?: AccountStatus
  /** Whether people send it, whether nothing may be sent at all, and whether another message to the lead is being sent. */
  readonly isManual?: boolean
  readonly isHeld?: boolean
  readonly isBusy?: boolean
  /** The time of its next attempt, and why not earlier. */
  readonly notBefore?: InstantText | null
  readonly reason?: QueueReason | null
  /** False where hours, rests and limits are switched off. */
  readonly paced?: boolean
  readonly hold?: AccountHold
  readonly hours?: Pick<PaceFacts, "timezone" | "workingHours">
  readonly leadTimezone?: string | null
  /** Without them, what the last claim found is in `hold`. */
  readonly uses?: Uses
}

/** It must not leave as things are. `action` says what becomes of it: it is cancelled, returns to review, or fails. */
export interface Refused {
  readonly _tag: "No"
  readonly reason: QueueReason
  readonly action: "cancel" | "review" | "fail"
  readonly failure: GateRefusal
}

/** Not before `when`, which is null if only a person can change it. `isAccountHeld`: the same holds for all that its account sends. */
export interface Later {
  readonly _tag: "Later"
  readonly reason: QueueReason
  readonly when: InstantText | null
  readonly isAccountHeld: boolean
}

/** The answer at an instant. */
type Eligibility = { readonly _tag: "Now" } | Later | Refused

type Check = (facts: Facts, at: InstantText) => Eligibility | undefined

const no = (reason: QueueReason, action: Refused["action"], failure: GateRefusal): Refused => ({
  _tag: "No",
  reason,
  action,
  failure
})

const wrong = (reason: QueueReason, message: string, action: Refused["action"] = "review"): Refused =>
  no(reason, action, new WrongState({ message }))

const meanwhile = (reason: QueueReason, what: string): Refused =>
  wrong(reason, `The lead ${what} after this was approved. Check the conversation and decide again.`)

const later = (reason: QueueReason, when: InstantText | null, isAccountHeld = false): Later => ({
  _tag: "Later",
  reason,
  when,
  isAccountHeld
})

/** Later, if the instant is still to come. */
const until = (reason: QueueReason, when: InstantText | null | undefined, at: InstantText, isAccountHeld = false) =>
  when !== null && when !== undefined && when > at ? later(reason, when, isAccountHeld) : undefined

/** When the provider's refusal of an action ends. */
const stopped = ({ action, hold }: Facts): InstantText | null | undefined =>
  action === "message" ? hold?.message.stoppedUntil : hold?.invitation.stoppedUntil

// The order is the priority: everything that refuses comes first.
const checks: ReadonlyArray<Check> = [
  // A suppression may expire or be lifted; only DoNotContact cancels permanently.
  ({ lead, suppressed }) =>
    suppressed && no("lead_suppressed", lead?.status === "DoNotContact" ? "cancel" : "review", suppressed),
  ({ followUp, lead }) =>
    followUp && lead && isFollowUpOver(lead, followUp.since)
      ? wrong("follow_up_over", "The lead replied, or has a status that ends follow-ups.", "cancel")
      : undefined,
  ({ mission }) => {
    const open = mission ? refuseArchived(mission.status, "send") : undefined
    return open?._tag === "Failure" ? no("mission_archived", "review", open.failure) : undefined
  },
  ({ agent, hasAccount = true }) => {
    if (agent === undefined || (hasAccount && !agent.deleted)) return undefined
    const message = agent.deleted
      ? `Agent ${agent.handle} was deleted with its LinkedIn account. Draft the message again with another agent.`
      : `Agent ${agent.handle} has no account to send this with. Link one with linkedin.account.link first.`
    return no("no_account", "fail", new NoLinkedinAccount({ message }))
  },
  ({ changed = [] }) => {
    const [reason] = changed
    return reason && wrong(reason, `After this was approved, ${changedWords(changed)}. Read it again, then approve it.`)
  },
  ({ decided, lead }) =>
    decided?.at && lead?.lastInboundAt && lead.lastInboundAt > decided.at
      ? meanwhile("lead_replied", "replied")
      : undefined,
  ({ lead, rules, wording }) => {
    const undisclosed = lead && rules && wording && refuseUndisclosed(rules, lead, wording)
    return undisclosed && no("no_disclosure", "review", undisclosed)
  },
  ({ decided, lead }) =>
    decided?.leadStatus !== undefined && decided.leadStatus !== "NotInterested" && lead?.status === "NotInterested"
      ? meanwhile("lead_not_interested", "became NotInterested")
      : undefined,
  ({ expiresAt }, at) =>
    expiresAt && expiresAt <= at ? wrong("relation_timeout", "The person did not connect in time.", "fail") : undefined,
  ({ followUp }, at) => until("follow_up_early", followUp?.dueAt, at),
  ({ isBasisMissing }) => (isBasisMissing ? later("no_lawful_basis", null) : undefined),
  ({ bypass, mission }) =>
    !bypass && mission && mission.status !== "ACTIVE" ? later("mission_paused", null) : undefined,
  ({ bypass, lead }, at) => (bypass ? undefined : until("lead_away", lead?.awayUntil, at)),
  ({ isManual }) => (isManual ? later("by_hand", null) : undefined),
  ({ accountStatus = "OK" }, at) => (accountStatus === "OK" ? undefined : later("account_down", retryAccountAt(at))),
  ({ isUnauthenticated }) => (isUnauthenticated ? later("domain_unauthenticated", null) : undefined),
  ({ isHeld }) => (isHeld ? later("sending_held", null) : undefined),
  ({ isBusy }, at) => (isBusy ? later("lead_busy", retryBusyAt(at)) : undefined),
  ({ notBefore, reason }, at) => until(reason ?? "hold", notBefore, at),
  (facts, at) => until("limit", stopped(facts), at)
]

/** What holds everything but send_now, where limits are kept. */
const paceChecks: ReadonlyArray<Check> = [
  // The agent's own hours hold the account; the lead's hold what goes to the lead alone.
  ({ hours }, at) => hours && until("outside_hours", openingFrom(hours, undefined, at), at, true),
  ({ hours, leadTimezone }, at) =>
    hours && leadTimezone ? until("outside_hours", openingFrom(hours, leadTimezone, at), at) : undefined,
  ({ action, uses }, at) => {
    if (action === undefined || uses === undefined) return undefined
    for (const { caps, counts } of rulesOf(uses, action, at)) {
      const times = uses.done.flatMap((use) => (counts.includes(use.action) ? [use.at] : []))
      // Invitations without a note may be sent although those with one have reached their limit.
      const held = until("usage_limit", limitResetsAt(times, caps, at), at, action !== "invitation_with_note")
      if (held !== undefined) return held
    }
    return undefined
  },
  ({ action, hold, uses }, at) => {
    const found = uses === undefined ? hold?.[action === "message" ? "message" : "invitation"] : undefined
    return found && until(found.pacedReason ?? "spacing", found.pacedUntil, at, true)
  },
  ({ hold }, at) => until("spacing", hold?.nextAt, at, true)
]

const allChecks: ReadonlyArray<Check> = [...checks, ...paceChecks]

/** Whether it may leave at an instant, and otherwise why not and when to ask again. At that time it never says an earlier one. */
export const eligibility = (facts: Facts, at: InstantText): Eligibility => {
  const isPaced = facts.bypass !== true && facts.paced !== false
  for (const check of isPaced ? allChecks : checks) {
    const answer = check(facts, at)
    if (answer !== undefined) return answer
  }
  return { _tag: "Now" }
}

/** Why it must not leave at all; undefined when it may, now or later. */
export const refusalOf = (facts: Facts, at: InstantText): Refused | undefined => {
  const answer = eligibility(facts, at)
  return answer._tag === "No" ? answer : undefined
}

/** When it leaves if nothing else happens; undefined if a person must act, or if that is not before the horizon. */
export const leavesAt = (facts: Facts, from: InstantText, horizon = horizonOf(from)): InstantText | undefined => {
  for (let at = from; at < horizon; ) {
    const answer = eligibility(facts, at)
    if (answer._tag === "Now") return at
    if (answer._tag === "No" || answer.when === null) return undefined
    // Limits are raised with the date and with the weeks of the ramp-up.
    const { reason, when } = answer
    const changesAt = reason === "usage_limit" && facts.uses ? capsChangeAt(facts.uses, at) : when
    at = changesAt < when ? changesAt : when
  }
  return undefined
}
