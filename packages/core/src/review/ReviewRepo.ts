/** The review queue, and who looks at which item: a port. It sees only one organization. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AgentRow } from "../agents/Agent.ts"
import { Delegation } from "../kernel/command/Delegation.ts"
import { Actor, type ActorIdentity } from "../kernel/command/Execution.ts"
import type { Scope } from "../kernel/command/Permission.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import { NotFound, type StoreMethod } from "../kernel/failure/failures.ts"
import * as Ids from "../kernel/schema/IdsAndTime.ts"
import { cutPage, type Page, type PageRequest } from "../kernel/schema/Page.ts"
import { nonEmptyLine, optional } from "../kernel/schema/TextFields.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { type DraftFinding, readFindings } from "../outreach/check/draftFindings.ts"
import { readableRequester } from "../workspace/approvals/Approval.ts"

/** The tabs of the review queue. */
export const reviewTabs = ["to_review", "approved", "sent", "replies", "problems", "snoozed"] as const

export type ReviewTab = (typeof reviewTabs)[number]

/** The kinds of items. */
export const reviewKinds = ["message", "invitation", "email", "approval", "reply"] as const

export type ReviewKind = (typeof reviewKinds)[number]

/** Where replies stand: `waiting` for an answer, put aside, answered, or closed by the lead's status. */
export const replyStates = ["waiting", "snoozed", "answered", "closed"] as const

export type ReplyState = (typeof replyStates)[number]

/** Where the reply of a lead who wrote stands at an instant. SQL says it once more. */
export const replyStateOf = (
  { lastInboundAt, lastOutboundAt, snoozedUntil, status }: LeadRow,
  at: string
): ReplyState => {
  if (status === "DoNotContact" || status === "NotInterested") return "closed"
  if (snoozedUntil !== null && snoozedUntil > at) return "snoozed"
  return (lastInboundAt ?? "") > (lastOutboundAt ?? "") ? "waiting" : "answered"
}

/** Days that `sent`, `replies` and problems that nobody can solve go back. */
const shownDays = 30

/** One item. Unknown texts are empty. */
export interface ReviewEntry {
  /** Id of the draft, invitation, email or approval request; of a reply, of the lead. */
  readonly itemId: string
  readonly kind: ReviewKind
  /** See `reviewState`. */
  readonly state: string
  /** Why it is in that state. */
  readonly reason: string | null
  readonly lead: Pick<LeadRow, "id" | "name" | "jobTitle" | "company" | "score" | "timezone"> | null
  readonly agent: (Pick<AgentRow, "id" | "handle" | "timezone" | "workingHours"> & { readonly name: string }) | null
  readonly mission: Pick<MissionRow, "id" | "handle" | "name"> | null
  /** The approved text, else the first variation; of an approval request, the command. */
  readonly text: string
  readonly flagged: boolean
  readonly snoozedUntil: Ids.InstantText | null
  readonly rewriteRequested: boolean
  /** The transmission that carries it, and when it is next worked on. */
  readonly queueId: string | null
  readonly notBefore: Ids.InstantText | null
  /** Its place in the list: an instant. */
  readonly place: Ids.InstantText
  readonly createdAt: Ids.InstantText
  readonly updatedAt: Ids.InstantText
}

/** Which items of a list; undefined means any. `mission` and `agent` are an id or a handle. */
export interface ReviewFilter {
  readonly kinds: ReadonlyArray<ReviewKind>
  /** Commands whose approval requests are not shown. */
  readonly hidden: ReadonlyArray<string>
  readonly mission: string | undefined
  readonly agent: string | undefined
  readonly minScore: number | undefined
  readonly flagged: boolean | undefined
  /** Only replies in this state. */
  readonly reply: ReplyState | undefined
  /** Part of the lead's name or company, or of the text, ignoring case. */
  readonly query: string | undefined
  /** The current time, and the first instant of the {@link shownDays}. */
  readonly at: Ids.InstantText
  readonly since: Ids.InstantText
}

/** Lists that begin with the latest. */
export const isNewestFirst = (tab: ReviewTab): boolean => tab === "sent" || tab === "replies" || tab === "problems"

/** How many items each tab has, how many of the approved ones leave today, and how many of the replies wait. */
export type ReviewCounts = Readonly<Record<ReviewTab | "leaving_today" | "replies_waiting", number>>

/** Somebody who looks at an item: the name of the key, else the id of the user. */
export interface Viewer {
  readonly name: string
  readonly since: Ids.InstantText
}

/** Whose look it is: that of a person, or of an AI agent, whatever the key. The key has the name. */
export interface Looking extends Pick<ActorIdentity, "keyId" | "userId"> {
  readonly itemId: string
  readonly viewerId: string
}

/** Reads the review queue and stores looks, which expire, in one statement each. Fails with UNAVAILABLE when the store cannot be reached. */
export class ReviewRepo extends Context.Service<
  ReviewRepo,
  {
    /**
     * A page of a tab, by place and id: the oldest first, of `sent`, `replies` and `problems` the newest first. Of
     * `approved`, the place is when the item is next worked on.
     */
    readonly list: StoreMethod<[tab: ReviewTab, filter: ReviewFilter, page: PageRequest], Page<ReviewEntry>>
    /**
     * Counts the items of each tab. `leaving` are the transmissions that leave today; queued emails count by their time, on
     * the agent's day.
     */
    readonly counts: StoreMethod<[filter: ReviewFilter, leaving: ReadonlyArray<string>], ReviewCounts>
    /** One item, whatever its state; its place is its creation. */
    readonly find: StoreMethod<[itemId: string, at: string], ReviewEntry | undefined>
    /**
     * The others who look at an item, the earliest first. With `until`, it first notes a look until then and forgets those that
     * are over.
     */
    readonly look: StoreMethod<[looking: Looking, at: Ids.InstantText, until?: Ids.InstantText], ReadonlyArray<Viewer>>
  }
