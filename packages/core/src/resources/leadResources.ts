/** Resources for leads: who waits for a reply, and who must not be contacted. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { Instant } from "../kernel/schema/Time.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { furtherPage, NextUri, readListPage } from "./outreachResources.ts"

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

const inboxTexts = {
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.get", "linkedin.draft.create", "lead.status.set"],
  payload: Inbox,
  failures: [NotFound],
  compact: compactInbox
} as const

/** `svc://inbox`: the first page. */
export const inboxResource = Resource.make({
  ...inboxTexts,
  uri: inboxUri,
  name: "inbox",
  title: "Unanswered messages",
  summary: `Leads waiting for a reply, longest first, ${shownLeads} a page, with the total`,
  description:
    "Every lead with an unanswered inbound message, except those who must not or need not be contacted. Read next_uri for the " +
    "next page.",
  read: () => readInbox(undefined)
})

/** `svc://inbox/{cursor}`: a further page. */
export const moreInboxResource = Resource.make({
  ...inboxTexts,
  uri: `${inboxUri}/{cursor}`,
  name: "more-inbox",
  title: "More unanswered messages",
  summary: "A further page of the leads waiting for a reply",
  description: "The page that next_uri of the page before names; first is the first page.",
  ...furtherPage,
  read: ({ cursor }) => readInbox(cursor)
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

const suppressionTexts = {
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.suppress", "lead.suppression.check", "lead.suppression.lift"],
  payload: Suppressions,
  failures: [NotFound]
} as const

/** `svc://suppressions`: the first page. */
export const suppressionsResource = Resource.make({
  ...suppressionTexts,
  uri: suppressionsUri,
  name: "suppressions",
  title: "Suppressed people and domains",
  summary: `Suppression list, newest first, ${shownLeads} a page, with the total`,
  description:
    "Entries by identifier, domain or lead, with reason and expiry; expired ones are listed until they are lifted. " +
    "For erased people only the number of hashes is known. Read next_uri for the next page.",
  read: () => readSuppressions(undefined)
})

/** `svc://suppressions/{cursor}`: a further page. */
export const moreSuppressionsResource = Resource.make({
  ...suppressionTexts,
  uri: `${suppressionsUri}/{cursor}`,
  name: "more-suppressions",
  title: "More suppressed people and domains",
  summary: "A further page of the suppression list",
  description: "The page that next_uri of the page before names; first is the first page.",
  ...furtherPage,
  read: ({ cursor }) => readSuppressions(cursor)
})
