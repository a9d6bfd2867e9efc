/** Adding leads to a mission and removing them. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { emit, ownRecord, warn } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { MissionArchived } from "../missions/failures.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type LinkedLeads } from "./LeadsRepo.ts"
import { clearWaiting } from "./recordMessage.ts"

/** Maximum number of leads per call. */
const maxLinkedLeads = 1_000

/** Maximum number of ids in an event. */
const maxListedIds = 100

/** Input of both commands. */
const linkInput = Schema.Struct({
  lead_ids: Schema.Array(nonEmptyLine(64))
    .check(Schema.isBetweenLength(1, maxLinkedLeads))
    .annotate({ description: "Ids of the leads, 1 to 1,000" }),
  mission_id: nonEmptyLine(64, "Id or handle of the mission")
})

/** Output field of both commands. */
const refusedField = Schema.Array(
  Schema.Struct({
    lead_id: Schema.String,
    code: Schema.Literals(["NOT_FOUND", "LEAD_SUPPRESSED"])
  })
).annotate({ description: "Leads that were not found or must not be contacted" })

/** The refused leads as they are shown. */
const refusedOf = ({ refused }: LinkedLeads) => refused.map(({ code, leadId }) => ({ lead_id: leadId, code }))

const holdMission = (idOrHandle: string) =>
  Effect.flatMap(MissionsRepo, ({ hold }) => ownRecord("mission", idOrHandle, hold))

/** Adds leads; each event names all that it is about. Fails with NOT_FOUND (mission) and MISSION_ARCHIVED. */
const addToMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
  const mission = yield* holdMission(missionName)
  const { id, organizationId } = mission
  yield* Effect.fromResult(refuseArchived(mission.status, "enrolment"))
  const at = yield* now
  const linked = yield* (yield* LeadsRepo).link(organizationId, id, leadIds, at)
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
  const linked = yield* (yield* LeadsRepo).unlink(organizationId, id, leadIds)
  const { changed } = linked
  if (changed.length > 0) {
    const data = { changed: ["leads"], lead_ids: changed.slice(0, maxListedIds), count: changed.length }
    yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data })
  }
  return { id, organizationId, linked }
})

/** Removes leads and cancels their open drafts of the mission. Fails with NOT_FOUND (mission). */
const removeFromMission = Effect.fnUntraced(function* (missionName: string, leadIds: ReadonlyArray<string>) {
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

/** `lead.mission.add`: adds leads to a mission. */
export const AddLeadsToMission = Command.make({
  id: "lead.mission.add",
  title: "Add leads to a mission",
  summary: "Add up to 1,000 existing leads to a mission",
  description:
    "Adds existing leads to a mission. Leads already in it are counted; leads that are not found or are suppressed " +
    "are listed with a code, and the others are still added.",
  whenToUse: "To contact existing leads with a different offer. New people come in with lead.upsert or an import.",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    added: Schema.Int.annotate({ description: "Number of leads added to the mission" }),
    already: Schema.Int.annotate({ description: "Number of leads already in it" }),
    refused: refusedField
  }),
  failures: [MissionArchived, NotFound],
  riskNotes: ["Adds leads to the mission; sends nothing."],
  relatedCommands: ["lead.mission.remove", "lead.search", "mission.get"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    {
      title: "Two leads",
      input: {
        lead_ids: ["ld_SAMPLE00000000000000000001", "ld_SAMPLE00000000000000000002"],
        mission_id: "spring-outreach"
      }
    }
  ],
  run: ({ lead_ids, mission_id }) =>
    Effect.map(addToMission(mission_id, lead_ids), (linked) => ({
      added: linked.changed.length,
      already: linked.already,
      refused: refusedOf(linked)
    }))
})

/** `lead.mission.remove`: removes leads from a mission. */
export const RemoveLeadsFromMission = Command.make({
  id: "lead.mission.remove",
  title: "Remove leads from a mission",
  summary: "Remove up to 1,000 leads from a mission",
  description:
    "Removes leads from a mission; the leads themselves stay. Their open LinkedIn drafts of that mission are " +
    "cancelled, including approved and queued ones; drafts of other missions, messages and emails stay as they are.",
  whenToUse: "When people do not fit a mission.",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    removed: Schema.Int.annotate({ description: "Number of leads removed from the mission" }),
    already: Schema.Int.annotate({ description: "Number of leads that were not in it" }),
    drafts_cancelled: Schema.Int.annotate({ description: "Number of open drafts of the mission that were cancelled" }),
    refused: refusedField
  }),
  failures: [NotFound],
  riskNotes: ["Cancelled drafts stay cancelled when the leads are added again; a message being sent is not stopped."],
  relatedCommands: ["lead.mission.add", "lead.search", "linkedin.draft.list", "email.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "One lead", input: { lead_ids: ["ld_SAMPLE00000000000000000005"], mission_id: "spring-outreach" } }
  ],
  run: ({ lead_ids, mission_id }) =>
    Effect.map(removeFromMission(mission_id, lead_ids), ({ cancelled, linked }) => ({
      removed: linked.changed.length,
      already: linked.already,
      drafts_cancelled: cancelled,
      refused: refusedOf(linked)
    }))
})
