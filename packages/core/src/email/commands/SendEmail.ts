import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Email, emailOf } from "../Email.ts"
import { BodyHtml, BodyText, SubjectText } from "../emailFields.ts"
import { writeEmail } from "../writeEmail.ts"

/** `email.send`: writes an e-mail to a lead. */
export const SendEmail = Command.make({
  id: "email.send",
  title: "Send an e-mail",
  summary: "Send an e-mail to a lead, after the review that its mission asks for.",
  description:
    "Stores the e-mail. With the mission's emailReviewStrategy AUTO it is queued and leaves after the hold, in the agent's " +
    "working hours; with MANUAL it waits for email.review.decide; with WEBHOOK the mission's emailReviewWebhookUrl is asked, and people after 72 hours.",
  whenToUse: "To write to a lead by e-mail for a mission. For LinkedIn, use linkedin.draft.create.",
  category: "email",
  risk: "approval",
  scope: "email:send",
  input: Schema.Struct({
    lead_id: nonEmptyLine(64, "Id of the lead; its e-mail address is written to"),
    mission_id: nonEmptyLine(64, "Id or handle of the mission; its agent is the sender"),
    subject: SubjectText,
    body_text: BodyText,
    body_html: Schema.optionalKey(BodyHtml),
    from_email: Schema.optionalKey(nonEmptyLine(254, "One of the agent's e-mail accounts; default the first"))
  }),
  output: Schema.Struct({ email: Email }),
  riskNotes: [
    "With the strategy AUTO nobody looks at the e-mail before it leaves.",
    "An e-mail cannot be called back."
  ],
  relatedCommands: ["email.list", "email.cancel", "email.review.list"],
  relatedResources: ["svc://email/reviews"],
  examples: [
    {
      title: "To a connected lead",
      input: {
        lead_id: "ld_SAMPLE00000000000000000001",
        mission_id: "autumn-letters",
        subject: "Invoices that book themselves",
        body_text: "Hello Grace,\n\nfour days earlier, every month. Worth a look?\n\nAda"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ body_html, body_text, from_email: from, lead_id, mission_id, subject }) {
    const bodyHtml = body_html === undefined || body_html === "" ? null : body_html
    const view = yield* writeEmail({
      leadId: lead_id,
      mission: mission_id,
      from,
      subject,
      bodyText: body_text,
      bodyHtml
    })
    return { email: emailOf(view) }
  })
})
