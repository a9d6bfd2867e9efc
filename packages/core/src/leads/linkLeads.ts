/** Adding leads to a mission and removing them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import { emit, warn } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { now } from "../kernel/schema/Time.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { LeadLinksRepo, type LinkedLeads } from "./LeadLinksRepo.ts"
import { clearWaiting } from "./recordMessage.ts"

/** Maximum number of leads per call. */
const maxLinkedLeads = 1_000

/** Maximum number of ids in an event. */
const maxListedIds = 100

/** Input of both commands. */
export const linkInput = Schema.Struct({
  lead_ids: Schema.Array(nonEmptyLine(64))
    .check(Schema.isBetweenLength(1, maxLinkedLeads))
    .annotate({ description: "Ids of the leads, 1 to 1,000" }),
  mission_id: nonEmptyLine(64, "Id or handle of the mission")
})

/** Output field of both commands. */
export const refusedField = Schema.Array(
  Schema.Struct({
    lead_id: Schema.String,
    code: Schema.Literals(["NOT_FOUND", "LEAD_SUPPRESSED"])
  })
).annotate({ description: "Leads that were not found or must not be contacted" })

/** The refused leads as they are shown. */
export const refusedOf = ({ refused }: LinkedLeads) => refused.map(({ code, leadId }) => ({ lead_id: leadId, code }))

const holdMission = Effect.fnUntraced(function* (idOrHandle: string) {
  const { organizationId } = yield* Actor
  const mission = yield* (yield* MissionsRepo).hold(organizationId, idOrHandle)
  return mission ?? (yield* new NotFound({ kind: "mission", id: idOrHandle }))
})

/** Adds leads; each event names all that it is about. Fails with NOT_FOUND (mission) and MISSION_ARCHIVED. */
export const addToMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const mission = yield* holdMission(missionName)
  const { id, organizationId } = mission
  yield* Effect.fromResult(refuseArchived(mission.status, "enrolment"))
  const at = yield* now
  const linked = yield* (yield* LeadLinksRepo).add(organizationId, id, leadIds, at)
  if (linked.changed.length > 0) {
    yield* (yield* MissionsRepo).touch(organizationId, id, at)
    for (let from = 0; from < linked.changed.length; from += maxListedIds) {
      const lead_ids = linked.changed.slice(from, from + maxListedIds)
      const data = { lead_ids, count: lead_ids.length }
      yield* emit({ type: "mission.leads_added", subject: { type: "mission", id }, data })
    }
  }
  return linked
})

/** Removes leads, and nothing else. Fails with NOT_FOUND (mission). */
export const unlinkLeads = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const { id, organizationId } = yield* holdMission(missionName)
  const linked = yield* (yield* LeadLinksRepo).remove(organizationId, id, leadIds)
  const { changed } = linked
  if (changed.length > 0) {
    const data = { changed: ["leads"], lead_ids: changed.slice(0, maxListedIds), count: changed.length }
    yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data })
  }
  return { id, organizationId, linked }
})

/** Removes leads and cancels their open drafts of the mission. Fails with NOT_FOUND (mission). */
export const removeFromMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const { id, linked, organizationId } = yield* unlinkLeads(missionName, leadIds)
  if (linked.changed.length === 0) return { linked, cancelled: 0 }
  const { cancelled, idleLeadIds, kept } = yield* (yield* LeadConsequences).onUnlinked(
    organizationId,
    id,
    linked.changed
  )
  for (const leadId of idleLeadIds) yield* clearWaiting(leadId)
  if (kept > 0) yield* warn(keptWarning(kept))
  return { linked, cancelled }
})

const keptWarning = (count: number): string =>
  `sending: ${count} ${count === 1 ? "draft is" : "drafts are"} being sent, or may have been sent, and ` +
  `${count === 1 ? "stays" : "stay"}; see linkedin.queue.list.`
