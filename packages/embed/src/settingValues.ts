/** Parsers of settings that belong to other packages. */
import type { ClaimRule } from "@svc/auth"
import { type Failure, isLoopback, normalizeEmail, parseUrl } from "@svc/core"
import { parseScopes } from "@svc/core/workspace"
import { parseRedisUrl } from "@svc/http"
import { parseDatabaseUrl } from "@svc/postgres"
import { parseBridgeUrl, signingKey } from "@svc/providers/bridge"
import { parseSmtpUrl } from "@svc/providers/smtp"
import { parseDsn } from "@svc/providers/unipile"
import * as Effect from "effect/Effect"
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

/** The issuer of an identity provider: https, or http on this machine. */
export const issuer: Read<URL> = (text) => {
  const url = parseUrl(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  return isSafe && url.search + url.hash + url.username + url.password === ""
    ? url
    : { problem: "must be an https URL without query or password" }
}

const rule = /^([A-Za-z0-9_.:/-]{1,200})=(\S{1,200})\s+(\S{1,200})\s+(\S{1,1000})$/

/**
 * What claims of an identity provider are worth, such as `groups=sales acme approver; groups=admins acme full`: a claim and its
 * value, an organization by its id or external id, and scopes or bundles separated by commas.
 */
export const claimRules: Read<ReadonlyArray<ClaimRule>> = (text) => {
  const rules: Array<ClaimRule> = []
  for (const part of text.split(";").map((one) => one.trim())) {
    if (part === "") continue
    const [, claim = "", value = "", organization = "", list = ""] = rule.exec(part) ?? []
    const scopes = Effect.runSync(Effect.result(parseScopes(list)))
    if (claim === "" || Result.isFailure(scopes)) {
      return { problem: "must be rules such as: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full" }
    }
    rules.push({ claim, value, organization, scopes: scopes.success })
  }
  return rules
}

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
