/** The compact profile of an agent: signature and personality cut at 280 characters. */
import { compactField, compactItems } from "../kernel/schema/compact.ts"
import { shorten, shortLength } from "../kernel/schema/shorten.ts"
import type { Agent } from "./Agent.ts"

/** The agent with shorter texts, and a warning if any were cut. */
const compactAgent = (agent: Agent): { readonly output: Agent; readonly warnings: ReadonlyArray<string> } => {
  const cut = agent.emailSignature.length > shortLength || agent.personality.length > shortLength
  return {
    output: {
      ...agent,
      emailSignature: shorten(agent.emailSignature),
      personality: shorten(agent.personality)
    },
    warnings: cut
      ? [`compact: the longest texts of agent ${agent.handle} are shortened; use response_profile full for the rest`]
      : []
  }
}

/** {@link compactAgent} for an output with one agent. */
export const compactOne = compactField("agent", compactAgent)

/** {@link compactAgent} for a page of agents. */
export const compactAgents = compactItems("agents", compactAgent)
