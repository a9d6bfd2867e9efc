/**
 * How an e-mail leaves: the port. Source: mission research 5.1 (results of sends told apart); G10.
 *
 * Whoever implements it says what it knows and no more: an e-mail counts as accepted when the other side said so.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { succeed } from "effect/Effect"
import * as EffectLayer from "effect/Layer"

/** An address with the name that is shown beside it; the name may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** What is sent. */
export interface OutgoingEmail {
  /** Message-ID without angle brackets: the same for every transmission of one e-mail. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

/** What became of it. Reasons are for a person and hold no secret. */
export type EmailOutcome =
  | { readonly _tag: "Accepted"; readonly messageId: string | null }
  /** It was not taken, for certain; `isPermanent` when trying again cannot help. */
  | { readonly _tag: "Refused"; readonly isPermanent: boolean; readonly reason: string }
  /** It was handed over and no answer came. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** Sends e-mails. Never fails: what goes wrong is an outcome. */
export class EmailGateway extends Context.Service<
  EmailGateway,
  { readonly send: (email: OutgoingEmail) => Effect.Effect<EmailOutcome> }
>()("@svc/core/email/EmailGateway") {}

/** Nothing leaves: e-mails wait until there is a way. */
export const layerNone: EffectLayer.Layer<EmailGateway> = EffectLayer.succeed(EmailGateway, {
  send: () =>
    succeed({ _tag: "Refused", isPermanent: false, reason: "No e-mail gateway is configured: set SVC_SMTP_URL." })
})
