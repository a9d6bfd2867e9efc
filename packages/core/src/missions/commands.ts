/** The commands for missions. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentHandleText } from "../agents/AgentInput.ts"
import * as Command from "../kernel/command/Command.ts"
import { DuplicateHandle, InvalidCursor, InvalidInput, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { OfferIdText } from "../offers/OfferInput.ts"
import { CompleteMission, PauseMission, ResumeMission } from "./commands/moveMission.ts"
import { GetSteps, SetSteps } from "./commands/steps.ts"
import { MissionInUse } from "./failures.ts"
import * as Mission from "./Mission.ts"
import { MissionIdText, missionCreateFields, missionUpdateFields, queryField, settingNames } from "./MissionInput.ts"
import { CommandMissionStatus } from "./MissionStatus.ts"
import { MissionsRepo } from "./MissionsRepo.ts"
import { deleteMission } from "./missionLifecycle.ts"
import { createMission, defaultStrategy, includedIn, updateMission, viewMission } from "./writeMission.ts"

/** What commands that return one mission have in common. */
const ofOneMission = {
  scope: "missions:write",
  output: Schema.Struct({ mission: Mission.CommandMission }),
  compact: Mission.compactOne,
  show: Mission.showMission,
  record: Mission.missionRecord
} as const

/** `mission.create`: creates a mission. */
const CreateMission = Command.make({
  id: "mission.create",
  title: "Create a mission",
  summary: "Create a mission from an agent, an offer and a brief",
  description:
    "Creates a mission with its brief: target audience, desired action, tone, and the offer it promotes. With an " +
    "agent it is active immediately; without one it is a draft: set the agent with mission.update, then start it " +
    "with mission.resume. Send the brief flat or nested under brief.",
  whenToUse: "Before importing leads for a campaign. Check mission.list first: each call creates a new mission.",
  ...ofOneMission,
  risk: "mutate",
  includes: includedIn,
  input: Schema.Struct(missionCreateFields),
  failures: [DuplicateHandle, NotFound],
  riskNotes: [
    "Creates one mission; imports nobody and sends nothing.",
    "With email_review_strategy AUTO its emails are sent without review, so it obeys policies for email.review.decide."
  ],
  outputNotes: ["The stored mission. Other commands accept its id or its handle."],
  relatedCommands: [
    "mission.update",
    "mission.resume",
    "mission.list",
    "agent.list",
    "offer.list",
    "import.sales-nav.search"
  ],
  relatedResources: ["svc://status"],
  examples: [
    {
      title: "A mission for the sample offer",
      input: {
        name: "Autumn outreach",
        agent_handle: "ada-martin",
        offer_id: "sample-offer",
        target_audience: "Heads of finance in companies of 50 to 500 people",
        desired_action: "Book a call of 20 minutes",
        tone_instructions: "Friendly, short, one question at the end"
      }
    },
    { title: "Name only, as a draft", input: { name: "Idea for winter" } }
  ],
  annotations: { unlisted: ["example_messages", ...settingNames.create] },
  // Whoever approves the request reads it, and would have another default.
  pin: ({ email_review_strategy }) =>
    email_review_strategy === undefined
      ? Effect.map(defaultStrategy, (strategy) => ({ email_review_strategy: strategy }))
      : Effect.succeed({}),
  run: createMission
})

/** `mission.delete`: deletes a mission without leads. */
const DeleteMission = Command.make({
  id: "mission.delete",
  title: "Delete a mission",
  summary: "Delete a mission without leads",
  description:
    "Deletes a mission that has no leads, no open drafts, no unsent emails and no unfinished import, together with its " +
    "import records. Any other fails with MISSION_IN_USE: archive it with mission.update, status archived. Sent and cancelled drafts " +
    "stay, without a mission.",
  whenToUse: "When a mission was created by mistake. To end a real one, complete or archive it.",
  risk: "approval",
  scope: "missions:write",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: Schema.Struct({ mission_id: Schema.String.annotate({ description: "Id of the deleted mission" }) }),
  failures: [MissionInUse, NotFound],
  riskNotes: ["Cannot be undone; the handle becomes available again."],
  relatedCommands: ["mission.update", "mission.complete", "lead.mission.remove"],
  relatedResources: ["svc://missions"],
  examples: [{ title: "An abandoned idea", input: { mission_id: "winter-ideas" } }],
  run: ({ mission_id }) => Effect.map(deleteMission(mission_id), (id) => ({ mission_id: id }))
})

