import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { resolveEmail } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { EmailIdText } from "../emailFields.ts"

/** `email.resolve`: says whether an e-mail was sent. */
export const ResolveEmail = Command.make({
  id: "email.resolve",
  title: "Settle an email",
  summary: "Record whether an email with unknown outcome was sent",
  description:
    "Settles an email in state ambiguous: sent records it with the lead; not_sent marks it as failed, so that a new " +
    "one can be written.",
  whenToUse: "When email.list shows an email in state ambiguous and a person has checked the sender's mailbox.",
  category: "email",
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
