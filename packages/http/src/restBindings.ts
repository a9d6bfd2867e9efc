/** Every REST endpoint: its path, command and query parameters, and how its spelling differs from the command's. */
import { Instant, line, type OfferId, type OutputOf } from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { camelKeys, compactLead, Lead, NextCursor } from "@svc/core/internal"
import { LeadStatus } from "@svc/core/leads"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { RestBinding } from "./RestBinding.ts"
import type { Spelling } from "./RestForm.ts"
import type { Method } from "./Route.ts"

const text = Schema.String

/** One lead, without the other output of `lead.get` and `lead.upsert`. */
const oneLead = {
  schema: Schema.Struct({ lead: Lead }),
  show: ({ lead }: { readonly lead: Lead }) => ({ lead })
}

/** {@link oneLead} in the compact profile. */
const shortLead = ({ lead }: { readonly lead: Lead }) => {
  const { output, warnings } = compactLead(lead)
  return { output: { lead: output }, warnings }
}

const ListedLead = Schema.Struct({
  id: text,
  name: text,
  title: text,
  jobTitle: text,
  company: text,
  email: Schema.NullOr(text),
  linkedinUrl: text,
  avatarUrl: text,
  score: Schema.Finite,
  status: LeadStatus,
  isFlagged: Schema.Boolean,
  lastInteraction: Schema.NullOr(Instant),
  addedDate: Instant,
  updatedAt: Instant
})

type SearchOutput = OutputOf<Extract<Commands, { readonly id: "lead.search" }>>

/** A page of leads. */
const listedLeads = {
  schema: Schema.Struct({ leads: Schema.Array(ListedLead), count: Schema.Int, nextCursor: NextCursor }),
  show: ({ count, leads, next_cursor }: SearchOutput) => ({
    leads: leads.map(({ created_at, headline, lead_id, ...lead }) =>
      Struct.pick(
        { id: lead_id, title: headline || lead.job_title, ...camelKeys(lead), addedDate: created_at },
        Struct.keys(ListedLead.fields)
      )
    ),
    count,
    nextCursor: next_cursor
  })
}

/** Names in paths are not validated: an impossible name is simply not found. */
const inPath = {
  agentHandle: line(200, "Handle of the agent, such as ada-martin; its id works too"),
  missionHandle: line(200, "Handle of the mission, such as spring-outreach; its id works too"),
  offerId: line(200, "Id of the offer")
} as const

const offer: Spelling = {
  without: ["offer_name"],
  schemas: { offerId: inPath.offerId },
  phrases: { "name (or offer_name)": "name" }
}

const newOffer: Spelling = { without: ["offer_name", "offer_id"], phrases: { "name (or offer_name)": "name" } }

const mission: Spelling = {
  without: ["brief", "status"],
  names: {
    mission_id: "missionHandle",
    target_audience: "whoAreThey",
    example_messages: "emailExamples",
    lifecycle: "status"
  },
  schemas: { missionHandle: inPath.missionHandle },
  showsRecord: true
}

const newMission: Spelling = { ...mission, without: ["brief"], schemas: {}, required: ["agentHandle"] }

const agent: Spelling = { schemas: { agentHandle: inPath.agentHandle }, phrases: { "force: true": "?force=true" } }

const key: Spelling = { isSnakeCase: true, names: { key_id: "keyId" } }

const webhook: Spelling = { isSnakeCase: true, names: { webhook_id: "webhookId", delivery_id: "deliveryId" } }

const inMission = { names: { mission_id: "missionHandle" }, schemas: { missionHandle: inPath.missionHandle } }

const leadList: Spelling = {
  only: ["query", "status", "mission_id", "cursor", "limit"],
  names: { mission_id: "mission" },
  schemas: { status: Schema.optionalKey(LeadStatus.annotate({ description: "Lead status" })) },
  complete: ({ status, ...rest }) => ({
    ...rest,
    ...(status === undefined ? {} : { status: [status] }),
    sort: "recent"
  }),
  output: listedLeads
}

const deletedOffer = {
  schema: Schema.Struct({ id: Schema.String }),
  show: ({ offer_id }: { readonly offer_id: OfferId }) => ({ id: offer_id })
}

const pageParameters = { cursor: "text", limit: "number" } as const

type BindingOptions = Omit<RestBinding, "method" | "path" | "command">

const endpoint =
  (method: Method) =>
  (path: string, command: Commands["id"], options: BindingOptions = {}): RestBinding => ({
    method,
    path: `/api/v1${path}`,
    command,
    ...options
  })

const get = endpoint("GET")

const post = endpoint("POST")

const patch = endpoint("PATCH")

const remove = endpoint("DELETE")

