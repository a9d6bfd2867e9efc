import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, missionRecord, showMission, shownImports } from "../Mission.ts"
import { MissionIdText, missionUpdateFields, settingNames } from "../MissionInput.ts"
import { CommandMissionStatus } from "../MissionStatus.ts"
import { includedIn, updateMission } from "../writeMission.ts"

/** `mission.update`: updates a mission's brief, offer or status. */
export const UpdateMission = Command.make({
  id: "mission.update",
  title: "Update a mission",
  summary: "Update a mission's brief, offer, agent or status",
  description:
    "Changes the fields you send and keeps the others; null clears a text, and offer_id null unlinks the offer. Send " +
    "the brief flat or nested under brief, as it was read. Status archived ends the mission: it takes no new drafts, " +
    "imports or leads, unsent messages are cancelled, and approved drafts go back to review. Status active restores " +
    "an archived mission as paused, or as the draft it was; otherwise it changes nothing.",
  whenToUse: "To refine the brief, change the offer, or archive or restore a mission.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  includes: includedIn,
  input: Schema.Struct({
    mission_id: MissionIdText,
    ...missionUpdateFields,
    status: Schema.optionalKey(
      CommandMissionStatus.annotate({
        description: "Lifecycle status. archived ends the mission, active restores an archived one"
      })
    )
  }),
  output: Schema.Struct({ mission: CommandMission }),
  failures: [NotFound, WrongState],
  riskNotes: [
    "Archiving cancels queued messages; restoring does not bring them back.",
    "Existing drafts keep their text when the brief changes.",
    "With email_review_strategy AUTO later emails are sent without review, so it obeys policies for email.review.decide."
  ],
  outputNotes: [
    "The stored mission; repeating the call changes nothing.",
    `The newest ${shownImports} imports; import.list returns all of them.`
  ],
  relatedCommands: ["mission.get", "mission.list", "offer.list", "linkedin.draft.list"],
  relatedResources: ["svc://status", "svc://linkedin/drafts/pending"],
  examples: [
    {
      title: "A more specific brief",
      input: {
        mission_id: "spring-outreach",
        target_audience: "Heads of finance who close the month manually",
        example_messages: ["Hi Grace, how many days does your month-end take?"]
      }
    },
    { title: "A different offer", input: { mission_id: "spring-outreach", brief: { offer_id: "sample-offer" } } },
    { title: "Restore from the archive", input: { mission_id: "spring-outreach", status: "active" } }
  ],
  compact: compactOne,
  unlisted: ["example_messages", ...settingNames.update],
  show: showMission,
  record: missionRecord,
  run: ({ brief, lifecycle, mission_id, status, ...write }) =>
    lifecycle !== undefined && status !== undefined
      ? Effect.fail(
          new InvalidInput({ message: "status and lifecycle both set the mission's status. Send one of them." })
        )
      : updateMission(mission_id, { write, brief, status, move: lifecycle && { to: lifecycle } })
})
