/** Resources for offers, missions, agents and imports, with the output of their commands. */
import { GetAgent, ListAgents } from "../agents/commands.ts"
import { GetImport } from "../imports/commands.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { GetMission, ListMissions } from "../missions/commands.ts"
import { GetOffer, ListOffers } from "../offers/commands.ts"

/** Page size of list resources; next_cursor continues in the list command. */
const listed = 25

/** `svc://offers`. */
export const offersResource = Resource.ofCommand(ListOffers, {
  uri: "svc://offers",
  name: "offers",
  title: "Offers",
  summary: "The newest 25 offers",
  description: "Offers with proof and resources, newest first. Pass next_cursor to offer.list for more.",
  relatedCommands: ["offer.list", "offer.create"],
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: listed })
})

/** `svc://offers/{id}`. */
export const offerResource = Resource.ofCommand(GetOffer, {
  uri: "svc://offers/{id}",
  name: "offer",
  title: "One offer",
  summary: "An offer by its id",
  description: "The offer: proposition, references, solved problems, differentiators and resources.",
  relatedCommands: ["offer.get", "offer.update"],
  params: Resource.idParam,
  example: { id: "sample-offer" },
  input: ({ id }) => ({ offer_id: id })
})

/** `svc://missions`. */
export const missionsResource = Resource.ofCommand(ListMissions, {
  uri: "svc://missions",
  name: "missions",
  title: "Missions",
  summary: "The newest 25 missions",
  description: "Missions with brief, statistics and imports, newest first. Pass next_cursor to mission.list for more.",
  relatedCommands: ["mission.list", "mission.create"],
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: listed })
})

/** `svc://missions/{handle}`. */
export const missionResource = Resource.ofCommand(GetMission, {
  uri: "svc://missions/{handle}",
  name: "mission",
  title: "One mission",
  summary: "A mission by its handle",
  description: "The mission with its brief, offer, statistics and imports.",
  relatedCommands: ["mission.get", "mission.update", "lead.search"],
  params: Resource.handleParam,
  example: { handle: "spring-outreach" },
  input: ({ handle }) => ({ mission_id: handle })
})

/** `svc://agents`. */
export const agentsResource = Resource.ofCommand(ListAgents, {
  uri: "svc://agents",
  name: "agents",
  title: "Agents",
  summary: "The newest 25 sender personas",
  description: "Agents with tone, working hours and email accounts. Pass next_cursor to agent.list for more.",
  relatedCommands: ["agent.list", "agent.create"],
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: listed })
})

/** `svc://agents/{handle}`. */
export const agentResource = Resource.ofCommand(GetAgent, {
  uri: "svc://agents/{handle}",
  name: "agent",
  title: "One agent",
  summary: "A sender persona by its handle",
  description: "The agent: profile, tone and working hours.",
  relatedCommands: ["agent.get", "agent.update"],
  params: Resource.handleParam,
  example: { handle: "ada-martin" },
  input: ({ handle }) => ({ agent_handle: handle })
})

/** `svc://imports/{id}`. */
export const importResource = Resource.ofCommand(GetImport, {
  uri: "svc://imports/{id}",
  name: "import",
  title: "One import",
  summary: "State, counts and rejected rows of an import",
  description: "The import's state and why rows were rejected; poll it while the state is running.",
  relatedCommands: ["import.get", "import.list", "import.sales-nav.search"],
  params: Resource.idParam,
  example: { id: "imp_SAMPLE00000000000000000001" },
  input: ({ id }) => ({ import_id: id })
})
