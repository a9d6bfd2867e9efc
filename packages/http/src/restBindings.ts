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
  { method: "GET", path: "/api/v1/offers/{offerId}", command: "rest.offers.get", object: "offer" },
  { method: "PATCH", path: "/api/v1/offers/{offerId}", command: "rest.offers.update", object: "offer" },
  { method: "DELETE", path: "/api/v1/offers/{offerId}", command: "rest.offers.delete" },
  {
    method: "GET",
    path: "/api/v1/leads",
    command: "rest.leads.list",
    parameters: { query: "text", status: "text", mission: "text", ...pageParameters }
  },
  { method: "POST", path: "/api/v1/leads", command: "rest.leads.upsert", object: "lead" },
  { method: "GET", path: "/api/v1/leads/{leadId}", command: "rest.leads.get", object: "lead" },
  { method: "GET", path: "/api/v1/missions", command: "rest.missions.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/missions",
    command: "rest.missions.create",
    object: "mission",
    location: ({ mission }) => `/api/v1/missions/${field(mission, "handle")}`
  },
  { method: "GET", path: "/api/v1/missions/{missionHandle}", command: "rest.missions.get", object: "mission" },
  { method: "PATCH", path: "/api/v1/missions/{missionHandle}", command: "rest.missions.update", object: "mission" },
  {
    method: "GET",
    path: "/api/v1/missions/{missionHandle}/leads",
    command: "rest.missions.leads.list",
    parameters: pageParameters
  },
  {
    method: "POST",
    path: "/api/v1/missions/{missionHandle}/leads",
    command: "rest.missions.leads.add",
    bodyLimit: 5 * 1024 * 1024,
    headers: { import_id: "svc-import-id" }
  },
  {
    method: "GET",
    path: "/api/v1/missions/{missionHandle}/imports",
    command: "rest.missions.imports.list",
    parameters: { type: "text", state: "text", ...pageParameters }
  },
  {
    method: "GET",
    path: "/api/v1/imports",
    command: "rest.imports.list",
    parameters: { mission: "text", type: "text", state: "text", ...pageParameters }
  },
  { method: "GET", path: "/api/v1/imports/{importId}", command: "rest.imports.get", object: "import" },
  { method: "GET", path: "/api/v1/agents", command: "rest.agents.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/agents",
    command: "rest.agents.create",
    object: "agent",
    location: ({ agent }) => `/api/v1/agents/${field(agent, "handle")}`
  },
  { method: "GET", path: "/api/v1/agents/{agentHandle}", command: "rest.agents.get", object: "agent" },
  { method: "PATCH", path: "/api/v1/agents/{agentHandle}", command: "rest.agents.update", object: "agent" },
  {
    method: "DELETE",
    path: "/api/v1/agents/{agentHandle}",
    command: "rest.agents.delete",
    parameters: { force: "boolean" }
  },
  {
    method: "GET",
    path: "/api/v1/events",
    command: "rest.events.list",
    parameters: { after: "number", types: "text", limit: "number" }
  },
  {
    method: "GET",
    path: "/api/v1/audit",
    command: "rest.audit.list",
    parameters: {
      command_id: "text",
      actor_kind: "text",
      outcome: "text",
      after: "text",
      before: "text",
      ...pageParameters
    }
  },
  { method: "GET", path: "/api/v1/keys", command: "rest.keys.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/keys",
    command: "rest.keys.create",
    location: ({ key }) => `/api/v1/keys/${field(key, "key_id")}`
  },
  { method: "POST", path: "/api/v1/keys/{keyId}/rotate", command: "rest.keys.rotate", bodyOptional: true },
  { method: "DELETE", path: "/api/v1/keys/{keyId}", command: "rest.keys.revoke" },
  { method: "GET", path: "/api/v1/webhooks", command: "rest.webhooks.list", parameters: pageParameters },
  {
    method: "POST",
    path: "/api/v1/webhooks",
    command: "rest.webhooks.create",
    object: "webhook",
    location: ({ webhook }) => `/api/v1/webhooks/${field(webhook, "webhook_id")}`
  },
  { method: "GET", path: "/api/v1/webhooks/{webhookId}", command: "rest.webhooks.get", object: "webhook" },
  { method: "PATCH", path: "/api/v1/webhooks/{webhookId}", command: "rest.webhooks.update", object: "webhook" },
  { method: "DELETE", path: "/api/v1/webhooks/{webhookId}", command: "rest.webhooks.delete" },
  { method: "POST", path: "/api/v1/webhooks/{webhookId}/rotate", command: "rest.webhooks.rotate", bodyOptional: true },
  { method: "POST", path: "/api/v1/webhooks/{webhookId}/test", command: "rest.webhooks.test", bodyOptional: true },
  {
    method: "GET",
    path: "/api/v1/webhooks/{webhookId}/deliveries",
    command: "rest.webhooks.deliveries",
    parameters: { state: "text", ...pageParameters }
  },
  {
    method: "POST",
    path: "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    command: "rest.webhooks.redeliver",
    bodyOptional: true
  }
]
