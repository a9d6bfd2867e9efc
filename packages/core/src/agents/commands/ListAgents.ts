import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { Agent, agentOf } from "../Agent.ts"
import { AgentsRepo } from "../AgentsRepo.ts"
import { compactAgents } from "../compactAgent.ts"

/** `agent.list`: reads sender personas, newest first. */
export const ListAgents = Command.make({
  id: "agent.list",
  title: "List agents",
  summary: "List sender personas, newest first",
  description:
    "Returns a page of agents, without deleted ones. Pass next_cursor as cursor for the next page; it is null on the " +
    "last page.",
  whenToUse: "To choose the sender for a mission or a draft.",
  category: "agents",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ agents: Schema.Array(Agent), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["agent.get", "agent.create"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactAgents,
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* AgentsRepo
    const page = yield* readPage(organizationId, "agents", input, (request) => repo.list(organizationId, request))
    return { agents: page.items.map(agentOf), next_cursor: page.nextCursor }
  })
})
