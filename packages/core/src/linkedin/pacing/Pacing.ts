/**
 * What holds an account's messages back: the facts that are stored of it, and what they mean at an instant.
 *
 * Source: G6, G7, G39; contract 7 "Sending".
 */
import { horizonDays, isOpen, nextOpening, type WorkingHours } from "../../agents/WorkingHours.ts"
import { isoFromMillis } from "../../Time.ts"
import type { QueueReason } from "../DraftRow.ts"
import type { LinkedInTier } from "../LinkedInAccount.ts"
import type { Allowance, LimitOverrides, UsageAction } from "./UsageLimits.ts"

/** Until when an account as a whole is held, and why. All null when it is not. */
export interface AccountHold {
  readonly pacedUntil: string | null
  readonly pacedReason: QueueReason | null
  /** When to ask again, which may be before `pacedUntil`: hours and limits may have been changed. */
  readonly lookAt: string | null
  /** The end of the rest after the last message. */
  readonly nextAt: string | null
  /** Until when the provider refuses an action. */
  readonly messageStoppedUntil: string | null
  readonly invitationStoppedUntil: string | null
  /** As `pacedUntil`, `pacedReason` and `lookAt`, for invitations alone. */
  readonly invitationPacedUntil: string | null
  readonly invitationPacedReason: QueueReason | null
  readonly invitationLookAt: string | null
}

/** Nothing holds it. */
export const noHold: AccountHold = {
  pacedUntil: null,
  pacedReason: null,
  lookAt: null,
  nextAt: null,
  messageStoppedUntil: null,
  invitationStoppedUntil: null,
  invitationPacedUntil: null,
  invitationPacedReason: null,
  invitationLookAt: null
}

/** The part of a pace that holds an account. */
export const holdOf = (pace: AccountHold): AccountHold => ({
  pacedUntil: pace.pacedUntil,
  pacedReason: pace.pacedReason,
  lookAt: pace.lookAt,
  nextAt: pace.nextAt,
  messageStoppedUntil: pace.messageStoppedUntil,
  invitationStoppedUntil: pace.invitationStoppedUntil,
  invitationPacedUntil: pace.invitationPacedUntil,
  invitationPacedReason: pace.invitationPacedReason,
  invitationLookAt: pace.invitationLookAt
})

/** What is stored of an account's pace. */
export interface AccountPace extends AccountHold {
  readonly limits: LimitOverrides
  readonly ramp: boolean
  readonly servedAt: string | null
}

/** An account that nobody changed anything of. */
export const freshPace: AccountPace = { ...noHold, limits: {}, ramp: true, servedAt: null }

/** An account with its agent's wishes. */
export interface PaceFacts extends AccountPace {
  readonly accountId: string
  readonly tier: LinkedInTier
  readonly createdAt: string
  readonly timezone: string
  readonly workingHours: WorkingHours
  readonly smart: boolean
}

/** The part that limits depend on. */
export const allowanceOf = (facts: PaceFacts): Allowance => facts

/** When the provider's refusal of an action ends; null when there is none. */
export const stoppedUntil = (hold: AccountHold, action: UsageAction): string | null =>
  action === "message"
    ? hold.messageStoppedUntil
    : action === "invitation" || action === "invitation_with_note"
      ? hold.invitationStoppedUntil
      : null

/**
 * The first instant from `at` on within the agent's working hours, and the lead's where the agent says so: `at` itself when
 * it is. Hours that never open are looked at again a year later.
 */
export const openingFrom = (
  { timezone, workingHours }: Pick<PaceFacts, "timezone" | "workingHours">,
  leadTimezone: string | undefined,
  at: string
): string => {
  const millis = Date.parse(at)
  const zone = timezone === "" ? "UTC" : timezone
  if (isOpen(workingHours, zone, millis, leadTimezone)) return at
  return isoFromMillis(nextOpening(workingHours, zone, millis, leadTimezone) ?? millis + horizonDays * 86_400_000)
}
