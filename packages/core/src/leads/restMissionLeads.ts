/** The leads of one mission, as REST shows them. Source: catalogue 4.3; G28. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { notFound } from "../Failure.ts"
import { MissionsRepo } from "../missions/index.ts"
import { CursorText, Limit } from "../Page.ts"
import { nonEmptyLine } from "../TextFields.ts"
import { RestListLeads } from "./rest.ts"

/** GET /api/v1/missions/{missionHandle}/leads. */
export const RestListMissionLeads = Command.make({
  id: "rest.missions.leads.list",
  title: "List the leads of a mission",
  summary: "Read the leads of one campaign, latest change first.",
  description: "A page of short leads. Pass nextCursor as cursor for the next page; it is null on the last one.",
  whenToUse: "From programs that speak REST; lead.search is the command, with more filters.",
  category: "missions",
  risk: "read",
  visibility: "internal",
  scope: "leads:read",
  input: Schema.Struct({
    missionHandle: nonEmptyLine(200, "Handle of the mission, such as spring-outreach; its id works too"),
    cursor: CursorText,
    limit: Limit
  }),
  output: RestListLeads.output,
  relatedCommands: ["lead.search", "mission.next-actions"],
  examples: [{ title: "The sample mission", input: { missionHandle: "spring-outreach", limit: 10 } }],
  run: Effect.fnUntraced(function* ({ missionHandle, ...page }) {
    const { organizationId } = yield* Actor
    const found = yield* RestListLeads.run({ ...page, mission: missionHandle })
    // Only an empty list leaves open whether there is such a mission.
    if (found.count === 0) {
      const mission = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, missionHandle)
      if (mission === undefined) return yield* notFound("mission", missionHandle)
    }
    return found
  })
})
