import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { cancelEmail } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { EmailIdText, ReasonText } from "../emailFields.ts"

/** `email.cancel`: takes back an e-mail. */
export const CancelEmail = Command.make({
  id: "email.cancel",
  title: "Cancel an e-mail",
  summary: "Take back an e-mail that has not left.",
  description:
    "Ends an e-mail that is under review or queued. One that is being sent, or may have been, stays as it is.",
  whenToUse: "Within the hold after an approval, or when the e-mail should not be sent at all.",
  category: "email",
  risk: "mutate",
  scope: "email:send",
  input: Schema.Struct({ email_id: EmailIdText, reason: Schema.optionalKey(ReasonText) }),
  output: Schema.Struct({ email: Email }),
  riskNotes: ["A cancelled e-mail never comes back; write a new one instead."],
  relatedCommands: ["email.list", "email.send"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Not the right moment", input: { email_id: "eml_SAMPLE00000000000000000002" } }],
  run: ({ email_id, reason }) => Effect.map(cancelEmail(email_id, reason), (view) => ({ email: emailOf(view) }))
})
