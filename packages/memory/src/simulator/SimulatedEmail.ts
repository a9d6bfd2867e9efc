/**
 * E-mail that goes nowhere. The local part of the address decides the outcome: `…-blocked` is refused for good, `…-down`
 * for now, `…-unknown` has an unknown outcome; all others are accepted.
 */

import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const outcomeOf = ({ messageId, to }: OutgoingEmail): EmailOutcome => {
  const name = to.address.slice(0, to.address.lastIndexOf("@"))
  if (name.endsWith("-blocked")) return { _tag: "Refused", reason: "Simulated: no such mailbox." }
  if (name.endsWith("-down")) return { _tag: "Unavailable", reason: "Simulated: not available." }
  if (name.endsWith("-unknown")) return { _tag: "Unknown", reason: "Simulated: the connection broke." }
  return { _tag: "Confirmed", messageId }
}

/** The simulated e-mail gateway. */
export const layer: Layer.Layer<EmailGateway> = Layer.succeed(EmailGateway, {
  send: (email) => Effect.succeed(outcomeOf(email))
})
