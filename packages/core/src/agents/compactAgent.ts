/** The compact profile of an agent: signature and personality cut at 280 characters. Source: contract 1.1. */
import { shorten, shortLength } from "../shorten.ts"
import type { Agent } from "./Agent.ts"

/** The agent with shorter texts, and what was cut. */
export const compactAgent = (agent: Agent): { readonly output: Agent; readonly warnings: ReadonlyArray<string> } => {
  const cut = agent.emailSignature.length > shortLength || agent.personality.length > shortLength
  return {
    output: {
      ...agent,
      emailSignature: shorten(agent.emailSignature),
      personality: shorten(agent.personality)
    },
    warnings: cut
      ? [`compact: the longest texts of agent ${agent.handle} are shortened; ask for response_profile full`]
      : []
  }
}

/** {@link compactAgent} for an output that holds one agent. */
export const compactOne = ({ agent }: { readonly agent: Agent }) => {
  const { output, warnings } = compactAgent(agent)
  return { output: { agent: output }, warnings }
}

/** {@link compactAgent} for a page of agents, however the surface spells the cursor. */
export const compactAgents = <P extends { readonly agents: ReadonlyArray<Agent> }>(page: P) => {
  const agents = page.agents.map(compactAgent)
  return {
    output: { ...page, agents: agents.map(({ output }) => output) },
    warnings: agents.flatMap(({ warnings }) => warnings)
  }
}
