/** E-mail to leads: written, reviewed, sent. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { ContentChanged, InvalidCursor, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { body, formatted, line, nonEmptyBody, nonEmptyLine, optional } from "../kernel/schema/TextFields.ts"
import { LeadSuppressed } from "../leads/failures.ts"
import { MissionArchived } from "../missions/failures.ts"
import { refuseUnknownMission } from "../missions/MissionsRepo.ts"
import { DisclosureRequired } from "../outreach/failures.ts"
import { NotBefore } from "../outreach/schedule.ts"
import { emailDecisions, emailStates, isOfKind } from "../outreach/Transmission.ts"
import { type TransmissionFilter, TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { Email, emailOf } from "./Email.ts"
import { mailboxCommands } from "./mailboxCommands.ts"
import { cancelEmail, decideReview, recipientOf, resolveEmail, writeEmail } from "./writeEmail.ts"

/** Id of an e-mail. */
const EmailIdText = nonEmptyLine(64, "Id of the email")

/** A subject: one line. */
const SubjectText = nonEmptyLine(200, "Subject, one line")

/** The text of an e-mail. */
const BodyText = nonEmptyBody(20_000, "Text of the email")

/** Why something was decided. */
const ReasonText = line(500, "The reason, for later reference")

/** Input field `state` of lists. */
const EmailStates = Schema.Array(Schema.Literals(emailStates)).check(Schema.isMaxLength(emailStates.length))

/** A page of e-mails, newest first. Fails with INVALID_CURSOR, and with NOT_FOUND for a mission that is not there. */
const listEmails = Effect.fnUntraced(function* (
  name: string,
  filter: Omit<TransmissionFilter, "kinds" | "order">,
  input: { readonly cursor?: string; readonly limit: number }
) {
  const { list } = yield* TransmissionsRepo
  const page = yield* readPage(name, input, list, { ...filter, kinds: ["email"], order: "newest" })
  yield* refuseUnknownMission(filter.mission, page.items)
  return { items: page.items.filter(isOfKind("email")).map(emailOf), next_cursor: page.next_cursor }
})

