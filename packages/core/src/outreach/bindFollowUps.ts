/** Which step of its mission something is written for: nobody says so, it follows from what is due for the lead, who is held. */

import * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { InstantText, MissionId } from "../kernel/schema/IdsAndTime.ts"
import { type FollowUp, type FollowUpFacts, nextFollowUp } from "../leads/followUp.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import type { Channel, MissionRow } from "../missions/Mission.ts"
import type { DraftRow, EmailRow } from "./Transmission.ts"

const dueIn = (
  facts: FollowUpFacts | undefined,
  missionId: MissionId,
  channel: Channel,
  at: InstantText,
  released: FollowUp | null
): FollowUp | null => {
  if (facts === undefined) return null
  const inMissions = facts.inMissions
    .filter((mission) => mission.missionId === missionId)
    .map((mission) => (mission.taken - 1 === released?.step ? { ...mission, taken: released.step } : mission))
  const next = nextFollowUp({ ...facts, inMissions })
  const isDue = next !== null && next.dueAt <= at && next.steps[next.step]?.channel === channel
  return isDue ? { step: next.step, since: next.since } : null
}

/**
 * The rows with the steps that are due now on a channel, of leads that are held; nothing is read of missions without steps. The
 * missions are those of the rows, in their order. `released` is the step of a rejected draft that is opened again.
 */
export const bindFollowUps = Effect.fnUntraced(function* <Row extends DraftRow | EmailRow>(
  rows: ReadonlyArray<Row>,
  missions: ReadonlyArray<Pick<MissionRow, "steps"> | undefined>,
  channel: Channel,
  at: InstantText,
  released: FollowUp | null = null
): Effect.fn.Return<ReadonlyArray<Row>, StoreFailure, LeadsRepo> {
  const planned = rows.filter((row, index) => row.missionId !== null && missions[index]?.steps.length)
  const [first] = planned
  if (first === undefined) return rows.map((row) => ({ ...row, followUp: null }))
  const leadIds = planned.map(({ leadId }) => leadId)
  const facts = yield* (yield* LeadsRepo).followUpFacts(first.organizationId, leadIds)
  return rows.map((row) => {
    const { leadId, missionId } = row
    const followUp =
      missionId && planned.includes(row) ? dueIn(facts.get(leadId), missionId, channel, at, released) : null
    return { ...row, followUp }
  })
})
