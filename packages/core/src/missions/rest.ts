/**
 * The REST operations of missions, as internal commands: camelCase in and out, path parameters among the fields.
 *
 * Source: spec "Missions" under Endpoints; G31. Outputs are what REST wraps in `data`.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { IfMatch, requireMatch } from "../Etag.ts"
import { CursorText, Limit, NextCursor, readPage } from "../Page.ts"
import { line } from "../TextFields.ts"
import { RestMission, restMissionOf } from "./Mission.ts"
import { missionRestFields, missionRestUpdateFields } from "./MissionInput.ts"
import { MissionsRepo } from "./MissionsRepo.ts"
import { createMission, updateMission, viewMission } from "./writeMission.ts"

/** POST /api/v1/missions. */
export const RestCreateMission = Command.make({
  id: "rest.missions.create",
  title: "Create a mission",
  summary: "Store a campaign that ties an agent, an offer and a brief together.",
  description:
    "Creates a mission from name and agentHandle; every other field may be left out. It begins ACTIVE unless status DRAFT " +
    "is sent. Without a handle one is made from the name.",
  whenToUse: "To add a campaign from another system.",
  category: "missions",
  risk: "mutate",
  visibility: "internal",
  scope: "missions:write",
  input: Schema.Struct(missionRestFields),
  output: Schema.Struct({ mission: RestMission }),
  relatedCommands: ["mission.create"],
  examples: [
    { title: "Name and agent", input: { name: "Autumn outreach", language: "en", agentHandle: "ada-martin" } }
  ],
  run: Effect.fnUntraced(function* ({ handle, status, ...write }) {
    return { mission: restMissionOf(yield* createMission({ write, brief: undefined, handle, status })) }
  })
})

const missionHandleParam = line(200, "Handle of the mission, such as spring-outreach; its id works too")

/** GET /api/v1/missions. */
export const RestListMissions = Command.make({
  id: "rest.missions.list",
  title: "List missions",
  summary: "Read the campaigns of the organization, newest first.",
  description: "A page of missions. Pass nextCursor as cursor for the next page; it is null on the last one.",
  whenToUse: "To show or synchronise missions.",
  category: "missions",
  risk: "read",
  visibility: "internal",
  scope: "missions:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ missions: Schema.Array(RestMission), nextCursor: NextCursor }),
  relatedCommands: ["mission.list"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* MissionsRepo
    const all = { status: undefined, offerId: undefined, agent: undefined, query: undefined }
    const page = yield* readPage(organizationId, "rest.missions", input, (request) =>
      repo.list(organizationId, all, request)
    )
    return { missions: page.items.map(restMissionOf), nextCursor: page.nextCursor }
  })
})

/** PATCH /api/v1/missions/{missionHandle}. */
export const RestUpdateMission = Command.make({
  id: "rest.missions.update",
  title: "Change a mission",
  summary: "Change any part of a campaign but its handle, and where it stands.",
  description:
    "Changes the fields that are sent and keeps the others; null empties a text and unlinks the offer, lists replace. A " +
    "status that cannot follow the present one is refused with WRONG_STATE.",
  whenToUse: "When a campaign changed in another system.",
  category: "missions",
  risk: "mutate",
  visibility: "internal",
  scope: "missions:write",
  input: Schema.Struct({ missionHandle: missionHandleParam, ifMatch: IfMatch, ...missionRestUpdateFields }),
  output: Schema.Struct({ mission: RestMission }),
  relatedCommands: ["mission.update", "mission.pause", "mission.resume", "mission.complete"],
  examples: [
    { title: "Paused", input: { missionHandle: "spring-outreach", status: "PAUSED" } },
    { title: "Another tone", input: { missionHandle: "spring-outreach", toneInstructions: "Short and plain" } }
  ],
  run: Effect.fnUntraced(function* ({ ifMatch, missionHandle, status, ...write }) {
    if (ifMatch !== undefined) yield* requireMatch(ifMatch, restMissionOf(yield* viewMission(missionHandle)))
    const move = status === undefined ? undefined : { to: status }
    const change = { write, brief: undefined, status: undefined, move }
    return { mission: restMissionOf(yield* updateMission(missionHandle, change)) }
  })
})

/** GET /api/v1/missions/{missionHandle}. */
export const RestGetMission = Command.make({
  id: "rest.missions.get",
  title: "Read a mission",
  summary: "Read one campaign by its handle.",
  description: "Answers the whole mission with the number of its leads.",
  whenToUse: "To show or synchronise a mission.",
  category: "missions",
  risk: "read",
  visibility: "internal",
  scope: "missions:read",
  input: Schema.Struct({ missionHandle: missionHandleParam }),
  output: Schema.Struct({ mission: RestMission }),
  relatedCommands: ["mission.get"],
  examples: [{ title: "The sample mission", input: { missionHandle: "spring-outreach" } }],
  run: Effect.fnUntraced(function* ({ missionHandle }) {
    return { mission: restMissionOf(yield* viewMission(missionHandle)) }
  })
})
