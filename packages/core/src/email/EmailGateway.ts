/** Sending emails: the port. An email is only `Confirmed` when the mail server accepted it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { flatMap, succeed, timeoutOrElse } from "effect/Effect"
import * as EffectLayer from "effect/Layer"

/** An address with a display name, which may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** An email to send. */
export interface OutgoingEmail {
  /** Message-ID without angle brackets: the same for every transmission of one e-mail. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string | null
  /** Message-IDs of the thread that it answers, the closest first, without angle brackets. */
  readonly references?: ReadonlyArray<string>
  /** How the recipient unsubscribes (RFC 2369): an address of `mailto:`, and an HTTPS address for one click (RFC 8058), if there is one. */
  readonly unsubscribe?: { readonly mailto: string; readonly url: string | null }
}

/** The outcome. Reasons are for people and contain no secrets. */
export type EmailOutcome =
  | { readonly _tag: "Confirmed"; readonly messageId: string | null }
  /** Certainly not accepted; retrying cannot help. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** Certainly not accepted, temporarily. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
  /** Transmitted, but no response came. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** Sends emails. Never fails: every problem is an outcome. */
export class EmailGateway extends Context.Service<
  EmailGateway,
  { readonly send: (email: OutgoingEmail) => Effect.Effect<EmailOutcome> }
>()("@svc/core/email/EmailGateway") {}

/** Longer than a mail server may take. */
const sendTimeout = "90 seconds"

/** Sends an e-mail. One whose gateway never answers is unknown. */
export const sendEmail = (email: OutgoingEmail): Effect.Effect<EmailOutcome, never, EmailGateway> =>
  flatMap(EmailGateway, ({ send }) =>
    timeoutOrElse(send(email), {
      duration: sendTimeout,
      orElse: () => succeed<EmailOutcome>({ _tag: "Unknown", reason: `No response within ${sendTimeout}.` })
    })
  )

/** Sends nothing: emails wait until a gateway is configured. */
export const layerNone: EffectLayer.Layer<EmailGateway> = EffectLayer.succeed(EmailGateway, {
  send: () => succeed({ _tag: "Unavailable", reason: "No email gateway is configured. Set SVC_SMTP_URL." })
})
