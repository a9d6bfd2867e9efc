import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import { AgentHandleText } from "../../agents/index.ts"
import * as Command from "../../Command.ts"
import { OfferIdText } from "../../offers/index.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { compactMission } from "../compactMission.ts"
import { CommandMission, commandMissionOf, shownImports } from "../Mission.ts"
import { queryField } from "../MissionInput.ts"
import { CommandMissionStatus } from "../MissionStatus.ts"
import { MissionsRepo } from "../MissionsRepo.ts"

/** `mission.list`: reads campaigns, newest first. */
export const ListMissions = Command.make({
  id: "mission.list",
  title: "List missions",
  summary: "Read the campaigns of the organization, newest first.",
  description:
    "Answers a page of missions with briefs and counts; filters narrow it down together. Pass next_cursor as cursor for the " +
    "next page; it is null on the last one.",
  whenToUse: "To find the mission that leads should go to, or to see whether one exists before creating it.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    status: Schema.optionalKey(CommandMissionStatus.annotate({ description: "Only active or only archived missions" })),
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Only missions that propose this offer" })),
    agent_handle: Schema.optionalKey(AgentHandleText.annotate({ description: "Only missions of this agent" })),
    query: queryField,
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ missions: Schema.Array(CommandMission), next_cursor: NextCursor }),
  outputNotes: [`Each mission with its newest ${shownImports} imports; import.list has all of them.`],
  relatedCommands: ["mission.get", "mission.create"],
  relatedResources: ["svc://status"],
  examples: [
    { title: "Active missions of the sample agent", input: { status: "active", agent_handle: "ada-martin" } },
    { title: "By a part of the name", input: { query: "spring", limit: 5 } }
  ],
  compact: (page) => {
    const missions = page.missions.map(compactMission)
    return {
      output: { ...page, missions: missions.map(({ output }) => output) },
      warnings: missions.flatMap(({ warnings }) => warnings)
    }
  },
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* MissionsRepo
    const filter = { status: input.status, offerId: input.offer_id, agent: input.agent_handle, query: input.query }
    const page = yield* readPage(organizationId, "missions", input, (request) =>
      repo.list(organizationId, filter, request)
    )
    return { missions: page.items.map(commandMissionOf), next_cursor: page.nextCursor }
  })
})
