/** What holds an account back: the facts that are stored of it, and what they mean at an instant. */

import { horizonDays, isOpen, nextOpening, type WorkingHours } from "../../../agents/WorkingHours.ts"
import type { AccountId, InstantText } from "../../../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../../../kernel/schema/Time.ts"
import type { LinkedInTier } from "../../provider/LinkedInAccount.ts"
import type { LinkedInTransmission, QueueReason } from "../Transmission.ts"
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
export interface AccountHold extends Readonly<Record<LinkedInTransmission["kind"], KindHold>> {
  readonly nextAt: InstantText | null
}

const free: KindHold = { pacedUntil: null, pacedReason: null, recheckAt: null, stoppedUntil: null }

/** What is stored of an account's pace. */
export interface AccountPace extends AccountHold {
  readonly limits: LimitOverrides
  readonly ramp: boolean
  readonly servedAt: InstantText | null
}

/** An account that nobody changed anything of, and that nothing holds. */
export const freshPace: AccountPace = {
  nextAt: null,
  message: free,
  invitation: free,
  limits: {},
  ramp: true,
  servedAt: null
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

/** The part that limits depend on. */
export const allowanceOf = (facts: PaceFacts): Allowance => facts

/** When the provider's refusal of an action ends; null when there is none. */
export const stoppedUntil = (hold: AccountHold, action: UsageAction): string | null =>
  action === "message"
    ? hold.message.stoppedUntil
    : action === "invitation" || action === "invitation_with_note"
      ? hold.invitation.stoppedUntil
      : null

/**
 * The first instant from `at` on within the agent's working hours, and the lead's where the agent says so: `at` itself when
 * it is, undefined if there is none within 370 days.
 */
export const nextOpeningFrom = (
  { timezone, workingHours }: Pick<PaceFacts, "timezone" | "workingHours">,
  leadTimezone: string | undefined,
  at: string
): string | undefined => {
  const millis = Date.parse(at)
  const zone = timezone === "" ? "UTC" : timezone
  if (isOpen(workingHours, zone, millis, leadTimezone)) return at
  const opening = nextOpening(workingHours, zone, millis, leadTimezone)
  return opening === undefined ? undefined : isoFromMillis(opening)
}

/** The end of the 370 days from `at` on that are looked at. */
export const horizonOf = (at: string): InstantText => isoFromMillis(Date.parse(at) + horizonDays * 86_400_000)

/** {@link nextOpeningFrom}; hours that never open are looked at again 370 days later. */
export const openingFrom = (
  facts: Pick<PaceFacts, "timezone" | "workingHours">,
  leadTimezone: string | undefined,
  at: string
): string => nextOpeningFrom(facts, leadTimezone, at) ?? horizonOf(at)
