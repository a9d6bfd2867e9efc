import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { Agent } from "../Agent.ts"
import { compactAgents } from "../compactAgent.ts"
import { listAgents } from "../listAgents.ts"

/** `agent.list`: reads sender personas, newest first. */
export const ListAgents = Command.make({
  id: "agent.list",
  title: "List agents",
  summary: "Read the sender personas of the organization, newest first.",
  description:
    "Answers a page of agents; deleted ones are left out. Pass next_cursor as cursor for the next page; it is null on the " +
    "last one.",
  whenToUse: "To find whose name a mission or a draft should carry.",
  category: "agents",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ agents: Schema.Array(Agent), next_cursor: NextCursor }),
  relatedCommands: ["agent.get", "agent.create"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactAgents,
  run: Effect.fnUntraced(function* (input) {
    const { agents, nextCursor } = yield* listAgents(input)
    return { agents, next_cursor: nextCursor }
  })
})
