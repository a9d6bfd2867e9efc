/**
 * E-mail that goes nowhere. The local part of the address decides the outcome: `…-blocked` is refused for good, `…-down`
 * for now, `…-unknown` has an unknown outcome; all others are accepted.
 */

import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SimulatorLedger } from "./SimulatedGateway.ts"

const outcomeOf = ({ messageId, to }: OutgoingEmail): EmailOutcome => {
  const name = to.address.slice(0, to.address.lastIndexOf("@"))
  if (name.endsWith("-blocked")) return { _tag: "Refused", reason: "Simulated: no such mailbox." }
  if (name.endsWith("-down")) return { _tag: "Unavailable", reason: "Simulated: not available." }
  if (name.endsWith("-unknown")) return { _tag: "Unknown", reason: "Simulated: the connection broke." }
  return { _tag: "Confirmed", messageId }
}

const bounced: EmailOutcome = { _tag: "Refused", reason: "Simulated: the address bounces." }

/** The simulated e-mail gateway. What bounces is said to the simulated LinkedIn, where there is one. */
export const layer: Layer.Layer<EmailGateway> = Layer.effect(
  EmailGateway,
  Effect.map(Effect.serviceOption(SimulatorLedger), (ledger) => ({
    send: (email) =>
      Effect.sync(() =>
        Option.isSome(ledger) && ledger.value.isBouncing(email.to.address) ? bounced : outcomeOf(email)
      )
  }))
)
