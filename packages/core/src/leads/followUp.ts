/**
 * Follow-ups: which step of a mission is next for a lead, and from when on it is due.
 *
 * Pure, and the one answer for next actions, drafts and claims. The PostgreSQL store sorts by it, so the rule exists a second
 * time in SQL; the contract tests compare the two.
 */

import * as Schema from "effect/Schema"
import { type WorkingHours, workingDaysAfter } from "../agents/WorkingHours.ts"
import { Instant, type InstantText, isoFromMillis, type MissionId } from "../kernel/schema/IdsAndTime.ts"
import { Channel, type MissionRow, type MissionStep } from "../missions/Mission.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { LeadRow } from "./Lead.ts"
import { followedStatuses } from "./LeadStatus.ts"

/** What follow-ups in one mission depend on, besides the lead. */
export interface MissionOfFollowUps {
  readonly missionId: MissionId
  readonly status: MissionStatus
  readonly steps: ReadonlyArray<MissionStep>
  /** The agent's; empty for UTC and the usual hours. */
  readonly timezone: string
  readonly workingHours: WorkingHours
  /** When the lead was added to the mission. */
  readonly linkedAt: InstantText
  /** The steps before this one were written for, or passed over: 1 + the step of the latest draft or e-mail for one. */
  readonly taken: number
  /** Whether what was written for a step waits, is being sent, or was perhaps: until that is known, nothing follows. */
  readonly isWritten: boolean
}

/** What follow-ups to a lead depend on, besides its row. */
export interface FollowUpContext {
  /** Whether e-mails to its address bounced for good. */
  readonly isBounced: boolean
  /** When an invitation was accepted last. */
  readonly acceptedAt: InstantText | null
  /** Active missions with steps; others may be left out. */
  readonly inMissions: ReadonlyArray<MissionOfFollowUps>
}

/** What follow-ups to a lead depend on. */
export type FollowUpFacts = FollowUpContext &
  Pick<LeadRow, "status" | "email" | "linkedinUrl" | "lastInboundAt" | "lastOutboundAt" | "snoozedUntil" | "awayUntil">

/** The next follow-up to a lead. `step` counts from 0. */
export interface NextFollowUp {
  readonly missionId: MissionId
  readonly step: number
  readonly dueAt: InstantText
}

/** A follow-up with all steps of its mission. */
export interface PlannedFollowUp extends NextFollowUp {
  readonly steps: ReadonlyArray<MissionStep>
}

/** What a draft or an e-mail was written for: a step, counted from 0, whose days count from `since`. A reply after that ends it. */
export interface FollowUp {
  readonly step: number
  readonly since: InstantText
}

/** Whether there is nothing to follow up any more: the person replied after an instant, or has another status. */
export const isFollowUpOver = ({ lastInboundAt, status }: Pick<LeadRow, "lastInboundAt" | "status">, since: string) =>
  !followedStatuses.includes(status) || (lastInboundAt !== null && lastInboundAt > since)

const latest = (...instants: ReadonlyArray<string | null>): string =>
  instants.reduce<string>((a, b) => (b !== null && b > a ? b : a), "")

/** From when on a step may be written, and may leave: its working days after `from`. */
export const stepDueAt = (
  { timezone, workingHours }: Pick<MissionOfFollowUps, "timezone" | "workingHours">,
  step: MissionStep,
  from: string
): InstantText => isoFromMillis(workingDaysAfter(workingHours, timezone, Date.parse(from), step.working_days))

const inMission = (facts: FollowUpFacts, mission: MissionOfFollowUps): (PlannedFollowUp & FollowUp) | undefined => {
  const { acceptedAt, email, isBounced, lastOutboundAt, linkedinUrl } = facts
  const { isWritten, linkedAt, missionId, status, steps, taken } = mission
  if (status !== "ACTIVE" || isWritten || isFollowUpOver(facts, linkedAt)) return undefined
  for (const [index, step] of steps.entries()) {
    const begun = step.after === "no_reply" ? lastOutboundAt : acceptedAt
    const isReached = step.channel === "EMAIL" ? email !== "" && !isBounced : linkedinUrl !== ""
    if (index < taken || !isReached || begun === null || begun < linkedAt) continue
    const since = latest(begun, lastOutboundAt)
    const dueAt = latest(stepDueAt(mission, step, since), facts.snoozedUntil, facts.awayUntil)
    return { missionId, step: index, since, dueAt, steps }
  }
  return undefined
}

/** The follow-up that is due first; null without one. Of those due at once, that of the mission with the lowest id. */
export const nextFollowUp = (facts: FollowUpFacts): (PlannedFollowUp & FollowUp) | null =>
  facts.inMissions
    .flatMap((mission) => inMission(facts, mission) ?? [])
    .toSorted((a, b) => (a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.missionId < b.missionId) ? -1 : 1))[0] ?? null

/** A follow-up as it is shown. */
export const ShownFollowUp = Schema.Struct({
  mission_id: Schema.String,
  step: Schema.Int.annotate({ description: "Which step of the mission, from 1" }),
  of: Schema.Int.annotate({ description: "How many steps the mission has" }),
  channel: Channel,
  purpose: Schema.String,
  evidence: Schema.String,
  due_at: Instant
})

/** A follow-up as it is shown; null if its mission no longer has the step. */
export const shownFollowUp = (planned: PlannedFollowUp | null): typeof ShownFollowUp.Type | null => {
  const step = planned?.steps[planned.step]
  if (!planned || step === undefined) return null
  const { channel, evidence = "", purpose } = step
  const place = { mission_id: planned.missionId, step: planned.step + 1, of: planned.steps.length }
  return { ...place, channel, purpose, evidence, due_at: planned.dueAt }
}

/** What a draft or an e-mail was written for, as it is shown beside it. */
export const WrittenFollowUp = Schema.NullOr(
  Schema.Struct({ step: Schema.Int, of: Schema.Int, purpose: Schema.String })
).annotate({ description: "The step of its mission that it was written for, from 1; null without one" })

/** What a draft or an e-mail was written for, as it is shown beside it; null if its mission no longer has the step. */
export const writtenFollowUp = ({
  mission,
  row: { followUp }
}: {
  readonly mission: Pick<MissionRow, "steps"> | null
  readonly row: { readonly followUp: FollowUp | null }
}): typeof WrittenFollowUp.Type => {
  const step = followUp && mission?.steps[followUp.step]
  return followUp && mission && step
    ? { step: followUp.step + 1, of: mission.steps.length, purpose: step.purpose }
    : null
}