/** `mission.get`: reads one mission. */
export const GetMission = Command.make({
  id: "mission.get",
  title: "Get a mission",
  summary: "Get a mission by id or handle",
  description:
    "Returns the mission with its brief, its offer, the number of leads contacted and replied, and its imports, " +
    "newest first.",
  whenToUse: "Before drafting a message for a lead of the mission, or to check its progress.",
  ...ofOneMission,
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ mission_id: MissionIdText }),
  failures: [NotFound],
  outputNotes: [`The newest ${Mission.shownImports} imports; import.list returns all of them.`],
  relatedCommands: ["mission.list", "mission.update", "import.list"],
  relatedResources: ["svc://status"],
  examples: [{ title: "The sample mission", input: { mission_id: "spring-outreach" } }],
  run: ({ mission_id }) => viewMission(mission_id)
})

interface MissionPage {
  readonly items: ReadonlyArray<Mission.MissionView>
  readonly next_cursor: string | null
}

/** `mission.list`: reads missions, newest first. */
export const ListMissions = Command.make({
  id: "mission.list",
  title: "List missions",
  summary: "List missions, newest first",
  description:
    "Returns a page of missions with briefs and counts; combine filters to narrow it down. Pass next_cursor as " +
    "cursor for the next page; it is null on the last page.",
  whenToUse: "To find the mission for new leads, or to check whether one exists before creating it.",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    status: Schema.optionalKey(CommandMissionStatus.annotate({ description: "Only active or only archived missions" })),
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Only missions with this offer" })),
    agent_handle: Schema.optionalKey(AgentHandleText.annotate({ description: "Only missions of this agent" })),
    query: queryField,
    ...pageFields
  }),
  output: Schema.Struct({ missions: Schema.Array(Mission.CommandMission), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: [`Each mission with its newest ${Mission.shownImports} imports; import.list returns all of them.`],
  relatedCommands: ["mission.get", "mission.create"],
  relatedResources: ["svc://status"],
  examples: [{ title: "Active missions of the sample agent", input: { status: "active", agent_handle: "ada-martin" } }],
  compact: Mission.compactMissions,
  show: ({ items, next_cursor }: MissionPage) => ({ missions: items.map(Mission.commandMissionOf), next_cursor }),
  record: {
    schema: Schema.Struct({ missions: Schema.Array(Mission.RestMission), next_cursor: NextCursor }),
    show: ({ items, next_cursor }: MissionPage) => ({ missions: items.map(Mission.restMissionOf), next_cursor })
  },
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* MissionsRepo
    const filter = { status: input.status, offerId: input.offer_id, agent: input.agent_handle, query: input.query }
    return yield* readPage("missions", input, repo.list, filter)
  })
})

/** `mission.update`: updates a mission's brief, offer or status. */
const UpdateMission = Command.make({
  id: "mission.update",
  title: "Update a mission",
  summary: "Update a mission's brief, offer, agent or status",
  description:
    "Changes the fields you send and keeps the others; null clears a text, and offer_id null unlinks the offer. Send " +
    "the brief flat or nested under brief, as it was read. Status archived ends the mission: it takes no new drafts, " +
    "imports or leads, unsent messages are cancelled, and approved drafts go back to review. Status active restores " +
    "an archived mission as paused, or as the draft it was; otherwise it changes nothing.",
  whenToUse: "To refine the brief, change the offer, or archive or restore a mission.",
  ...ofOneMission,
  risk: "mutate",
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
  failures: [NotFound, WrongState],
  riskNotes: [
    "Archiving cancels queued messages; restoring does not bring them back.",
    "Existing drafts keep their text when the brief changes.",
    "With email_review_strategy AUTO later emails are sent without review, so it obeys policies for email.review.decide."
  ],
  outputNotes: [
    "The stored mission; repeating the call changes nothing.",
    `The newest ${Mission.shownImports} imports; import.list returns all of them.`
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
    { title: "Restore from the archive", input: { mission_id: "spring-outreach", status: "active" } }
  ],
  annotations: { unlisted: ["example_messages", ...settingNames.update] },
  run: ({ brief, lifecycle, mission_id, status, ...write }) =>
    lifecycle !== undefined && status !== undefined
      ? Effect.fail(
          new InvalidInput({ message: "status and lifecycle both set the mission's status. Send one of them." })
        )
      : updateMission(mission_id, { write, brief, status, move: lifecycle && { to: lifecycle } })
})

/** The commands of this domain. */
export const commands = [
  CreateMission,
  GetMission,
  ListMissions,
  UpdateMission,
  PauseMission,
  ResumeMission,
  CompleteMission,
  GetSteps,
  SetSteps,
  DeleteMission
] as const
