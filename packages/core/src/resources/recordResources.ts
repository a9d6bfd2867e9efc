/** Resources that show records: offers, missions, agents and imports, each as the command of the same name answers it. */
import { GetAgent } from "../agents/commands/GetAgent.ts"
import { ListAgents } from "../agents/commands/ListAgents.ts"
import { GetImport } from "../imports/commands/GetImport.ts"
import { GetMission } from "../missions/commands/GetMission.ts"
import { ListMissions } from "../missions/commands/ListMissions.ts"
import { GetOffer } from "../offers/commands/GetOffer.ts"
import { ListOffers } from "../offers/commands/ListOffers.ts"
import * as Resource from "../Resource.ts"

/** Items of a list resource; its next_cursor goes on in the list command. */
const listed = 100

/** `svc://offers`. */
export const offersResource = Resource.make({
  uri: "svc://offers",
  name: "offers",
  title: "Offers",
  summary: "The newest 100 offers.",
  description: "Offers with their proof and material, newest first. Pass next_cursor to offer.list for more.",
  category: "offers",
  scope: ListOffers.scope,
  relatedCommands: ["offer.list", "offer.create"],
  params: Resource.noParams,
  example: {},
  payload: ListOffers.output,
  compact: ListOffers.compact,
  read: () => ListOffers.run({ limit: listed })
})

/** `svc://offers/{id}`. */
export const offerResource = Resource.make({
  uri: "svc://offers/{id}",
  name: "offer",
  title: "One offer",
  summary: "One offer by its id.",
  description: "The whole offer: proposition, references, solved problems, differentiators and material.",
  category: "offers",
  scope: GetOffer.scope,
  relatedCommands: ["offer.get", "offer.update"],
  params: Resource.idParam,
  example: { id: "sample-offer" },
  payload: GetOffer.output,
  compact: GetOffer.compact,
  read: ({ id }) => GetOffer.run({ offer_id: id })
})

/** `svc://missions`. */
export const missionsResource = Resource.make({
  uri: "svc://missions",
  name: "missions",
  title: "Missions",
  summary: "The newest 100 missions.",
  description: "Missions with brief, numbers and imports, newest first. Pass next_cursor to mission.list for more.",
  category: "missions",
  scope: ListMissions.scope,
  relatedCommands: ["mission.list", "mission.create"],
  params: Resource.noParams,
  example: {},
  payload: ListMissions.output,
  compact: ListMissions.compact,
  read: () => ListMissions.run({ limit: listed })
})

/** `svc://missions/{handle}`. */
export const missionResource = Resource.make({
  uri: "svc://missions/{handle}",
  name: "mission",
  title: "One mission",
  summary: "One mission by its handle.",
  description: "A mission with its brief, the offer it builds on, its numbers and its imports.",
  category: "missions",
  scope: GetMission.scope,
  relatedCommands: ["mission.get", "mission.update", "lead.search"],
  params: Resource.handleParam,
  example: { handle: "spring-outreach" },
  payload: GetMission.output,
  compact: GetMission.compact,
  read: ({ handle }) => GetMission.run({ mission_id: handle })
})

/** `svc://agents`. */
export const agentsResource = Resource.make({
  uri: "svc://agents",
  name: "agents",
  title: "Agents",
  summary: "The newest 100 sender personas.",
  description: "Agents with tone, working hours and e-mail accounts. Pass next_cursor to agent.list for more.",
  category: "agents",
  scope: ListAgents.scope,
  relatedCommands: ["agent.list", "agent.create"],
  params: Resource.noParams,
  example: {},
  payload: ListAgents.output,
  compact: ListAgents.compact,
  read: () => ListAgents.run({ limit: listed })
})

/** `svc://agents/{handle}`. */
export const agentResource = Resource.make({
  uri: "svc://agents/{handle}",
  name: "agent",
  title: "One agent",
  summary: "One sender persona by its handle.",
  description: "The whole agent: who it is, how it writes, when it may send.",
  category: "agents",
  scope: GetAgent.scope,
  relatedCommands: ["agent.get", "agent.update"],
  params: Resource.handleParam,
  example: { handle: "ada-martin" },
  payload: GetAgent.output,
  compact: GetAgent.compact,
  read: ({ handle }) => GetAgent.run({ agent_handle: handle })
})

/** `svc://imports/{id}`. */
export const importResource = Resource.make({
  uri: "svc://imports/{id}",
  name: "import",
  title: "One import",
  summary: "State, counts and refused rows of one import.",
  description: "How an import stands and why rows were refused; to be polled while its state is running.",
  category: "imports",
  scope: GetImport.scope,
  relatedCommands: ["import.get", "import.list", "import.sales-nav.search"],
  params: Resource.idParam,
  example: { id: "imp_SAMPLE00000000000000000001" },
  payload: GetImport.output,
  compact: GetImport.compact,
  read: ({ id }) => GetImport.run({ import_id: id })
})
