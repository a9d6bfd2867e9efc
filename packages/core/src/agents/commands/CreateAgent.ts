import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Agent, agentOf } from "../Agent.ts"
import { agentCreateFields, toAgentWrite } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { commandSpelling, createAgent } from "../writeAgent.ts"

/** `agent.create`: stores a new sender persona. */
export const CreateAgent = Command.make({
  id: "agent.create",
  title: "Create an agent",
  summary: "Store a sender persona that missions write in the name of.",
  description:
    "Creates an agent from a first and a last name, with how it writes, when it may send, and the e-mail accounts it sends " +
    "from. Without a handle one is made from the names. An e-mail account belongs to one agent of the organization only.",
  whenToUse: "Before the first mission of a person. Look with agent.list first; a call creates a new agent each time.",
  category: "agents",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct(agentCreateFields),
  output: Schema.Struct({ agent: Agent }),
  riskNotes: ["Writes one agent; connects nothing and sends nothing."],
  outputNotes: ["The whole agent as stored. Its handle names it from now on and never changes."],
  relatedCommands: ["agent.list", "agent.update", "mission.create"],
  relatedResources: ["svc://status", "svc://linkedin/accounts"],
  examples: [
    {
      title: "A persona with working hours",
      input: {
        first_name: "Grace",
        last_name: "Keller",
        job_title: "Account executive",
        timezone: "Europe/Berlin",
        working_hours: { monday: [{ start: "09:00", end: "12:30" }], tuesday: [{ start: "14:00", end: "18:00" }] },
        email_accounts: [{ provider: "GOOGLE", email: "grace.keller@example.com" }]
      }
    },
    { title: "Names only", input: { first_name: "Noor", last_name: "Haddad" } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ handle, ...input }) {
    const write = { ...toAgentWrite(input), firstName: input.first_name, lastName: input.last_name }
    return { agent: agentOf(yield* createAgent(write, handle, commandSpelling)) }
  })
})
