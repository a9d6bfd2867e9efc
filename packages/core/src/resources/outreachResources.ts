/** Resources for prospects, drafts and LinkedIn accounts. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AnySchema } from "../kernel/command/Command.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { type CommonFailure, NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import type { OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { type Page, type PageRequest, readPage } from "../kernel/schema/Page.ts"
import { GetLead } from "../leads/commands/readLeads.ts"
import { ListAccounts } from "../outreach/commands/accounts.ts"
import { DraftsRepo } from "../outreach/drafts/DraftsRepo.ts"
import { contentHashOfView, type DraftView, draftOf } from "../outreach/drafts/DraftView.ts"
import { LinkedInDraft } from "../outreach/drafts/LinkedInDraft.ts"

/** Field of a payload: where the next page is. */
export const NextUri = Schema.NullOr(Schema.String).annotate({ description: "The next page; null on the last page" })

/** The cursor that means the first page. */
export const firstPage = "first"

/** The resources of a list: its first page, and at `uri/{cursor}` each further page of what `further` says. */
export const pagesOf = <Out extends AnySchema, R>({
  further,
  read,
  ...first
}: Omit<Resource.Declaration<Record<never, string>, Out, R, NotFound>, "failures" | "read"> & {
  readonly further: string
  readonly read: (cursor: string | undefined) => Effect.Effect<Out["Type"], NotFound | CommonFailure, R>
}) =>
  [
    Resource.make({ ...first, failures: [NotFound], read: () => read(undefined) }),
    Resource.make({
      ...first,
      uri: `${first.uri}/{cursor}`,
      name: `more-${first.name}`,
      title: `More ${first.title.charAt(0).toLowerCase()}${first.title.slice(1)}`,
      summary: `A further page of ${further}`,
      description: "The page that next_uri of the page before names; first is the first page.",
      example: { cursor: firstPage },
      failures: [NotFound],
      read: ({ cursor }) => read(cursor)
    })
  ] as const

/** Reads the page of a list at `uri` after a cursor; undefined for the first. Fails with NOT_FOUND for a cursor of another list. */
export const readListPage = Effect.fnUntraced(function* <A, P extends Page<A>, E, R>(
  { cursor, limit, uri }: { readonly cursor: string | undefined; readonly limit: number; readonly uri: string },
  read: (organizationId: OrganizationId, request: PageRequest) => Effect.Effect<P & Page<A>, E, R>
) {
  const { organizationId } = yield* Actor
  const given = cursor === undefined || cursor === firstPage ? {} : { cursor }
  let found: P | undefined
  const { items, nextCursor } = yield* readPage(organizationId, uri, { limit, ...given }, (request) =>
    Effect.tap(read(organizationId, request), (page) =>
      Effect.sync(() => {
        found = page
      })
    )
  ).pipe(
    Effect.catchTag("InvalidCursor", () => Effect.fail(new NotFound({ kind: "page", id: (cursor ?? "").slice(0, 64) })))
  )
  if (found === undefined) return yield* Effect.die("a page was not read")
  return { items, found, next_uri: nextCursor === null ? null : `${uri}/${nextCursor}` }
})

/** A draft with the hash to send with an approval of exactly this text. */
const HashedDraft = Schema.Struct({
  draft: LinkedInDraft,
  content_hash: Schema.String.annotate({ description: "Send it with the approval, so that only this text is approved" })
})

const hashed = (view: DraftView): typeof HashedDraft.Type => ({
  draft: draftOf(view),
  content_hash: contentHashOfView(view)
})

const shownPending = 10

const pendingUri = "svc://linkedin/drafts/pending"

const PendingDrafts = Schema.Struct({
  drafts: Schema.Array(HashedDraft),
  total: Schema.Int.annotate({ description: "How many drafts are waiting on all pages" }),
  next_uri: NextUri
})

const readPending = Effect.fnUntraced(function* (cursor: string | undefined) {
  const repo = yield* DraftsRepo
  const { found, items, next_uri } = yield* readListPage({ cursor, limit: shownPending, uri: pendingUri }, repo.pending)
  return { drafts: items.map(hashed), total: found.total, next_uri }
})

/** `svc://linkedin/drafts/pending`, and its further pages. */
export const [pendingDraftsResource, morePendingDraftsResource] = pagesOf({
  uri: pendingUri,
  name: "pending-drafts",
  title: "Drafts to review",
  summary: `LinkedIn drafts waiting for review, oldest first, ${shownPending} a page, with the total`,
  description:
    "Every draft in PENDING_REVIEW, with or without a mission, each with its content_hash. Read next_uri for the next page.",
  further: "the LinkedIn drafts waiting for review",
  category: "linkedin",
  scope: "linkedin:read",
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.cancel"],
  payload: PendingDrafts,
  read: readPending
})

/** `svc://linkedin/drafts/{id}`. */
export const draftResource = Resource.make({
  uri: "svc://linkedin/drafts/{id}",
  name: "draft",
  title: "One LinkedIn draft",
  summary: "A LinkedIn draft with its content_hash",
  description: "The draft with its variations, lead, agent and mission, and the hash to send with an approval.",
  category: "linkedin",
  scope: "linkedin:read",
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.update", "linkedin.draft.approve"],
  example: { id: "drf_SAMPLE00000000000000000001" },
  payload: HashedDraft,
  failures: [NotFound],
  read: Effect.fnUntraced(function* ({ id }) {
    const { organizationId } = yield* Actor
    const view = yield* (yield* DraftsRepo).find(organizationId, id)
    return view === undefined ? yield* new NotFound({ kind: "draft", id: id.slice(0, 64) }) : hashed(view)
  })
})

/** `svc://linkedin/accounts`. */
export const accountsResource = Resource.ofCommand(ListAccounts, {
  uri: "svc://linkedin/accounts",
  name: "linkedin-accounts",
  title: "LinkedIn accounts",
  summary: "The agents' LinkedIn accounts and their health",
  description: "The account of each agent, whether it can send, and its usage.",
  relatedCommands: ["linkedin.account.list", "agent.list"],
  input: () => ({})
})

/** `svc://prospects/{id}`. */
export const prospectResource = Resource.ofCommand(GetLead, {
  uri: "svc://prospects/{id}",
  name: "prospect",
  title: "One prospect",
  summary: "A lead with everything needed to write to it",
  description: "The lead with its context: latest messages, open draft, missions and their offers, next action.",
  relatedCommands: ["lead.get", "lead.upsert", "linkedin.draft.create"],
  example: { id: "ld_SAMPLE00000000000000000001" },
  input: ({ id }) => ({ lead_id: id })
})
