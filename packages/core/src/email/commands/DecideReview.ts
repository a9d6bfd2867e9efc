import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { ContentChanged, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { formatted, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { LeadSuppressed } from "../../leads/failures.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { DisclosureRequired } from "../../outreach/failures.ts"
import { emailDecisions } from "../../outreach/transmission/Transmission.ts"
import { decideReview } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { BodyText, ReasonText, SubjectText } from "../emailFields.ts"

/** `email.review.decide`: decides on an e-mail. */
export const DecideReview = Command.make({
  id: "email.review.decide",
  title: "Decide on an email",
  summary: "Approve, edit or reject an email under review",
  description:
    "approve queues the email as it is; edit queues it with a different subject or body_text and drops its HTML " +
    "version; reject cancels it. content_hash must match the email you read, so that only what was read is approved.",
  whenToUse: "After reading email.review.list, or in response to an email.review.requested event.",
  category: "email",
  risk: "approval",
  scope: "email:approve",
  effects: { does: ["approves"], channels: ["email"] },
  input: Schema.Struct({
    review_id: nonEmptyLine(64, "Id of the review"),
    decision: Schema.Literals(emailDecisions).annotate({ description: "The decision" }),
    content_hash: formatted(/^[0-9a-f]{64}$/u, 64, "64 hexadecimal digits").annotate({
      description: "content_hash of the email you read"
    }),
    subject: Schema.optionalKey(SubjectText),
    body_text: Schema.optionalKey(BodyText),
    reason: Schema.optionalKey(ReasonText)
  }),
  output: Schema.Struct({ review: Email }),
  failures: [ContentChanged, DisclosureRequired, LeadSuppressed, MissionArchived, NotFound, WrongState],
  riskNotes: ["An approved email is sent after the hold and cannot be recalled after that."],
  relatedCommands: ["email.review.list", "email.cancel"],
  relatedResources: ["svc://email/reviews"],
  examples: [
    {
      title: "Approve as is",
      input: {
        review_id: "eml_SAMPLE00000000000000000001",
        decision: "approve",
        content_hash: "b347717b2169494c94341415462b1cb5f264e371c577f5ef0c6d5a94e23011e9"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ body_text, content_hash, decision, reason, review_id, subject }) {
    const said = { decision, contentHash: content_hash, subject, bodyText: body_text, reason }
    return { review: emailOf(yield* decideReview(review_id, said)) }
  })
})
