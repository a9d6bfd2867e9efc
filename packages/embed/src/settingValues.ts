/** Parsers of settings that belong to other packages. */

import { type Failure, normalizeEmail } from "@svc/core"
import { parseIssuer, parseRedisUrl, parseRules } from "@svc/http"
import { parseDatabaseUrl } from "@svc/postgres"
import { parseBridgeUrl, signingKey } from "@svc/providers/bridge"
import { parseSmtpUrl } from "@svc/providers/smtp"
import { parseDsn } from "@svc/providers/unipile"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Read } from "./Variable.ts"

/** A parser for a setting. Removes the variable's name from the start of its message. */
const reader =
  <A>(parse: (text: string) => Result.Result<A, Failure>): Read<A> =>
  (text) =>
    Result.match(parse(text), {
      onSuccess: (value): A | { readonly problem: string } => value,
      onFailure: ({ message }) => ({ problem: message.replace(/^SVC_[A-Z_]+ /, "").replace(/\.$/, "") })
    })

/** The database. */
export const database = reader(parseDatabaseUrl)

/** The SMTP server. */
export const smtp = reader(parseSmtpUrl)

/** An email address, normalized. */
export const email: Read<string> = (text) =>
  Result.match(normalizeEmail(text), {
    onSuccess: ({ address }): string | { readonly problem: string } => address,
    onFailure: () => ({ problem: "must be an email address" })
  })

/** Redis for shared rate limits. */
export const redis = reader(parseRedisUrl)

/** The issuer of an identity provider. */
export const issuer = reader(parseIssuer)

/** What claims of an identity provider are worth. */
export const claimRules = reader(parseRules)

/** Host or URL of the provider's API, unchanged. */
export const dsn: Read<string> = (text) =>
  Result.isSuccess(parseDsn(text))
    ? text
    : { problem: "must be a host such as api8.example.com:13851, or a URL with https (http on loopback only)" }

/** URL of the HTTP bridge, unchanged. */
export const bridge: Read<string> = (text) =>
  Result.isSuccess(parseBridgeUrl(text))
    ? text
    : { problem: "must be a URL with https (http on loopback only), without user, query or fragment" }

/** The secret shared with the HTTP bridge. */
export const bridgeSecret: Read<Redacted.Redacted> = (text) => {
  const value = Redacted.make(text, { label: "SVC_LINKEDIN_BRIDGE_SECRET" })
  return Result.isSuccess(signingKey(value))
    ? value
    : { problem: "must be whsec_ followed by 24 to 64 random bytes in Base64" }
}
