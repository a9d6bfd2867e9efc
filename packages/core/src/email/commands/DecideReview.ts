import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { decideReview } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { emailDecisions } from "../EmailRow.ts"
import { BodyText, ReasonText, SubjectText } from "../emailFields.ts"

/** `email.review.decide`: decides on an e-mail. */
export const DecideReview = Command.make({
  id: "email.review.decide",
  title: "Decide on an e-mail",
  summary: "Approve, change and approve, or reject an e-mail under review.",
  description:
    "approve queues the e-mail as it is; edit queues it with another subject or body_text, which drops its HTML form; reject " +
    "ends it. content_hash must be that of the e-mail as it was read, so that nothing else is approved than what was seen.",
  whenToUse: "After reading email.review.list, or as the answer to an email.review.requested request.",
  category: "email",
  risk: "approval",
  scope: "email:approve",
  input: Schema.Struct({
    review_id: nonEmptyLine(64, "Id of the review"),
    decision: Schema.Literals(emailDecisions).annotate({ description: "What becomes of the e-mail" }),
    content_hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).annotate({
      description: "content_hash of the e-mail that was read"
    }),
    subject: Schema.optionalKey(SubjectText),
    body_text: Schema.optionalKey(BodyText),
    reason: Schema.optionalKey(ReasonText)
  }),
  output: Schema.Struct({ review: Email }),
  riskNotes: ["An approved e-mail leaves after the hold and cannot be called back then."],
  relatedCommands: ["email.review.list", "email.cancel"],
  relatedResources: ["svc://email/reviews"],
  examples: [
    {
      title: "As it is",
      input: {
        review_id: "eml_SAMPLE00000000000000000001",
        decision: "approve",
        content_hash: "6a664217cddbbf366590fdec3449312816c966f81929de6d6a0d1430c8b7b9de"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ body_text, content_hash, decision, reason, review_id, subject }) {
    const said = { decision, contentHash: content_hash, subject, bodyText: body_text, reason }
    return { review: emailOf(yield* decideReview(review_id, said)) }
  })
})
