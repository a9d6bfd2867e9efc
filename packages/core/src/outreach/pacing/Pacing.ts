/** What holds an account back: the facts that are stored of it, and what they mean at an instant. */

import { horizonDays, nextOpening, type WorkingHours } from "../../agents/WorkingHours.ts"
import { type AccountId, type InstantText, isoFromMillis } from "../../kernel/schema/IdsAndTime.ts"
import type { LinkedInTier } from "../provider/LinkedInAccount.ts"
import type { QueueReason } from "../reasons.ts"
import type { Allowance, LimitOverrides, UsageAction } from "./UsageLimits.ts"

/** Until when what an account sends of a kind is held, and why. All null when it is not. */
interface KindHold {
  readonly pacedUntil: string | null
  readonly pacedReason: QueueReason | null
  /** When to ask again, which may be before `pacedUntil`: hours and limits may have been changed. */
  readonly recheckAt: InstantText | null
  /** Until when the provider refuses it. */
  readonly stoppedUntil: string | null
}

/** What holds an account. `nextAt` is the end of the rest after what it sent last. */
export interface AccountHold extends Readonly<Record<"message" | "invitation", KindHold>> {
  readonly nextAt: InstantText | null
}

const free: KindHold = { pacedUntil: null, pacedReason: null, recheckAt: null, stoppedUntil: null }

/** What is stored of an account's pace. */
export interface AccountPace extends AccountHold {
  readonly limits: LimitOverrides
  readonly ramp: boolean
}

/** An account that nobody changed anything of, and that nothing holds. */
export const freshPace: AccountPace = {
  nextAt: null,
  message: free,
  invitation: free,
  limits: {},
  ramp: true
}

/** An account with its agent's wishes. */
export interface PaceFacts extends AccountPace {
  readonly accountId: AccountId
  readonly tier: LinkedInTier
  readonly createdAt: InstantText
  readonly timezone: string
  readonly workingHours: WorkingHours
  readonly smart: boolean
}

/** What limits count: the confirmed, unknown and running uses of an account, oldest first. */
export interface Uses extends Allowance {
  readonly done: ReadonlyArray<{ readonly action: UsageAction; readonly at: InstantText }>
}

/** A stored account as facts of what it sends. */
export const paceOf = (account: PaceFacts & Uses) => ({ hold: account, hours: account, uses: account })

/** The end of the 370 days from `at` on that are looked at. */
export const horizonOf = (at: string): InstantText => isoFromMillis(Date.parse(at) + horizonDays * 86_400_000)

/**
 * The first instant from `at` on within the agent's working hours, and the lead's where the agent says so: `at` itself when it
 * is, and the horizon if there is none before.
 */
export const openingFrom = (
  { timezone, workingHours }: Pick<PaceFacts, "timezone" | "workingHours">,
  leadTimezone: string | undefined,
  at: string
): string => {
  const opening = nextOpening(workingHours, timezone === "" ? "UTC" : timezone, Date.parse(at), leadTimezone)
  return opening === undefined ? horizonOf(at) : isoFromMillis(opening)
}
