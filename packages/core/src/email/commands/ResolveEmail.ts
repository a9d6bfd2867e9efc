import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { resolveEmail } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { EmailIdText } from "../emailFields.ts"

/** `email.resolve`: says whether an e-mail was sent. */
export const ResolveEmail = Command.make({
  id: "email.resolve",
  title: "Settle an e-mail",
  summary: "Say whether an e-mail of unknown outcome was sent, after looking at the mailbox.",
  description:
    "Settles an e-mail in state ambiguous: sent records it with the lead; not_sent makes it failed, so that a new one can be written.",
  whenToUse: "When email.list shows an e-mail in state ambiguous and somebody has looked at the sender's mailbox.",
  category: "email",
  risk: "approval",
  scope: "email:send",
  input: Schema.Struct({
    email_id: EmailIdText,
    outcome: Schema.Literals(["sent", "not_sent"]).annotate({ description: "What the mailbox shows" })
  }),
  output: Schema.Struct({ email: Email }),
  riskNotes: ["A wrong not_sent can lead to the same e-mail being sent twice."],
  relatedCommands: ["email.list", "email.send"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "It is not there", input: { email_id: "eml_SAMPLE00000000000000000003", outcome: "not_sent" } }],
  run: ({ email_id, outcome }) => Effect.map(resolveEmail(email_id, outcome), (view) => ({ email: emailOf(view) }))
})
