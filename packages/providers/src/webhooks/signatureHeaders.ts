/** The headers of a signed request, as specified by Standard Webhooks. */
import type { WebhookRequest } from "@svc/core/webhooks"
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"

/** Id, time and one signature per secret: two during a rotation, so that either secret verifies. */
export const signatureHeaders = ({
  body,
  messageId,
  secrets,
  sentAt
}: Pick<WebhookRequest, "body" | "messageId" | "secrets" | "sentAt">) => {
  const at = new Date(sentAt)
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(sentAt / 1_000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(Redacted.value(secret)).sign(messageId, at, body))
      .join(" ")
  }
}

/** True when the signature matches and the timestamp is within five minutes. Never throws. */
export const isSignedWith = (
  secret: Redacted.Redacted,
  body: string,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): boolean => {
  const named = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name] ?? "")])
  )
  try {
    new Webhook(Redacted.value(secret)).verify(body, named)
    return true
  } catch {
    return false
  }
}
