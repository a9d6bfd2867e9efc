import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { cancelEmail } from "../decideReview.ts"
import { Email, emailOf } from "../Email.ts"
import { EmailIdText, ReasonText } from "../emailFields.ts"

/** `email.cancel`: cancels an e-mail. */
export const CancelEmail = Command.make({
  id: "email.cancel",
  title: "Cancel an email",
  summary: "Cancel an email that has not been sent",
  description:
    "Cancels an email that is under review or queued. An email that is being sent, or may have been sent, cannot be " +
    "cancelled.",
  whenToUse: "During the hold after an approval, or when the email should not be sent at all.",
  category: "email",
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
