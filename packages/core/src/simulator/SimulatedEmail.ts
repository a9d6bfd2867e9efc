/**
 * E-mail that goes nowhere, with an outcome for each address: one whose name (before the `@`) ends with `-blocked` is
 * refused for good, `-down` for now, `-unknown` is never answered; all others are accepted. Source: issue 4; contract 7
 * "Simulated gateway".
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "../email/EmailGateway.ts"

const outcomeOf = ({ messageId, to }: OutgoingEmail): EmailOutcome => {
  const name = to.address.slice(0, to.address.lastIndexOf("@"))
  if (name.endsWith("-blocked")) return { _tag: "Refused", isPermanent: true, reason: "Simulated: no such mailbox." }
  if (name.endsWith("-down")) return { _tag: "Refused", isPermanent: false, reason: "Simulated: not available." }
  if (name.endsWith("-unknown")) return { _tag: "Unknown", reason: "Simulated: the connection broke off." }
  return { _tag: "Accepted", messageId }
}

/** Simulates every outcome by the address. */
export const layer: Layer.Layer<EmailGateway> = Layer.succeed(EmailGateway, {
  send: (email) => Effect.succeed(outcomeOf(email))
})
