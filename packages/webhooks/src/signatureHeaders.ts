/** The headers of a signed request, after the Standard Webhooks specification. Source: G34. */
import type { WebhookRequest } from "@svc/core/webhooks/delivery/WebhookSender"
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"

/** Id, time and one signature for each secret: two while a rotation overlaps, so that either secret verifies. */
export const signatureHeaders = ({
  body,
  messageId,
  secrets,
  sentAt
}: Pick<WebhookRequest, "body" | "messageId" | "secrets" | "sentAt">): Readonly<Record<string, string>> => {
  const at = new Date(sentAt)
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(sentAt / 1_000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(Redacted.value(secret)).sign(messageId, at, body))
      .join(" ")
  }
}
