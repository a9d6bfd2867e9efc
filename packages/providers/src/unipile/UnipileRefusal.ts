/**
 * What the provider's error responses mean.
 *
 * The provider's error type decides, or the status when the type is unknown. A 5xx other than 503 never proves that
 * nothing happened, whatever its body says. A refusal without an error type (such as a proxy's page) is never final.
 */

import { soft } from "@svc/core/internal"
import type { RefusalKind } from "@svc/core/outreach"
import * as Schema from "effect/Schema"
import { type FailedRead, readAs } from "../ProviderRead.ts"

/** How long a reached limit stops an action of the account when the provider gives no time. */
export const limitSeconds = 86_400

type Category = RefusalKind | "misconfigured" | "undecided" | "unavailable"

// The error types after `errors/` by category.
const vocabulary: ReadonlyArray<readonly [category: Category, words: string]> = [
  [
    "invalid",
    "invalid_parameters malformed_request content_too_large invalid_url too_many_characters unescaped_characters " +
      "missing_parameters invalid_message unprocessable_entity insufficient_permissions feature_not_subscribed " +
      "subscription_required feature_not_implemented"
  ],
  ["misconfigured", "missing_credentials insufficient_privileges"],
  [
    "account_down",
    "multiple_sessions wrong_account invalid_credentials expired_credentials invalid_checkpoint_solution " +
      "checkpoint_error expired_link disconnected_account disconnected_feature session_mismatch " +
      "unknown_authentication_context invalid_account"
  ],
  ["account_restricted", "account_restricted"],
  [
    "unreachable",
    "resource_not_found invalid_resource_identifier resource_access_restricted invalid_recipient user_unreachable " +
      "cannot_invite_attendee"
  ],
  ["blocked", "blocked_recipient recipient_rejected sender_rejected"],
  ["not_connected", "no_connection_with_recipient"],
  ["already_connected", "already_connected action_already_performed"],
  ["already_pending", "already_invited_recently"],
  ["credits", "insufficient_credits not_allowed_inmail"],
  ["limit", "limit_exceeded connection_limit_reached cannot_resend_yet cannot_resend_within_24hrs too_many_requests"],
  ["unavailable", "no_client_session no_channel no_handler network_down service_unavailable"],
  ["undecided", "request_timeout unexpected_error provider_error provider_unreachable"]
]

const categories: ReadonlyMap<string, Category> = new Map(
  vocabulary.flatMap(([category, words]) => words.split(" ").map((word) => [word, category] as const))
)

const ErrorBody = Schema.Struct({ type: Schema.String, title: soft(Schema.String), detail: soft(Schema.String) })

/** The error type after `errors/`; undefined when malformed. */
const wordOf = (type: string): string | undefined => {
  const word = type.slice(0, 300).split("errors/").at(-1) ?? ""
  return /^[a-z0-9_]{1,80}$/.test(word) ? word : undefined
}

/** The category of a status whose error type is unknown. */
const categoryOfStatus = (status: number, hasWord: boolean): Category => {
  if (status === 503) return "unavailable"
  if (status === 429) return "limit"
  if (status === 401) return "misconfigured"
  if (status === 408 || status === 421 || status < 400 || status >= 500) return "undecided"
  return hasWord ? "invalid" : "transient"
}

/** Seconds in a `Retry-After` header, within a week; null for a date or anything else. */
const retryAfter = (header: string | undefined): number | null => {
  const text = header?.trim() ?? ""
  return /^[0-9]{1,9}$/.test(text) ? Math.min(Math.max(1, Number(text)), 7 * 86_400) : null
}

// Only the prose tells a missing account from a missing person, which would fail every message for good.
const isMissingAccount = (prose: string): boolean => prose.slice(0, 300).toLowerCase().includes("account not found")

/** Reads an error response. `body` is its JSON, undefined when it has none. */
export const readError = (status: number, body: unknown, retryAfterHeader: string | undefined): FailedRead => {
  const error = readAs(ErrorBody, body)
  const word = error === undefined ? undefined : wordOf(error.type)
  const known = word === undefined ? undefined : categories.get(word)
  const providerCode = word === undefined ? `http_${status}` : `errors/${word}`
  const isTrusted = status >= 400 && status < 500 && status !== 408
  let category = isTrusted && known !== undefined ? known : categoryOfStatus(status, word !== undefined)
  if (status === 501 && known === "invalid") category = "invalid"
  if (category === "unreachable" && isMissingAccount(`${error?.title ?? ""} ${error?.detail ?? ""}`)) {
    category = "account_down"
  }
  switch (category) {
    case "unavailable":
      return { _tag: "Unavailable", detail: `The provider is unavailable (${providerCode}).` }
    case "misconfigured":
      return {
        _tag: "Misconfigured",
        detail: `The provider rejected our key (${providerCode}). Check SVC_UNIPILE_API_KEY and SVC_UNIPILE_DSN.`
      }
    case "undecided":
      return { _tag: "Broken", detail: `The provider failed (${providerCode}).` }
    default: {
      const advice = retryAfter(retryAfterHeader)
      const retryAfterSeconds = category === "limit" ? (advice ?? limitSeconds) : advice
      return { _tag: "Refused", kind: category, providerCode, retryAfterSeconds }
    }
  }
}
