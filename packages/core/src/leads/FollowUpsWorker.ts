/** Announces follow-ups that become due, so that a host or an AI agent can write them. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueWork } from "../kernel/background/DueWork.ts"
import { eachDue, repeatRound, runAsService, type SystemNeeds } from "../kernel/background/Worker.ts"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import { now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { LeadsRepo } from "./LeadsRepo.ts"

/** What the worker needs. */
export type FollowUpNeeds = DueWork | SystemNeeds<LeadsRepo | Execution>

const announce = Effect.fnUntraced(function* (organizationId: OrganizationId, limit: number) {
  const due = yield* (yield* LeadsRepo).announceFollowUps(organizationId, yield* now, limit)
  for (const { leadId, missionId, step, steps } of due) {
    const data = { mission_id: missionId, step: step + 1, channel: steps[step]?.channel ?? null }
    yield* emit({ type: "lead.follow_up_due", subject: { type: "lead", id: leadId }, data })
  }
  return due.length
})

/** Runs one round; returns how many follow-ups were announced. Marks and events are stored together. */
export const announceFollowUps = eachDue("follow_ups", {}, (organizationId, { limit }) =>
  runAsService(organizationId, announce(organizationId, limit))
)

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, FollowUpNeeds> = Layer.effectDiscard(
  repeatRound("announcing follow-ups", announceFollowUps, "1 second")
)
