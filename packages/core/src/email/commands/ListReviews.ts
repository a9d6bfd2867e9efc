import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Email } from "../Email.ts"
import { EmailStates } from "../emailFields.ts"
import { listEmails } from "../listEmails.ts"

const optional = Schema.optionalKey

/** `email.review.list`: reads e-mails under review, newest first. */
export const ListReviews = Command.make({
  id: "email.review.list",
  title: "List e-mail reviews",
  summary: "Read the e-mails that wait for a decision, newest first.",
  description:
    "Answers a page of e-mails under review with their texts and content_hash; with state also those that were decided. " +
    "review_strategy says who is asked: MANUAL people, WEBHOOK a program until expires_at.",
  whenToUse: "To see what waits for a decision, before email.review.decide.",
  category: "email",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(
      EmailStates.annotate({ description: "Reviewed e-mails in one of these states; default in_review alone" })
    ),
    mission_id: optional(nonEmptyLine(64, "Only reviews of this mission, by id or handle")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ reviews: Schema.Array(Email), next_cursor: NextCursor }),
  relatedCommands: ["email.review.decide", "email.list"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "What waits", input: { limit: 10 } }],
  run: (input) => {
    const filter = {
      states: input.state ?? (["in_review"] as const),
      leadId: undefined,
      mission: input.mission_id,
      reviewed: true
    }
    return Effect.map(listEmails("email.reviews", filter, input), ({ items, next_cursor }) => ({
      reviews: items,
      next_cursor
    }))
  }
})