/** `email.cancel`: cancels an e-mail. */
const CancelEmail = Command.make({
  id: "email.cancel",
  title: "Cancel an email",
  summary: "Cancel an email that has not been sent",
  description:
    "Cancels an email that is under review or queued. An email that is being sent, or may have been sent, cannot be " +
    "cancelled.",
  whenToUse: "During the hold after an approval, or when the email should not be sent at all.",
  risk: "mutate",
  scope: "email:send",
  input: Schema.Struct({ email_id: EmailIdText, reason: Schema.optionalKey(ReasonText) }),
  output: Schema.Struct({ email: Email }),
  failures: [NotFound, WrongState],
  riskNotes: ["A cancelled email cannot be restored; write a new one instead."],
  relatedCommands: ["email.list", "email.send"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Not the right moment", input: { email_id: "eml_SAMPLE00000000000000000002" } }],
  run: ({ email_id, reason }) => Effect.map(cancelEmail(email_id, reason), (view) => ({ email: emailOf(view) }))
})

/** `email.review.decide`: decides on an e-mail. */
const DecideReview = Command.make({
  id: "email.review.decide",
  title: "Decide on an email",
  summary: "Approve, edit or reject an email under review",
  description:
    "approve queues the email as it is; edit queues it with a different subject or body_text and drops its HTML " +
    "version; reject cancels it. content_hash must match the email you read, so that only what was read is approved. " +
    "not_before sends it at a time or later; approve again to change that.",
  whenToUse: "After reading email.review.list, or in response to an email.review.requested event.",
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
    not_before: NotBefore,
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
  run: ({ review_id, ...said }) => Effect.map(decideReview(review_id, said), (view) => ({ review: emailOf(view) }))
})

/** `email.list`: reads e-mails, newest first. */
const ListEmails = Command.make({
  id: "email.list",
  title: "List emails",
  summary: "List emails and their status, newest first",
  description: "Returns a page of emails. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse:
    "To see what was written to a lead or for a mission, what is waiting, and what needs attention (state ambiguous).",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(EmailStates, "Only emails in these states; omit for all"),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Only emails to this lead")),
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only emails of this mission, by id or handle")),
    ...pageFields
  }),
  output: Schema.Struct({ emails: Schema.Array(Email), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["email.send", "email.cancel", "email.resolve"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Emails with an unknown outcome", input: { state: ["ambiguous"] } }],
  run: (input) => {
    const filter = { states: input.state ?? [], leadId: input.lead_id, mission: input.mission_id, reviewed: false }
    return Effect.map(listEmails("emails", filter, input), ({ items, next_cursor }) => ({ emails: items, next_cursor }))
  }
})

/** `email.review.list`: reads e-mails under review, newest first. */
export const ListReviews = Command.make({
  id: "email.review.list",
  title: "List email reviews",
  summary: "List emails under review, newest first",
  description:
    "Returns a page of emails under review with their texts and content_hash; use state to include decided ones. " +
    "review_strategy says who decides: MANUAL means people, WEBHOOK means your webhook until expires_at.",
  whenToUse: "To see what needs a decision, before email.review.decide.",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(EmailStates, "Only reviews in these states; default in_review"),
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only reviews of this mission, by id or handle")),
    ...pageFields
  }),
  output: Schema.Struct({ reviews: Schema.Array(Email), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["email.review.decide", "email.list"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Pending reviews", input: { limit: 10 } }],
  run: (input) => {
    const filter = { states: input.state ?? (["in_review"] as const), mission: input.mission_id, reviewed: true }
    return Effect.map(listEmails("email.reviews", filter, input), ({ items: reviews, next_cursor }) => ({
      reviews,
      next_cursor
    }))
  }
})

/** `email.resolve`: says whether an e-mail was sent. */
const ResolveEmail = Command.make({
  id: "email.resolve",
  title: "Settle an email",
  summary: "Record whether an email with unknown outcome was sent",
  description:
    "Settles an email in state ambiguous: sent records it with the lead; not_sent marks it as failed, so that a new " +
    "one can be written.",
  whenToUse: "When email.list shows an email in state ambiguous and a person has checked the sender's mailbox.",
  risk: "approval",
  scope: "email:send",
  effects: { does: ["approves"], channels: ["email"] },
  input: Schema.Struct({
    email_id: EmailIdText,
    outcome: Schema.Literals(["sent", "not_sent"]).annotate({ description: "What the mailbox shows" })
  }),
  output: Schema.Struct({ email: Email }),
  failures: [NotFound, WrongState],
  riskNotes: ["A wrong not_sent can lead to the same email being sent twice."],
  relatedCommands: ["email.list", "email.send"],
  relatedResources: ["svc://email/reviews"],
  examples: [
    { title: "Not in the mailbox", input: { email_id: "eml_SAMPLE00000000000000000003", outcome: "not_sent" } }
  ],
  run: ({ email_id, outcome }) => Effect.map(resolveEmail(email_id, outcome), (view) => ({ email: emailOf(view) }))
})

/** `email.send`: writes an e-mail to a lead. */
const SendEmail = Command.make({
  id: "email.send",
  title: "Send an email",
  summary: "Send an email to a lead",
  description:
    "Stores the email. With emailReviewStrategy AUTO the mission queues it for sending after the hold, within the " +
    "agent's working hours; MANUAL waits for email.review.decide; WEBHOOK asks the mission's emailReviewWebhookUrl, " +
    "and people after 72 hours.",
  whenToUse: "To write to a lead by email for a mission. For LinkedIn, use linkedin.draft.create.",
  risk: "approval",
  scope: "email:send",
  effects: { does: ["sends"], channels: ["email"] },
  input: Schema.Struct({
    lead_id: nonEmptyLine(64, "Id of the lead; the email goes to its email address"),
    mission_id: nonEmptyLine(64, "Id or handle of the mission; its agent is the sender"),
    subject: SubjectText,
    body_text: BodyText,
    body_html: Schema.optionalKey(body(50_000, "The text as HTML; omit for plain text only")),
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
  annotations: { unlisted: ["to_email"] },
  pin: ({ lead_id, to_email }) => Effect.map(recipientOf(lead_id, to_email), ({ email }) => ({ to_email: email })),
  run: Effect.fnUntraced(function* ({ body_html, body_text, from_email, lead_id, mission_id, subject, to_email }) {
    const bodyHtml = body_html === undefined || body_html === "" ? null : body_html
    const whom = { leadId: lead_id, mission: mission_id, from: from_email, to: to_email }
    return { email: emailOf(yield* writeEmail({ ...whom, subject, bodyText: body_text, bodyHtml })) }
  })
})

/** The commands of this domain. */
export const commands = [
  SendEmail,
  ListEmails,
  CancelEmail,
  ResolveEmail,
  ListReviews,
  DecideReview,
  ...mailboxCommands
] as const
