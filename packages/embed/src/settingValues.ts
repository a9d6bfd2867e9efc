/** Environment variables: where their texts are found, and the parsers of their values. */

import { createPrivateKey } from "node:crypto"
import { closeSync, openSync, readSync, statSync } from "node:fs"
import type { ClaimRule, ProviderSettings } from "@svc/auth"
import { decodePercent, type Failure, isLoopback, parseUrl } from "@svc/core"
import { normalizeEmail, parseScopes } from "@svc/core/internal"
import { parseBridgeUrl, signingKey } from "@svc/providers/bridge"
import { parseDsn } from "@svc/providers/unipile"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** An environment: names and values. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a value, or says what is wrong with it: "must be …". */
type Read<A> = (text: string) => A | { readonly problem: string }

/** Whether parsing failed. */
export const isProblem = (value: unknown): value is { readonly problem: string } =>
  typeof value === "object" && value !== null && "problem" in value

/** A whole number within bounds. */
export const integer =
  (minimum: number, maximum: number): Read<number> =>
  (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? value
      : { problem: `must be a whole number from ${minimum} to ${maximum}` }
  }

/** One of these words. */
export const oneOf =
  <const A extends string>(names: ReadonlyArray<A>): Read<A> =>
  (text) =>
    names.find((name) => name === text) ?? { problem: `must be one of ${names.join(", ")}` }

/** `true` or `false`. */
export const trueOrFalse: Read<boolean> = (text) =>
  text === "true" || text === "false" ? text === "true" : { problem: "must be true or false" }

/** Any non-empty text. */
export const nonEmpty: Read<string> = (text) => (text === "" ? { problem: "must not be empty" } : text)

/** An http or https URL, without its trailing slash. */
export const origin: Read<string> = (text) => {
  const url = parseUrl(text)
  const good = (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && url.hash === ""
  return good ? text.replace(/\/+$/, "") : { problem: "must be an http or https URL without query" }
}

/** A variable. `defaultValue` applies if it is not set or empty. */
export interface Variable<A> {
  readonly name: string
  readonly defaultValue: A
  readonly read: Read<A>
  readonly meaning: string
  /** Whether its value may be in a file, and is never shown. */
  readonly isSecret: boolean
}

/** A variable whose value is in the environment. */
export const variable = <A>(name: string, defaultValue: NoInfer<A>, read: Read<A>, meaning: string): Variable<A> => ({
  name,
  defaultValue,
  read,
  meaning,
  isSecret: false
})

/** A variable without a default. */
export const optional = <A>(name: string, read: Read<A>, meaning: string): Variable<A | undefined> =>
  variable<A | undefined>(name, undefined, read, meaning)

/** A variable without a default whose value is in the environment or in a file that NAME_FILE names, and is never shown. */
export const secretVariable = <A>(name: string, read: Read<A>, meaning: string): Variable<A | undefined> => ({
  ...optional(name, read, `${meaning}; or the path of a file that contains it in ${name}_FILE`),
  isSecret: true
})

/** A secret variable with any text. */
export const secretText = (name: string, meaning: string) =>
  secretVariable<Redacted.Redacted>(name, (text) => Redacted.make(text, { label: name }), meaning)

/** A private key in PEM. */
export const privateKey =
  (name: string): Read<Redacted.Redacted> =>
  (text) => {
    try {
      createPrivateKey(text)
      return Redacted.make(text, { label: name })
    } catch {
      return { problem: "must be a private key in PEM" }
    }
  }

// Finds the text of a variable: in the environment, or, for a secret, in the file named by NAME_FILE, so that neither a
// process list nor a container's description shows it.

/** A variable to find. */
export type VariableName = Pick<Variable<unknown>, "name" | "isSecret">

/** The text and its source, nothing, or a problem. */
type VariableText =
  | { readonly source: "environment" | "file"; readonly text: string }
  | { readonly source: "default" }
  | { readonly source: "bad"; readonly problem: string }

/** The variable that names a file with the value. */
export const fileVariable = (name: string): string => `${name}_FILE`

const maxSize = 65_536

/** The trimmed text of a file; undefined if it is unreadable, empty or too large. */
const textOf = (path: string) =>
  Result.try((): string | undefined => {
    const file = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(maxSize + 1)
      const size = readSync(file, bytes)
      return size > maxSize ? undefined : bytes.toString("utf8", 0, size).trim() || undefined
    } finally {
      closeSync(file)
    }
  }).pipe(Result.getOrUndefined)

