/** Every REST endpoint, bound to its command. Source: spec "Endpoints"; G28, G30–G32. */
import type { RestBinding } from "./RestBinding.ts"

const field = (value: unknown, name: string): string =>
  typeof value === "object" && value !== null ? encodeURIComponent(String(Reflect.get(value, name))) : ""

const pageParameters = { cursor: "text", limit: "number" } as const

/** The endpoints. */
export const restBindings: ReadonlyArray<RestBinding> = [
  { method: "GET", path: "/api/v1/offers", command: "rest.offers.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/offers",
    command: "rest.offers.create",
    object: "offer",
    location: ({ offer }) => `/api/v1/offers/${field(offer, "id")}`
  },
  { method: "PATCH", path: "/api/v1/offers/{offerId}", command: "rest.offers.update", object: "offer" },
  {
    method: "POST",
    path: "/api/v1/missions",
    command: "rest.missions.create",
    object: "mission",
    location: ({ mission }) => `/api/v1/missions/${field(mission, "handle")}`
  },
  { method: "GET", path: "/api/v1/missions/{missionHandle}", command: "rest.missions.get", object: "mission" },
  {
    method: "POST",
    path: "/api/v1/missions/{missionHandle}/leads",
    command: "rest.missions.leads.add",
    bodyLimit: 5 * 1024 * 1024,
    headers: { import_id: "svc-import-id" }
  },
  { method: "GET", path: "/api/v1/agents", command: "rest.agents.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/agents",
    command: "rest.agents.create",
    object: "agent",
    location: ({ agent }) => `/api/v1/agents/${field(agent, "handle")}`
  },
  { method: "PATCH", path: "/api/v1/agents/{agentHandle}", command: "rest.agents.update", object: "agent" },
  {
    method: "DELETE",
    path: "/api/v1/agents/{agentHandle}",
    command: "rest.agents.delete",
    parameters: { force: "boolean" }
  }
]
