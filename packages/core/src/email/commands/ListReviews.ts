import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { Email } from "../Email.ts"
import { EmailStates } from "../emailFields.ts"
import { listEmails } from "../listEmails.ts"

const optional = Schema.optionalKey

/** `email.review.list`: reads e-mails under review, newest first. */
export const ListReviews = Command.make({
  id: "email.review.list",
  title: "List email reviews",
  summary: "List emails under review, newest first",
  description:
    "Returns a page of emails under review with their texts and content_hash; use state to include decided ones. " +
    "review_strategy says who decides: MANUAL means people, WEBHOOK means your webhook until expires_at.",
  whenToUse: "To see what needs a decision, before email.review.decide.",
  category: "email",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(EmailStates.annotate({ description: "Only reviews in these states; default in_review" })),
    mission_id: optional(nonEmptyLine(64, "Only reviews of this mission, by id or handle")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ reviews: Schema.Array(Email), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["email.review.decide", "email.list"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Pending reviews", input: { limit: 10 } }],
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
