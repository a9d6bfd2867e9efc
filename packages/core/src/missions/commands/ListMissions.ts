import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentHandleText } from "../../agents/AgentInput.ts"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { OfferIdText } from "../../offers/OfferInput.ts"
import { compactMissions } from "../compactMission.ts"
import {
  CommandMission,
  commandMissionOf,
  type MissionView,
  RestMission,
  restMissionOf,
  shownImports
} from "../Mission.ts"
import { queryField } from "../MissionInput.ts"
import { CommandMissionStatus } from "../MissionStatus.ts"
import { MissionsRepo } from "../MissionsRepo.ts"

interface MissionPage {
  readonly items: ReadonlyArray<MissionView>
  readonly nextCursor: string | null
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
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    status: Schema.optionalKey(CommandMissionStatus.annotate({ description: "Only active or only archived missions" })),
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Only missions with this offer" })),
    agent_handle: Schema.optionalKey(AgentHandleText.annotate({ description: "Only missions of this agent" })),
    query: queryField,
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ missions: Schema.Array(CommandMission), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: [`Each mission with its newest ${shownImports} imports; import.list returns all of them.`],
  relatedCommands: ["mission.get", "mission.create"],
  relatedResources: ["svc://status"],
  examples: [
    { title: "Active missions of the sample agent", input: { status: "active", agent_handle: "ada-martin" } },
    { title: "By part of the name", input: { query: "spring", limit: 5 } }
  ],
  compact: compactMissions,
  show: ({ items, nextCursor }: MissionPage) => ({ missions: items.map(commandMissionOf), next_cursor: nextCursor }),
  record: {
    schema: Schema.Struct({ missions: Schema.Array(RestMission), next_cursor: NextCursor }),
    show: ({ items, nextCursor }: MissionPage) => ({ missions: items.map(restMissionOf), next_cursor: nextCursor })
  },
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* MissionsRepo
    const filter = { status: input.status, offerId: input.offer_id, agent: input.agent_handle, query: input.query }
    return yield* readPage(organizationId, "missions", input, (request) => repo.list(organizationId, filter, request))
  })
})