>()("@svc/core/review/ReviewRepo") {}

/** Seconds that a look lasts. */
export const lookSeconds = 30

/** Others who look at an item. */
export const Viewers = Schema.Array(
  Schema.Struct({
    name: Schema.String.annotate({ description: "Name of the key, or id of the user without one" }),
    since: Ids.Instant
  })
).annotate({ description: "Others who look at the item right now; not your other devices" })

/** The actor's own look. */
export const lookOf = ({ keyId, kind, userId }: ActorIdentity, itemId: string): Looking => ({
  itemId,
  viewerId: `${kind} ${userId}`,
  keyId,
  userId
})

/** The filters that lists and counts share. */
export const filterFields = {
  kind: optional(
    Schema.Array(Schema.Literals(reviewKinds)).check(Schema.isMaxLength(reviewKinds.length)),
    "Only items of these kinds; omit for all"
  ),
  mission_id: Schema.optionalKey(nonEmptyLine(64, "Only items of this mission, by id or handle")),
  agent_handle: Schema.optionalKey(nonEmptyLine(64, "Only items of this agent, by handle or id")),
  min_score: optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    "Only items whose lead has at least this score"
  ),
  reply: optional(Schema.Literals(replyStates), "Only replies in this state; see state in review.list"),
  flagged: optional(Schema.Boolean, "True for flagged drafts only, false for all others"),
  query: Schema.optionalKey(nonEmptyLine(200, "Part of the lead's name or company, or of the text, ignoring case"))
}

/** Each kind is only shown to keys that may read it elsewhere. */
const scopeOf: Readonly<Record<ReviewKind, Scope>> = {
  message: "linkedin:read",
  invitation: "linkedin:read",
  email: "email:read",
  approval: "missions:read",
  reply: "leads:read"
}

/** Whether the actor may read items of a kind. Approval requests are for who may decide: others have approval.list. */
const mayRead = (actor: ActorIdentity, kind: ReviewKind): boolean =>
  hasScope(actor, scopeOf[kind]) && (kind !== "approval" || readableRequester(actor) === undefined)

/** The filter for the running actor. */
export const filterOf = Effect.fnUntraced(function* (input: Schema.Struct.Type<typeof filterFields>) {
  const actor = yield* Actor
  const at = yield* Ids.now
  const wanted = input.kind === undefined || input.kind.length === 0 ? reviewKinds : input.kind
  return {
    kinds: wanted.filter((kind) => mayRead(actor, kind) && (input.reply === undefined || kind === "reply")),
    hidden: (yield* Delegation).forbidden(),
    mission: input.mission_id,
    agent: input.agent_handle,
    minScore: input.min_score,
    flagged: input.flagged,
    reply: input.reply,
    query: input.query?.toLowerCase(),
    at,
    since: Ids.isoFromMillis(Date.parse(at) - shownDays * 86_400_000)
  }
})

/** Input field `finding`. */
export const FindingFilter = Schema.Literals(["none", "any", "error"]).annotate({
  description: "Only messages without errors and warnings (none), with some (any), or with errors"
})

type Wanted = typeof FindingFilter.Type | undefined

interface CheckedEntry {
  readonly entry: ReviewEntry
  readonly findings: ReadonlyArray<DraftFinding>
}

/** Findings depend on other texts and are not stored, so this many items are looked at for one page. */
const maxSearched = 500

const matches =
  (wanted: Wanted) =>
  ({ entry, findings }: CheckedEntry): boolean => {
    if (wanted === undefined) return true
    if (entry.kind !== "message") return false
    const has = (severity: string) => findings.some((finding) => finding.severity === severity)
    if (wanted === "error") return has("error")
    return (has("error") || has("warning")) === (wanted === "any")
  }

/** A page of a tab. With `wanted`, it ends after {@link maxSearched} items, however many match. */
export const readChecked = Effect.fnUntraced(function* (
  organizationId: Ids.OrganizationId,
  tab: ReviewTab,
  filter: ReviewFilter,
  wanted: Wanted,
  { after, limit }: PageRequest
) {
  const size = wanted === undefined ? limit : maxSearched
  const page = yield* (yield* ReviewRepo).list(organizationId, tab, filter, { after, limit: size })
  const found = yield* readFindings(page.items.flatMap(({ itemId, kind }) => (kind === "message" ? [itemId] : [])))
  const checked = page.items.map((entry): CheckedEntry => ({ entry, findings: found.get(entry.itemId) ?? [] }))
  const { items, next } = cutPage(checked.filter(matches(wanted)), limit, ({ entry }) => [entry.place, entry.itemId])
  return { items, next: next ?? page.next }
})

/** The item as it is at an instant. Fails with NOT_FOUND, also for one of a kind that the actor may not read. */
export const readEntry = Effect.fnUntraced(function* (id: string, at: string) {
  const actor = yield* Actor
  const entry = yield* (yield* ReviewRepo).find(actor.organizationId, id, at)
  if (entry === undefined || !mayRead(actor, entry.kind)) return yield* new NotFound({ kind: "item to review", id })
  return entry
})
