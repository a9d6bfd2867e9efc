/** A gateway for e-mails that keeps what left. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EmailGateway } from "#core/email/EmailGateway.ts"

/** A gateway that confirms every e-mail, and keeps its subject in a list. */
export const keepingMail = (mailed: Array<string>): Layer.Layer<EmailGateway> =>
  Layer.succeed(EmailGateway, {
    send: ({ messageId, subject }) =>
      Effect.sync(() => {
        mailed.push(subject)
        return { _tag: "Confirmed", messageId } as const
      })
  })
