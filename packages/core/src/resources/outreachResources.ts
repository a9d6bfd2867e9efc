/** Resources of the daily work: prospects, drafts to review, and the LinkedIn accounts that carry them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { notFound } from "../Failure.ts"
import { GetLead } from "../leads/commands/GetLead.ts"
import { ListAccounts } from "../linkedin/commands/ListAccounts.ts"
import { DraftsRepo } from "../linkedin/DraftsRepo.ts"
import { contentHashOfView, type DraftView, draftOf } from "../linkedin/DraftView.ts"
import { LinkedInDraft } from "../linkedin/LinkedInDraft.ts"
import * as Resource from "../Resource.ts"

/** A draft with the hash that an approval of exactly this text may carry. Source: G9, contract 7. */
const HashedDraft = Schema.Struct({
  draft: LinkedInDraft,
  content_hash: Schema.String.annotate({ description: "Send it when approving, so that only this text is approved" })
})

const hashed = (view: DraftView): typeof HashedDraft.Type => ({
  draft: draftOf(view),
  content_hash: contentHashOfView(view)
})

const shownPending = 100

/** `svc://linkedin/drafts/pending`. */
export const pendingDraftsResource = Resource.make({
  uri: "svc://linkedin/drafts/pending",
  name: "pending-drafts",
  title: "Drafts to review",
  summary: "LinkedIn drafts that wait for review, oldest first, at most 100, and how many there are.",
  description: "Every draft in PENDING_REVIEW, of all missions and of none, each with its content_hash.",
  category: "linkedin",
  scope: "linkedin:read",
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.cancel"],
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({ drafts: Schema.Array(HashedDraft), total: Schema.Int }),
  read: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const { drafts, total } = yield* (yield* DraftsRepo).pending(organizationId, shownPending)
    return { drafts: drafts.map(hashed), total }
  })
})

/** `svc://linkedin/drafts/{id}`. */
export const draftResource = Resource.make({
  uri: "svc://linkedin/drafts/{id}",
  name: "draft",
  title: "One LinkedIn draft",
  summary: "One LinkedIn draft with its content_hash.",
  description: "The draft with its variations, lead, agent and mission, and the hash an approval may be bound to.",
  category: "linkedin",
  scope: "linkedin:read",
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.update", "linkedin.draft.approve"],
  params: Resource.idParam,
  example: { id: "drf_SAMPLE00000000000000000001" },
  payload: HashedDraft,
  read: Effect.fnUntraced(function* ({ id }) {
    const { organizationId } = yield* Actor
    const view = yield* (yield* DraftsRepo).find(organizationId, id)
    return view === undefined ? yield* notFound("draft", id.slice(0, 64)) : hashed(view)
  })
})

/** `svc://linkedin/accounts`. */
export const accountsResource = Resource.make({
  uri: "svc://linkedin/accounts",
  name: "linkedin-accounts",
  title: "LinkedIn accounts",
  summary: "The LinkedIn accounts of the agents, with their health.",
  description: "Which account each agent writes with, whether it may send, and how much it was used.",
  category: "linkedin",
  scope: ListAccounts.scope,
  relatedCommands: ["linkedin.account.list", "agent.list"],
  params: Resource.noParams,
  example: {},
  payload: ListAccounts.output,
  compact: ListAccounts.compact,
  read: () => ListAccounts.run({})
})

/** `svc://prospects/{id}`. */
export const prospectResource = Resource.make({
  uri: "svc://prospects/{id}",
  name: "prospect",
  title: "One prospect",
  summary: "A lead with everything needed to write to it.",
  description:
    "The lead with its context: the latest messages, the open draft, missions with what their offers say, what to do next.",
  category: "leads",
  scope: GetLead.scope,
  relatedCommands: ["lead.get", "lead.upsert", "linkedin.draft.create"],
  params: Resource.idParam,
  example: { id: "ld_SAMPLE00000000000000000001" },
  payload: GetLead.output,
  compact: GetLead.compact,
  read: ({ id }) => GetLead.run({ lead_id: id })
})
