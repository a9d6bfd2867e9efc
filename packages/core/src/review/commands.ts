/** Review: what other parts of core may use. */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Actor, Execution } from "../kernel/command/Execution.ts"
import { InvalidCursor, NotFound } from "../kernel/failure/failures.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { refuseUnknownMission } from "../missions/MissionsRepo.ts"
import { secondsAfter } from "../outreach/SendOptions.ts"
import { TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { Workspaces } from "../workspace/Workspaces.ts"
import { leavingToday, readApproved, readDeparture, readDepartures } from "./departure.ts"
import { ExplainWaiting } from "./explain.ts"
import { commandTitles, itemOf, problemOf, ReviewDetails, ReviewItem } from "./ReviewDetails.ts"
import * as Review from "./ReviewRepo.ts"
import { readOwnPart, readSurroundings } from "./readOwnPart.ts"

/** What commands that read the queue have in common. */
const ofQueue = {
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] }
} as const

/** `review.counts`: how much there is to review. */
const CountReview = Command.make({
  id: "review.counts",
  title: "Count the review queue",
  summary: "Count the items of each tab of the review queue",
  description:
    "Returns how many items each tab of review.list has, with the same filters except finding, and how many of the " +
    "approved ones leave today.",
  whenToUse: "To see how much there is to review.",
  ...ofQueue,
  input: Schema.Struct(Review.filterFields),
  output: Schema.Struct({
    to_review: Schema.Int,
    approved: Schema.Int,
    sent: Schema.Int.annotate({ description: "In the last 30 days" }),
    replies: Schema.Int.annotate({ description: "Leads who wrote in the last 30 days" }),
    replies_waiting: Schema.Int.annotate({ description: "Those of them who wait for an answer" }),
    problems: Schema.Int.annotate({
      description: "Failed drafts, which are under review too, are counted in both"
    }),
    snoozed: Schema.Int.annotate({ description: "Snoozed drafts, and those that wait for a rewrite" }),
    leaving_today: Schema.Int.annotate({ description: "Approved items that leave on the sender's current day" })
  }),
  failures: [],
  relatedCommands: ["review.list", "linkedin.usage.get"],
  relatedResources: ["svc://linkedin/usage"],
  examples: [{ title: "All of them", input: {} }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const filter = yield* Review.filterOf(input)
    const { departures } = yield* readDepartures(filter.at)
    return yield* (yield* Review.ReviewRepo).counts(organizationId, filter, leavingToday(departures, filter.at))
  })
})

/** `review.get`: reads one item with everything needed to decide on it. */
const GetReviewItem = Command.make({
  id: "review.get",
  title: "Get an item to review",
  summary: "Get an item with its lead, thread, findings and forecast",
  description:
    "Returns a draft, email, invitation, approval request or reply with what a reviewer needs: the texts and their " +
    "findings, the lead, the conversation, the brief, the offer's proof, what other reviewers said, when it is sent and " +
    "why, and what can be done about a problem. Parts that your scopes do not cover are null.",
  whenToUse: "Before deciding on an item of review.list, and to read why a draft was rejected or how to rewrite it.",
  ...ofQueue,
  input: Schema.Struct({ item_id: nonEmptyLine(64, "item_id from review.list") }),
  output: ReviewDetails,
  failures: [NotFound],
  outputNotes: [
    "content_hash binds a decision to what was read: send it with linkedin.draft.approve and its siblings.",
    "Of a reply, draft, content_hash, findings, provenance and evidence are those of the lead's open draft, if it has one."
  ],
  relatedCommands: ["review.list", "linkedin.draft.approve", "linkedin.draft.update", "linkedin.draft.check"],
  relatedResources: ["svc://linkedin/drafts/{id}", "svc://prospects/{id}"],
  examples: [{ title: "A draft", input: { item_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ item_id }) {
    const actor = yield* Actor
    const { organizationId } = actor
    const at = yield* now
    const entry = yield* Review.readEntry(item_id, at)
    const { queueId } = entry
    const view = queueId === null ? undefined : yield* (yield* TransmissionsRepo).find(organizationId, queueId)
    const { openDraftId, shown } = yield* readSurroundings(entry, at)
    const own = yield* readOwnPart(entry, view, openDraftId, at)
    const departure = yield* readDeparture(view, at)
    return {
      item: itemOf(entry, own.findings, yield* commandTitles, departure),
      ...own,
      ...shown,
      departure,
      viewers: yield* (yield* Review.ReviewRepo).look(organizationId, Review.lookOf(actor, item_id), at),
      problem: problemOf(entry)
    }
  })
})

