/** Whether a request was signed with a secret: what a receiver does. Source: Standard Webhooks; G34. */
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"

/** True when the signature fits the body and the request is at most five minutes old or early. Never throws. */
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
