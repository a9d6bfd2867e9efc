/** Resources for leads: who waits for a reply, and who must not be contacted. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { Instant } from "../kernel/schema/Time.ts"
import { LeadHistoryRepo } from "../leads/history/LeadHistoryRepo.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { SuppressionsRepo } from "../leads/suppression/SuppressionsRepo.ts"

const text = Schema.String
const shownLeads = 100
const compactContent = 280

const cut = (content: string): string =>
  content.length > compactContent ? `${[...content].slice(0, compactContent).join("")}…` : content

/** `svc://inbox`. */
export const inboxResource = Resource.make({
  uri: "svc://inbox",
  name: "inbox",
  title: "Unanswered messages",
  summary: "Leads waiting for a reply, longest first, at most 100, with the total",
  description: "Every lead with an unanswered inbound message, except those who must not or need not be contacted.",
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.get", "linkedin.draft.create", "lead.status.set"],
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({
    leads: Schema.Array(
      Schema.Struct({
        lead_id: text,
        name: text,
        company: text,
        status: LeadStatus,
        waiting_since: Instant,
        message: Schema.NullOr(Schema.Struct({ message_id: text, channel: MessageChannel, content: text }))
      })
    ),
    total: Schema.Int
  }),
  compact: ({ leads, total }) => ({
    output: {
      leads: leads.map((lead) => ({
        ...lead,
        message: lead.message && { ...lead.message, content: cut(lead.message.content) }
      })),
      total
    },
    warnings: leads.some(({ message }) => message !== null && cut(message.content) !== message.content)
      ? [`compact: messages are cut to ${compactContent} characters; use response_profile full for the rest`]
      : []
  }),
  read: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const { leads, total } = yield* (yield* LeadHistoryRepo).unanswered(organizationId, shownLeads)
    return {
      leads: leads.map(({ company, id, lastInboundAt, message, name, status }) => ({
        lead_id: id,
        name,
        company,
        status,
        waiting_since: lastInboundAt,
        message: message && { message_id: message.id, channel: message.channel, content: message.content }
      })),
      total
    }
  })
})

/** `svc://suppressions`. */
export const suppressionsResource = Resource.make({
  uri: "svc://suppressions",
  name: "suppressions",
  title: "Suppressed people and domains",
  summary: "Suppression list, newest first, at most 100, with the total",
  description:
    "Entries by identifier, domain or lead, with reason and expiry; expired ones are listed until they are lifted. " +
    "For erased people only the number of hashes is known.",
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.suppress", "lead.suppression.check", "lead.suppression.lift"],
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({
    suppressions: Schema.Array(
      Schema.Struct({
        kind: text,
        value: text,
        lead_id: Schema.NullOr(text),
        reason: text,
        until: Schema.NullOr(Instant),
        created_at: Instant
      })
    ),
    total: Schema.Int,
    tombstones: Schema.Int
  }),
  read: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const page = { limit: shownLeads, after: undefined }
    const { items, tombstones, total } = yield* (yield* SuppressionsRepo).list(organizationId, page)
    return {
      suppressions: items.map(({ createdAt, kind, leadId, reason, until, value }) => ({
        kind,
        value,
        lead_id: leadId,
        reason,
        until,
        created_at: createdAt
      })),
      total,
      tombstones
    }
  })
})
