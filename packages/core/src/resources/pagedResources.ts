/** Lists as resources: the first page, and each further page under the URI that the page before names. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ListReviews } from "../email/commands.ts"
import { Email } from "../email/Email.ts"
import type { AnySchema } from "../kernel/command/Command.ts"
import { type CommonFailure, type InvalidCursor, NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { compacted } from "../kernel/schema/compact.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { readPage } from "../kernel/schema/Page.ts"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { contentHashOfView, DraftsRepo, type DraftView, draftOf } from "../outreach/DraftsRepo.ts"
import { LinkedInDraft } from "../outreach/LinkedInDraft.ts"

const text = Schema.String
const totalOf = (description: string) => Schema.Int.annotate({ description })
const next_uri = Schema.NullOr(text).annotate({ description: "The next page; null on the last page" })

/** The cursor that means the first page. */
const firstPage = "first"

interface PageInput {
  readonly cursor?: string
  readonly limit: number
}

type NextUri = (cursor: string | null) => string | null

/**
 * The resources of a list: its first page, and at `uri/{cursor}` each further page of what `further` says. A cursor of another
 * list is not found.
 */
const pagesOf = <Out extends AnySchema, R>({
  further,
  limit,
  read,
  ...first
}: Omit<Resource.Declaration<Record<never, string>, Out, R, NotFound>, "failures" | "read"> & {
  readonly further: string
  readonly limit: number
  readonly read: (
    input: PageInput,
    nextUri: NextUri
  ) => Effect.Effect<Out["Type"], InvalidCursor | NotFound | CommonFailure, R>
}) => {
  const nextUri: NextUri = (cursor) => (cursor === null ? null : `${first.uri}/${cursor}`)
  const readAt = (cursor: string) =>
    Effect.catchTag(read(cursor === firstPage ? { limit } : { limit, cursor }, nextUri), "InvalidCursor", () =>
      Effect.fail(new NotFound({ kind: "page", id: cursor.slice(0, 64) }))
    )
  return [
    Resource.make({ ...first, failures: [NotFound], read: () => readAt(firstPage) }),
    Resource.make({
      ...first,
      uri: `${first.uri}/{cursor}`,
      name: `more-${first.name}`,
      title: `More ${first.title.charAt(0).toLowerCase()}${first.title.slice(1)}`,
      summary: `A further page of ${further}`,
      description: "The page that next_uri of the page before names; first is the first page.",
      example: { cursor: firstPage },
      failures: [NotFound],
      read: ({ cursor }) => readAt(cursor)
    })
  ] as const
}

/** A draft with the hash to send with an approval of exactly this text. */
export const HashedDraft = Schema.Struct({
  draft: LinkedInDraft,
  content_hash: text.annotate({ description: "Send it with the approval, so that only this text is approved" })
})

/** The {@link HashedDraft} of a stored draft. */
export const hashed = (view: DraftView): typeof HashedDraft.Type => ({
  draft: draftOf(view),
  content_hash: contentHashOfView(view)
})

const shownPending = 10

/** `svc://linkedin/drafts/pending`, and its further pages. */
export const pendingDrafts = pagesOf({
  uri: "svc://linkedin/drafts/pending",
  name: "pending-drafts",
  title: "Drafts to review",
  summary: `LinkedIn drafts waiting for review, oldest first, ${shownPending} a page, with the total`,
  description:
    "Every draft in PENDING_REVIEW, with or without a mission, each with its content_hash. Read next_uri for the next page.",
  further: "the LinkedIn drafts waiting for review",
  limit: shownPending,
  category: "linkedin",
  scope: "linkedin:read",
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.cancel"],
  payload: Schema.Struct({
    drafts: Schema.Array(HashedDraft),
    total: totalOf("How many drafts are waiting on all pages"),
    next_uri
  }),
  read: Effect.fnUntraced(function* (input, nextUri) {
    const { pending } = yield* DraftsRepo
    const { items, next_cursor, total } = yield* readPage("svc://linkedin/drafts/pending", input, pending)
    return { drafts: items.map(hashed), total, next_uri: nextUri(next_cursor) }
  })
})

const shownLeads = 25
/** `svc://inbox`, and its further pages. */
export const inbox = pagesOf({
  uri: "svc://inbox",
  name: "inbox",
  title: "Unanswered messages",
  summary: `Leads waiting for a reply, longest first, ${shownLeads} a page, with the total`,
  description:
    "Every lead with an unanswered inbound message, except those who must not or need not be contacted. Read next_uri for the " +
    "next page.",
  further: "the leads waiting for a reply",
  limit: shownLeads,
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.get", "linkedin.draft.create", "lead.status.set"],
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
    total: totalOf("How many leads wait on all pages"),
    next_uri
  }),
  compact: ({ leads, ...rest }) =>
    compacted(
      {
        leads: leads.map((lead) => ({
          ...lead,
          message: lead.message && { ...lead.message, content: shorten(lead.message.content) }
        })),
        ...rest
      },
      leads.some(({ message }) => message !== null && message.content.length > shortLength),
      `messages are cut to ${shortLength} characters; use response_profile full for the rest`
    ),
  read: Effect.fnUntraced(function* (input, nextUri) {
    const { items, next_cursor, total } = yield* readPage("svc://inbox", input, (yield* LeadsRepo).unanswered)
    return {
      leads: items.map(({ company, id, lastInboundAt, message, name, status }) => ({
        lead_id: id,
        name,
        company,
        status,
        waiting_since: lastInboundAt,
        message: message && { message_id: message.id, channel: message.channel, content: message.content }
      })),
      total,
      next_uri: nextUri(next_cursor)
    }
  })
})

/** `svc://suppressions`, and its further pages. */
export const suppressions = pagesOf({
  uri: "svc://suppressions",
  name: "suppressions",
  title: "Suppressed people and domains",
  summary: `Suppression list, newest first, ${shownLeads} a page, with the total`,
  description:
    "Entries by identifier, domain or lead, with reason and expiry; expired ones are listed until they are lifted. " +
    "For erased people only the number of hashes is known. Read next_uri for the next page.",
  further: "the suppression list",
  limit: shownLeads,
  category: "leads",
  scope: "leads:read",
  relatedCommands: ["lead.suppress", "lead.suppression.check", "lead.suppression.lift"],
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
    total: totalOf("How many entries there are on all pages"),
    tombstones: Schema.Int,
    next_uri
  }),
  read: Effect.fnUntraced(function* (input, nextUri) {
    const { listSuppressions } = yield* PrivacyRepo
    const { items, next_cursor, tombstones, total } = yield* readPage("svc://suppressions", input, listSuppressions)
    return {
      suppressions: items.map((row) => snakeFields(row, ["kind", "value", "leadId", "reason", "until", "createdAt"])),
      total,
      tombstones,
      next_uri: nextUri(next_cursor)
    }
  })
})

const shownReviews = 10

/** `svc://email/reviews`, and its further pages. */
export const emailReviews = pagesOf({
  uri: "svc://email/reviews",
  name: "email-reviews",
  title: "Email reviews",
  summary: `Emails under review, newest first, ${shownReviews} a page`,
  description:
    "Every email under review, with its texts and the content_hash to send with a decision. Read next_uri for the next page.",
  further: "the emails under review",
  limit: shownReviews,
  category: "email",
  scope: "email:read",
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  payload: Schema.Struct({ reviews: Schema.Array(Email), next_uri }),
  read: Effect.fnUntraced(function* (input, nextUri) {
    const { next_cursor, reviews } = yield* ListReviews.run(input)
    return { reviews, next_uri: nextUri(next_cursor) }
  })
})
