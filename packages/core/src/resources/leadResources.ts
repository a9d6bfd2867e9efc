/** Resources for leads: who waits for a reply, and who must not be contacted. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { NextUri, pagesOf, readListPage } from "./outreachResources.ts"

const text = Schema.String
const shownLeads = 25
const compactContent = 280
const inboxUri = "svc://inbox"
const suppressionsUri = "svc://suppressions"

const cut = (content: string): string =>
  content.length > compactContent ? `${[...content].slice(0, compactContent).join("")}…` : content

const Inbox = Schema.Struct({
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
  total: Schema.Int.annotate({ description: "How many leads wait on all pages" }),
  next_uri: NextUri
})

const readInbox = Effect.fnUntraced(function* (cursor: string | undefined) {
  const { unanswered } = yield* LeadsRepo
  const { found, items, next_uri } = yield* readListPage({ cursor, limit: shownLeads, uri: inboxUri }, unanswered)
  return {
    leads: items.map(({ company, id, lastInboundAt, message, name, status }) => ({
      lead_id: id,
      name,
      company,
      status,
      waiting_since: lastInboundAt,
      message: message && { message_id: message.id, channel: message.channel, content: message.content }
    })),
    total: found.total,
    next_uri
  }
})

const compactInbox = ({ leads, ...rest }: typeof Inbox.Type) => ({
  output: {
    leads: leads.map((lead) => ({
      ...lead,
      message: lead.message && { ...lead.message, content: cut(lead.message.content) }
    })),
    ...rest
  },
  warnings: leads.some(({ message }) => message !== null && cut(message.content) !== message.content)
    ? [`compact: messages are cut to ${compactContent} characters; use response_profile full for the rest`]
    : []
})

/** `svc://inbox`, and its further pages. */
export const [inboxResource, moreInboxResource] = pagesOf({
  uri: inboxUri,
  name: "inbox",
  title: "Unanswered messages",
  summary: `Leads waiting for a reply, longest first, ${shownLeads} a page, with the total`,
  description:
    "Every lead with an unanswered inbound message, except those who must not or need not be contacted. Read next_uri for the " +
    "next page.",
  further: "the leads waiting for a reply",
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.get", "linkedin.draft.create", "lead.status.set"],
  payload: Inbox,
  compact: compactInbox,
  read: readInbox
})

const Suppressions = Schema.Struct({
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
  total: Schema.Int.annotate({ description: "How many entries there are on all pages" }),
  tombstones: Schema.Int,
  next_uri: NextUri
})

const readSuppressions = Effect.fnUntraced(function* (cursor: string | undefined) {
  const { listSuppressions } = yield* PrivacyRepo
  const { found, items, next_uri } = yield* readListPage(
    { cursor, limit: shownLeads, uri: suppressionsUri },
    listSuppressions
  )
  return {
    suppressions: items.map(({ createdAt, kind, leadId, reason, until, value }) => ({
      kind,
      value,
      lead_id: leadId,
      reason,
      until,
      created_at: createdAt
    })),
    total: found.total,
    tombstones: found.tombstones,
    next_uri
  }
})

/** `svc://suppressions`, and its further pages. */
export const [suppressionsResource, moreSuppressionsResource] = pagesOf({
  uri: suppressionsUri,
  name: "suppressions",
  title: "Suppressed people and domains",
  summary: `Suppression list, newest first, ${shownLeads} a page, with the total`,
  description:
    "Entries by identifier, domain or lead, with reason and expiry; expired ones are listed until they are lifted. " +
    "For erased people only the number of hashes is known. Read next_uri for the next page.",
  further: "the suppression list",
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.suppress", "lead.suppression.check", "lead.suppression.lift"],
  payload: Suppressions,
  read: readSuppressions
})
