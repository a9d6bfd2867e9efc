/**
 * Sends signed requests to receivers: the port.
 *
 * An implementation signs according to the Standard Webhooks specification, checks the resolved address before it
 * connects, follows no redirects, and always ends within its time limit.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A request to sign and send. */
export interface WebhookRequest {
  readonly url: string
  /** Sent as webhook-id: the same for every attempt. */
  readonly messageId: string
  /** Milliseconds since 1970, sent as webhook-timestamp. */
  readonly sentAt: number
  readonly body: string
  /** Every valid secret, oldest first: each adds a signature. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The outcome of a request. Its texts are for people and contain no secrets. */
export type WebhookResponse =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly retryAfterSeconds: number | null
      /** The beginning of a refusal's body, on one line; empty when it may not be shown. */
      readonly snippet: string
    }
  | { readonly _tag: "Unanswered"; readonly reason: string }

/** Sends requests. Never fails: an error is a response too. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookResponse> }
>()("@svc/core/webhooks/WebhookSender") {}