/** Finds the text of a variable. An empty variable counts as not set. */
export const findText = (environment: Environment, { isSecret, name }: VariableName): VariableText => {
  const text = environment[name] || undefined
  const path = isSecret ? environment[fileVariable(name)] || undefined : undefined
  if (path === undefined) return text === undefined ? { source: "default" } : { source: "environment", text }
  const file = fileVariable(name)
  if (text !== undefined) return { source: "bad", problem: `${name} and ${file} are both set: use only one of them` }
  const read = textOf(path)
  return read === undefined
    ? { source: "bad", problem: `${file} must be the path of a readable, non-empty file` }
    : { source: "file", text: read }
}

/** Whether other users may read a file. False where that is unknown. */
export const isOpenToOthers = (path: string): boolean =>
  process.platform !== "win32" &&
  Result.getOrElse(
    Result.try(() => (statSync(path).mode & 0o077) !== 0),
    () => false
  )

/** A parser for a setting. Removes the variable's name from the start of its message. */
export const reader =
  <A>(parse: (text: string) => Result.Result<A, Failure>): Read<A> =>
  (text) =>
    Result.match(parse(text), {
      onSuccess: (value): A | { readonly problem: string } => value,
      onFailure: ({ message }) => ({ problem: message.replace(/^SVC_[A-Z_]+ /, "").replace(/\.$/, "") })
    })

/** An email address, normalized. */
export const email: Read<string> = (text) =>
  Result.match(normalizeEmail(text), {
    onSuccess: ({ address }): string | { readonly problem: string } => address,
    onFailure: () => ({ problem: "must be an email address" })
  })

/** The issuer of an identity provider: https, or http on this machine. */
const issuer: Read<URL> = (text) => {
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

/** An OTLP endpoint over HTTP. `label` is safe to show. */
export interface OtlpTarget {
  /** Without a trailing slash; `/v1/traces` and `/v1/metrics` are appended. */
  readonly url: string
  readonly label: string
  /** Value of the Authorization header, from a user and password in the URL. */
  readonly authorization: Redacted.Redacted | undefined
}

const problem = { problem: "must be an http or https URL such as http://127.0.0.1:4318, without query" }

/** Parses the URL. A user and password in it become Basic authorization. */
export const readOtlpTarget: Read<OtlpTarget> = (text) => {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") return problem
  const [user, password] = [decodePercent(url.username), decodePercent(url.password)]
  if (user === undefined || password === undefined) return problem
  url.username = ""
  url.password = ""
  const plain = url.href.replace(/\/+$/, "")
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
  return {
    url: plain,
    label: plain,
    authorization: user + password === "" ? undefined : Redacted.make(basic, { label: "SVC_OTLP_URL" })
  }
}

/** The variables by setting. */
export const providerVariables = {
  oidcIssuer: optional(
    "SVC_OIDC_ISSUER",
    issuer,
    "URL of your identity provider (OpenID Connect), with which people sign in to the review page and connect AI agents"
  ),
  oidcClientId: optional(
    "SVC_OIDC_CLIENT_ID",
    nonEmpty,
    "Client id at the identity provider; its redirect URI is the public URL followed by /review/provider/callback"
  ),
  oidcClientSecret: secretText("SVC_OIDC_CLIENT_SECRET", "Client secret at the identity provider"),
  oidcScope: variable("SVC_OIDC_SCOPE", "openid profile email", nonEmpty, "Scopes to ask the identity provider for"),
  oidcRights: variable(
    "SVC_OIDC_RIGHTS",
    [],
    claimRules,
    "Who may do what: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full (claim=value, id, scopes)"
  )
}

type Values = { readonly [Name in keyof typeof providerVariables]: (typeof providerVariables)[Name]["defaultValue"] }

/** Settings that a provider lacks. */
export const providerProblems = ({ oidcClientId, oidcIssuer, oidcRights }: Values): ReadonlyArray<string> => {
  if (oidcIssuer === undefined) return []
  return [
    ...(oidcClientId === undefined ? ["SVC_OIDC_ISSUER requires SVC_OIDC_CLIENT_ID"] : []),
    ...(oidcRights.length === 0 ? ["SVC_OIDC_ISSUER requires SVC_OIDC_RIGHTS"] : [])
  ]
}

/** The provider, if one is configured. */
export const providerOf = ({
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  oidcIssuer,
  oidcRights: rules,
  oidcScope: scope
}: Values): ProviderSettings | undefined =>
  oidcIssuer === undefined || clientId === undefined
    ? undefined
    : { issuer: oidcIssuer, clientId, clientSecret, scope, rules }
