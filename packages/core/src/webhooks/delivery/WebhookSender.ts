/**
 * How a signed request reaches a receiver: the port.
 *
 * What implements it signs after the Standard Webhooks specification, looks where the address leads before it connects,
 * follows no redirect, and ends within its time limit whatever the receiver does. Source: G34; reliability, threat D.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A request to sign and send. */
export interface WebhookRequest {
  readonly url: string
  /** Sent as webhook-id: the same for every try of one thing. */
  readonly messageId: string
  /** Milliseconds since 1970, sent as webhook-timestamp. */
  readonly sentAt: number
  readonly body: string
  /** Every secret that holds now, oldest first: each gives a signature. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** How a request ended. Texts are for a person and hold nothing secret. */
export type WebhookAnswer =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly retryAfterSeconds: number | null
      /** The beginning of a refusal's body, on one line; empty when it may not be shown. */
      readonly snippet: string
    }
  | { readonly _tag: "Unanswered"; readonly reason: string }

/** Sends requests. Never fails: what goes wrong is an answer. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookAnswer> }
>()("@svc/core/webhooks/WebhookSender") {}
