/** Putting many leads into a mission, or taking them out. Source: catalogue 4.1 (lead.mission.add, lead.mission.remove). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { emit, warn } from "../Execution.ts"
import { notFound } from "../Failure.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { nonEmptyLine } from "../TextFields.ts"
import { now } from "../Time.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { LeadLinksRepo, type LinkedLeads } from "./LeadLinksRepo.ts"
import { applyStatusEvent } from "./recordMessage.ts"

/** Most leads of one call. */
export const mostLinkedLeads = 1_000

/** Ids that an event names; it says how many there are in all. */
const mostNamed = 100

/** Input of both commands. */
export const linkInput = Schema.Struct({
  lead_ids: Schema.Array(nonEmptyLine(64))
    .check(Schema.isBetweenLength(1, mostLinkedLeads))
    .annotate({ description: "Ids of the leads, 1 to 1,000" }),
  mission_id: nonEmptyLine(64, "Id or handle of the mission")
})

/** Leads that were not taken. */
export const refusedField = Schema.Array(
  Schema.Struct({
    lead_id: Schema.String,
    code: Schema.Literals(["NOT_FOUND", "LEAD_SUPPRESSED"])
  })
).annotate({ description: "Leads that do not exist, or must not be contacted" })

/** The refused leads as they are shown. */
export const refusedOf = ({ refused }: LinkedLeads) => refused.map(({ code, leadId }) => ({ lead_id: leadId, code }))

const holdMission = Effect.fnUntraced(function* (idOrHandle: string) {
  const { organizationId } = yield* Actor
  const mission = yield* (yield* MissionsRepo).hold(organizationId, idOrHandle)
  return mission ?? (yield* notFound("mission", idOrHandle))
})

const dataOf = (changed: ReadonlyArray<string>) => ({ lead_ids: changed.slice(0, mostNamed), count: changed.length })

/** Adds leads. Fails with NOT_FOUND (mission) and MISSION_ARCHIVED. */
export const addToMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const mission = yield* holdMission(missionName)
  const { id, organizationId } = mission
  yield* Effect.fromResult(refuseArchived(mission.status, "enrolment"))
  const at = yield* now
  const linked = yield* (yield* LeadLinksRepo).add(organizationId, id, leadIds, at)
  if (linked.changed.length > 0) {
    yield* (yield* MissionsRepo).touch(organizationId, id, at)
    yield* emit({ type: "mission.leads_added", subject: { type: "mission", id }, data: dataOf(linked.changed) })
  }
  return linked
})

/**
 * Takes leads out, and cancels their open drafts of the mission: nothing is sent for a mission that its lead has left.
 * Fails with NOT_FOUND (mission). Source: G8, G11.
 */
export const removeFromMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const { id, organizationId } = yield* holdMission(missionName)
  const linked = yield* (yield* LeadLinksRepo).remove(organizationId, id, leadIds)
  if (linked.changed.length === 0) return { linked, cancelled: 0 }
  const data = { changed: ["leads"], ...dataOf(linked.changed) }
  yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data })
  const { cancelled, idleLeadIds, kept } = yield* (yield* LeadConsequences).onUnlinked(
    organizationId,
    id,
    linked.changed
  )
  for (const leadId of idleLeadIds) yield* applyStatusEvent(leadId, "nothing_waiting")
  if (kept > 0) yield* warn(keptWords(kept))
  return { linked, cancelled }
})

const keptWords = (count: number): string =>
  `sending: ${count} ${count === 1 ? "draft is" : "drafts are"} being sent, or may have been, and ${count === 1 ? "stays" : "stay"}; ` +
  "linkedin.queue.list shows them."
