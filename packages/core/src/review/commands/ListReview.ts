import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { refuseUnknownMission } from "../../missions/refuseUnknownMission.ts"
import { leavesAtOf, readDepartures } from "../leaving.ts"
import { reviewTabs } from "../ReviewEntry.ts"
import { commandTitles, itemOf, ReviewItem } from "../ReviewItem.ts"
import { FindingFilter, readChecked } from "../readChecked.ts"
import { filterFields, filterOf } from "../reviewFilter.ts"

/** `review.list`: reads the review queue. */
export const ListReview = Command.make({
  id: "review.list",
  title: "List the review queue",
  summary: "List what waits for review, was sent, or needs help",
  description:
    "Returns a page of one tab: to_review (drafts, emails and approval requests to decide on, oldest first), approved " +
    "(on its way, the next to leave first), sent and replies (the last 30 days), problems (failed, unknown outcome, or " +
    "blocked), or snoozed (drafts that wait for a time or a rewrite). Kinds that your scopes do not cover are left out.",
  whenToUse: "To review drafts, emails, invitations and approval requests in one place.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({
    tab: Schema.Literals(reviewTabs)
      .annotate({ description: "The part of the queue; default to_review" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("to_review" as const))),
    ...filterFields,
    finding: Schema.optionalKey(FindingFilter),
    cursor: CursorText,
    limit: Limit
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
    const { organizationId } = yield* Actor
    const filter = yield* filterOf(input)
    const page = yield* readPage(organizationId, "review", input, (request) =>
      readChecked(input.tab, filter, input.finding, request)
    )
    yield* refuseUnknownMission(input.mission_id, page.items)
    const isLeaving = input.tab === "approved" && page.items.length > 0
    const { departures } = isLeaving ? yield* readDepartures(filter.at) : { departures: new Map() }
    const titleOf = yield* commandTitles
    const items = page.items.map(({ entry, findings }) =>
      itemOf(entry, findings, leavesAtOf(entry, departures, filter.at), titleOf)
    )
    return { items, next_cursor: page.nextCursor }
  })
})
