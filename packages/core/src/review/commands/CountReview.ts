import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { leavingToday, readDepartures } from "../leaving.ts"
import { ReviewRepo } from "../ReviewRepo.ts"
import { filterFields, filterOf } from "../reviewFilter.ts"

/** `review.counts`: how much there is to review. */
export const CountReview = Command.make({
  id: "review.counts",
  title: "Count the review queue",
  summary: "Count the items of each tab of the review queue",
  description:
    "Returns how many items each tab of review.list has, with the same filters except finding, and how many of the " +
    "approved ones leave today.",
  whenToUse: "To see how much there is to review.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct(filterFields),
  output: Schema.Struct({
    to_review: Schema.Int,
    approved: Schema.Int,
    sent: Schema.Int.annotate({ description: "In the last 30 days" }),
    replies: Schema.Int.annotate({ description: "Leads who wrote in the last 30 days" }),
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
    const filter = yield* filterOf(input)
    const { departures } = yield* readDepartures(filter.at)
    const leaving = leavingToday(departures, filter.at)
    const { leavingToday: leaving_today, ...counts } = yield* (yield* ReviewRepo).counts(
      organizationId,
      filter,
      leaving
    )
    return { ...counts, leaving_today }
  })
})
