/** Verifies the signature of a webhook request, as a receiver does (Standard Webhooks). */
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"

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
