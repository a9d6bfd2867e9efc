/**
 * The REST operations of missions, as internal commands: camelCase in and out, path parameters among the fields.
 *
 * Source: spec "Missions" under Endpoints; G31. Outputs are what REST wraps in `data`.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../Command.ts"
import { line } from "../TextFields.ts"
import { RestMission, restMissionOf } from "./Mission.ts"
import { missionRestFields } from "./MissionInput.ts"
import { createMission, viewMission } from "./writeMission.ts"

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
  input: Schema.Struct({
    missionHandle: line(200, "Handle of the mission, such as spring-outreach; its id works too")
  }),
  output: Schema.Struct({ mission: RestMission }),
  relatedCommands: ["mission.get"],
  examples: [{ title: "The sample mission", input: { missionHandle: "spring-outreach" } }],
  run: Effect.fnUntraced(function* ({ missionHandle }) {
    return { mission: restMissionOf(yield* viewMission(missionHandle)) }
  })
})
