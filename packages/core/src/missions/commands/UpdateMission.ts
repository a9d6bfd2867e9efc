import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { mergeBrief } from "../applyMissionWrite.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, commandMissionOf, shownImports } from "../Mission.ts"
import { MissionIdText, missionUpdateFields } from "../MissionInput.ts"
import { CommandMissionStatus } from "../MissionStatus.ts"
import { updateMission } from "../writeMission.ts"

/** `mission.update`: changes a campaign's brief, offer or status. */
export const UpdateMission = Command.make({
  id: "mission.update",
  title: "Change a mission",
  summary: "Change a campaign's brief, linked offer, agent or status.",
  description:
    "Changes the fields that are sent and keeps the others; null empties a text, and offer_id null unlinks the offer. The " +
    "brief may be sent flat or nested under brief, also as it was read. Status archived ends the mission: it takes no new " +
    "drafts, imports or leads, messages that are not sent yet are cancelled, and approved drafts go back to review. Status " +
    "active restores an archived mission as paused, or as the draft it was; on any other it changes nothing.",
  whenToUse: "When the brief must be sharpened, another offer is proposed, or a campaign is over or taken up again.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: Schema.Struct({
    mission_id: MissionIdText,
    ...missionUpdateFields,
    status: Schema.optionalKey(
      CommandMissionStatus.annotate({ description: "archived ends the mission, active restores an archived one" })
    )
  }),
  output: Schema.Struct({ mission: CommandMission }),
  riskNotes: [
    "Archiving cancels messages that are waiting to be sent; restoring does not bring them back.",
    "Drafts that were written before a new brief keep their text."
  ],
  outputNotes: [
    "The mission as stored; the same input twice changes it once.",
    `The newest ${shownImports} imports; import.list has all of them.`
  ],
  relatedCommands: ["mission.get", "mission.list", "offer.list", "linkedin.draft.list"],
  relatedResources: ["svc://status", "svc://linkedin/drafts/pending"],
  examples: [
    {
      title: "A sharper brief",
      input: {
        mission_id: "spring-outreach",
        target_audience: "Heads of finance who close the month by hand",
        example_messages: ["Hi Grace, how many days does your month-end take?"]
      }
    },
    { title: "Another offer", input: { mission_id: "spring-outreach", brief: { offer_id: "sample-offer" } } },
    { title: "Taken up again", input: { mission_id: "spring-outreach", status: "active" } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agent_handle, brief, mission_id, name, status, ...flat }) {
    const merged = yield* Effect.fromResult(mergeBrief(flat, brief))
    const write = {
      ...merged,
      ...(name === undefined ? {} : { name }),
      ...(agent_handle === undefined ? {} : { agentHandle: agent_handle })
    }
    return { mission: commandMissionOf(yield* updateMission(mission_id, { write, brief, status })) }
  })
})