/** The endpoints. */
export const restBindings: ReadonlyArray<RestBinding> = [
  get("/offers", "offer.list", { spelling: { only: ["cursor", "limit"] }, parameters: pageParameters }),
  post("/offers", "offer.create", {
    spelling: newOffer,
    object: "offer",
    created: ["offer", "id"]
  }),
  get("/offers/{offerId}", "offer.get", { spelling: offer, object: "offer" }),
  patch("/offers/{offerId}", "offer.update", { spelling: offer, object: "offer" }),
  remove("/offers/{offerId}", "offer.delete", { spelling: { ...offer, output: deletedOffer } }),
  get("/leads", "lead.search", {
    spelling: leadList,
    parameters: { query: "text", status: "text", mission: "text", ...pageParameters }
  }),
  post("/leads", "lead.upsert", {
    spelling: { without: ["prospect_id", "mission_id", "on_conflict"], output: oneLead },
    object: "lead"
  }),
  get("/leads/{leadId}", "lead.get", {
    spelling: { only: ["lead_id"], output: oneLead, compact: shortLead },
    object: "lead"
  }),
  get("/missions", "mission.list", {
    spelling: { showsRecord: true },
    parameters: { query: "text", status: "text", offerId: "text", agentHandle: "text", ...pageParameters }
  }),
  post("/missions", "mission.create", {
    spelling: newMission,
    object: "mission",
    created: ["mission", "handle"]
  }),
  get("/missions/{missionHandle}", "mission.get", { spelling: mission, object: "mission" }),
  patch("/missions/{missionHandle}", "mission.update", { spelling: mission, object: "mission" }),
  get("/missions/{missionHandle}/leads", "lead.search", {
    spelling: { ...leadList, ...inMission, only: ["mission_id", "cursor", "limit"] },
    parameters: pageParameters
  }),
  post("/missions/{missionHandle}/leads", "import.leads.add", {
    spelling: { names: { mission_id: "missionHandle" }, showsRecord: true },
    headers: { import_id: "svc-import-id" }
  }),
  get("/missions/{missionHandle}/imports", "import.list", {
    spelling: { names: { mission_id: "missionHandle" } },
    parameters: { type: "text", state: "text", ...pageParameters }
  }),
  get("/imports", "import.list", {
    spelling: { names: { mission_id: "mission" } },
    parameters: { mission: "text", type: "text", state: "text", ...pageParameters }
  }),
  get("/imports/{importId}", "import.get", { object: "import" }),
  get("/agents", "agent.list", { parameters: pageParameters }),
  post("/agents", "agent.create", {
    object: "agent",
    created: ["agent", "handle"]
  }),
  get("/agents/{agentHandle}", "agent.get", { spelling: agent, object: "agent" }),
  patch("/agents/{agentHandle}", "agent.update", { spelling: agent, object: "agent" }),
  remove("/agents/{agentHandle}", "agent.delete", { spelling: agent, parameters: { force: "boolean" } }),
  get("/events", "event.list", { parameters: { after: "number", types: "text", limit: "number" } }),
  get("/audit", "audit.list", {
    spelling: { isSnakeCase: true },
    parameters: {
      command_id: "text",
      actor_kind: "text",
      outcome: "text",
      after: "text",
      before: "text",
      ...pageParameters
    }
  }),
  get("/keys", "key.list", { parameters: pageParameters }),
  post("/keys", "key.create", { spelling: key, created: ["key", "key_id"] }),
  post("/keys/{keyId}/rotate", "key.rotate", { spelling: key, bodyOptional: true }),
  remove("/keys/{keyId}", "key.revoke", { spelling: key }),
  get("/webhooks", "webhook.list", { parameters: pageParameters }),
  post("/webhooks", "webhook.create", {
    spelling: webhook,
    object: "webhook",
    created: ["webhook", "webhook_id"]
  }),
  get("/webhooks/{webhookId}", "webhook.get", { spelling: webhook, object: "webhook" }),
  patch("/webhooks/{webhookId}", "webhook.update", { spelling: webhook, object: "webhook" }),
  remove("/webhooks/{webhookId}", "webhook.delete", { spelling: webhook }),
  post("/webhooks/{webhookId}/rotate", "webhook.rotate-secret", { spelling: webhook, bodyOptional: true }),
  post("/webhooks/{webhookId}/test", "webhook.test", { spelling: webhook, bodyOptional: true }),
  get("/webhooks/{webhookId}/deliveries", "webhook.deliveries", {
    spelling: webhook,
    parameters: { state: "text", ...pageParameters }
  }),
  post("/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", "webhook.redeliver", {
    spelling: webhook,
    bodyOptional: true
  })
]