/** `review.people`: the names of those who act in the organization. */
const ListPeople = Command.make({
  id: "review.people",
  title: "List reviewers and writers",
  summary: "List the names of people and AI agents with a key",
  description:
    "Returns the users that keys of the organization act for, by name: that of each user's oldest key, so that ids in events, " +
    "rejections and approval requests can be shown as names. Users of a host program without a key are not listed.",
  whenToUse: "To show who changed, rejected or asked for something.",
  ...ofQueue,
  input: Schema.Struct({}),
  output: Schema.Struct({
    people: Schema.Array(
      Schema.Struct({ user_id: Schema.String, actor_kind: Schema.Literals(["USER", "AI_AGENT"]), name: Schema.String })
    )
  }),
  failures: [],
  relatedCommands: ["review.get", "event.list", "key.list"],
  relatedResources: ["svc://events/recent"],
  examples: [{ title: "Everybody", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const keys = yield* (yield* Workspaces).listKeys(organizationId)
    // The oldest comes first. Sessions have the name of their key.
    const people = new Map<string, { user_id: string; actor_kind: "USER" | "AI_AGENT"; name: string }>()
    for (const { actorKind: actor_kind, name, session, userId: user_id } of keys) {
      const id = `${actor_kind} ${user_id}`
      if (session === undefined && !people.has(id)) people.set(id, { user_id, actor_kind, name })
    }
    return { people: Arr.sortWith(people.values(), ({ name, user_id }) => `${name}\n${user_id}`, Order.String) }
  })
})

/** `review.list`: reads the review queue. */
const ListReview = Command.make({
  id: "review.list",
  title: "List the review queue",
  summary: "List what waits for review, was sent, or needs help",
  description:
    "Returns a page of one tab: to_review (drafts, emails and approval requests to decide on, oldest first), approved " +
    "(on its way, the next to leave first), sent and replies (the last 30 days), problems (failed, unknown outcome, or " +
    "blocked), or snoozed (drafts that wait for a time or a rewrite). Kinds that your scopes do not cover are left out.",
  whenToUse: "To review drafts, emails, invitations and approval requests in one place.",
  ...ofQueue,
  input: Schema.Struct({
    tab: Schema.Literals(Review.reviewTabs)
      .annotate({ description: "The part of the queue; default to_review" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("to_review" as const))),
    ...Review.filterFields,
    finding: Schema.optionalKey(Review.FindingFilter),
    ...pageFields
  }),
  output: Schema.Struct({ items: Schema.Array(ReviewItem), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  outputNotes: [
    "Findings are counted for messages; review.get shows them.",
    "With finding, a page may have fewer items than limit, or none: continue until next_cursor is null."
  ],
  relatedCommands: ["review.get", "review.counts", "linkedin.draft.approve", "email.review.decide", "approval.resolve"],
  relatedResources: ["svc://linkedin/drafts/pending"],
  examples: [
    { title: "What to review first", input: { limit: 10 } },
    { title: "What could not be sent", input: { tab: "problems" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const filter = yield* Review.filterOf(input)
    const page = yield* readPage("review", input, Review.readChecked, input.tab, filter, input.finding)
    yield* refuseUnknownMission(input.mission_id, page.items)
    const isLeaving = input.tab === "approved" && page.items.length > 0
    const approved = isLeaving ? yield* readApproved(input.mission_id, filter.at) : undefined
    const titleOf = yield* commandTitles
    const items = page.items.map(({ entry, findings }) =>
      itemOf(entry, findings, titleOf, approved?.departureOf(entry.queueId ?? ""))
    )
    return { items, next_cursor: page.next_cursor }
  })
})

/** `review.open`: says that the caller looks at an item. */
const OpenReviewItem = Command.make({
  id: "review.open",
  title: "Open an item to review",
  summary: "Mark an item as being looked at, and list other viewers",
  description:
    `Shows other reviewers for ${Review.lookSeconds} seconds that you look at the item, and returns who else does. Repeat it ` +
    "while you look. It locks nothing: others can still decide.",
  whenToUse: "When several people review at the same time.",
  risk: "read",
  scope: "linkedin:read",
  input: GetReviewItem.input,
  output: Schema.Struct({ viewers: Review.Viewers }),
  failures: [NotFound],
  relatedCommands: ["review.get", "review.list"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "A draft", input: { item_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ item_id }) {
    const actor = yield* Actor
    const at = yield* now
    yield* Review.readEntry(item_id, at)
    const { look } = yield* Review.ReviewRepo
    const { dryRun } = yield* Execution
    const until = dryRun ? undefined : secondsAfter(at, Review.lookSeconds)
    return { viewers: yield* look(actor.organizationId, Review.lookOf(actor, item_id), at, until) }
  })
})

/** The commands of this domain. */
export const commands = [ListReview, CountReview, GetReviewItem, ExplainWaiting, OpenReviewItem, ListPeople] as const
