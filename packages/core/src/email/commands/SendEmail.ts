import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { ContentChanged, NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { LeadSuppressed } from "../../leads/failures.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { Email, emailOf } from "../Email.ts"
import { BodyHtml, BodyText, SubjectText } from "../emailFields.ts"
import { recipientOf, writeEmail } from "../writeEmail.ts"

/** `email.send`: writes an e-mail to a lead. */
export const SendEmail = Command.make({
  id: "email.send",
  title: "Send an email",
  summary: "Send an email to a lead",
  description:
    "Stores the email. With emailReviewStrategy AUTO the mission queues it for sending after the hold, within the " +
    "agent's working hours; MANUAL waits for email.review.decide; WEBHOOK asks the mission's emailReviewWebhookUrl, " +
    "and people after 72 hours.",
  whenToUse: "To write to a lead by email for a mission. For LinkedIn, use linkedin.draft.create.",
  category: "email",
  risk: "approval",
  scope: "email:send",
  effects: { does: ["sends"], channels: ["email"] },
  input: Schema.Struct({
    lead_id: nonEmptyLine(64, "Id of the lead; the email goes to its email address"),
    mission_id: nonEmptyLine(64, "Id or handle of the mission; its agent is the sender"),
    subject: SubjectText,
    body_text: BodyText,
    body_html: Schema.optionalKey(BodyHtml),
    from_email: Schema.optionalKey(nonEmptyLine(254, "One of the agent's email accounts; default the first")),
    to_email: Schema.optionalKey(
      nonEmptyLine(254, "The address you expect the email to go to; fails if the lead has another one")
    )
  }),
  output: Schema.Struct({ email: Email }),
  failures: [ContentChanged, LeadSuppressed, MissionArchived, NotFound],
  riskNotes: ["With strategy AUTO the email is sent without review.", "An email cannot be recalled."],
  relatedCommands: ["email.list", "email.cancel", "email.review.list"],
  relatedResources: ["svc://email/reviews"],
  examples: [
    {
      title: "An email to a lead",
      input: {
        lead_id: "ld_SAMPLE00000000000000000001",
        mission_id: "autumn-letters",
        subject: "Invoices that book themselves",
        body_text: "Hello Grace,\n\nfour days earlier, every month. Worth a look?\n\nAda"
      }
    }
  ],
  unlisted: ["to_email"],
  pin: ({ lead_id, to_email }) => Effect.map(recipientOf(lead_id, to_email), ({ email }) => ({ to_email: email })),
  run: Effect.fnUntraced(function* ({ body_html, body_text, from_email, lead_id, mission_id, subject, to_email }) {
    const bodyHtml = body_html === undefined || body_html === "" ? null : body_html
    const view = yield* writeEmail({
      leadId: lead_id,
      mission: mission_id,
      from: from_email,
      to: to_email,
      subject,
      bodyText: body_text,
      bodyHtml
    })
    return { email: emailOf(view) }
  })
})
