/**
 * What the provider's error answers mean.
 *
 * The provider's own word decides, and the status where it gives no word that we know; but a 5xx never proves that
 * nothing happened, whatever the body says, 503 apart. A refusal without the provider's own words (a page of some proxy)
 * is never taken as final.
 *
 * Source: mission research 5.2, errors and mapping; contract 7 "Sending".
 */

import { soft } from "@svc/core/linkedin/bridge/ProviderText"
import type { RefusalKind, Refused, Unavailable } from "@svc/core/linkedin/LinkedInGateway"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Our key or its rights are at fault: nothing was done, and a person has to correct the settings. */
export interface Misconfigured {
  readonly _tag: "Misconfigured"
  readonly providerCode: string
}

/** It cannot be told whether the provider did what was asked. For a read the same as being unavailable. */
export interface Undecided {
  readonly _tag: "Undecided"
  readonly providerCode: string
}

/** What an error answer says. */
export type Verdict = Refused | Unavailable | Misconfigured | Undecided

/** How long a reached limit stops that action of the account, where the provider gives no time itself. Source: 5.2. */
export const limitSeconds = 86_400

type Meaning = RefusalKind | "misconfigured" | "undecided" | "unavailable"

// The words behind `errors/` of each meaning.
const vocabulary: ReadonlyArray<readonly [meaning: Meaning, words: string]> = [
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

const meanings: ReadonlyMap<string, Meaning> = new Map(
  vocabulary.flatMap(([meaning, words]) => words.split(" ").map((word) => [word, meaning] as const))
)

const ErrorAnswer = Schema.Struct({ type: Schema.String, title: soft(Schema.String), detail: soft(Schema.String) })
const decodeError = Schema.decodeUnknownOption(ErrorAnswer)

/** The word behind `errors/`, undefined when there is none that is one. */
const wordOf = (type: string): string | undefined => {
  const word = type.slice(0, 300).split("errors/").at(-1) ?? ""
  return /^[a-z0-9_]{1,80}$/.test(word) ? word : undefined
}

/** The meaning of a status alone, where no word is known. */
const meaningOfStatus = (status: number, hasWord: boolean): Meaning => {
  if (status === 503) return "unavailable"
  if (status === 429) return "limit"
  if (status === 401) return "misconfigured"
  if (status === 408 || status === 421 || status < 400 || status >= 500) return "undecided"
  return hasWord ? "invalid" : "transient"
}

/** Seconds in a `Retry-After` header, within a week; null for a date or anything else. */
export const retryAfter = (header: string | undefined): number | null => {
  const text = header?.trim() ?? ""
  return /^[0-9]{1,9}$/.test(text) ? Math.min(Math.max(1, Number(text)), 7 * 86_400) : null
}

// The provider tells a missing account only in prose; taken for a missing person, it would end every message for good.
const isMissingAccount = (prose: string): boolean => prose.slice(0, 300).toLowerCase().includes("account not found")

/**
 * Reads an answer that is not the one hoped for. `body` is its JSON, undefined when there was none; `retryAfterHeader`
 * its header of that name.
 */
export const verdictOf = (status: number, body: unknown, retryAfterHeader: string | undefined): Verdict => {
  const error = Option.getOrUndefined(decodeError(body))
  const word = error === undefined ? undefined : wordOf(error.type)
  const known = word === undefined ? undefined : meanings.get(word)
  const providerCode = word === undefined ? `http_${status}` : `errors/${word}`
  const isTrusted = status >= 400 && status < 500 && status !== 408
  let meaning = isTrusted && known !== undefined ? known : meaningOfStatus(status, word !== undefined)
  if (status === 501 && known === "invalid") meaning = "invalid"
  if (meaning === "unreachable" && isMissingAccount(`${error?.title ?? ""} ${error?.detail ?? ""}`)) {
    meaning = "account_down"
  }
  switch (meaning) {
    case "unavailable":
      return { _tag: "Unavailable", detail: `The provider is unavailable (${providerCode}).` }
    case "misconfigured":
      return { _tag: "Misconfigured", providerCode }
    case "undecided":
      return { _tag: "Undecided", providerCode }
    default: {
      const advice = retryAfter(retryAfterHeader)
      const retryAfterSeconds = meaning === "limit" ? (advice ?? limitSeconds) : advice
      return { _tag: "Refused", kind: meaning, providerCode, retryAfterSeconds }
    }
  }
}
