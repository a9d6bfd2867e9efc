/** The operator's identity provider (OpenID Connect), and what its claims are worth here. */
import { type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import { parseScopes, type Right } from "@svc/core/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Persons with this value of a claim have a right. */
export interface ClaimRule extends Right {
  readonly claim: string
  /** `*` for any. */
  readonly value: string
}

/** See above. */
export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret: Redacted.Redacted | undefined
  /** The scopes to ask for, such as `openid profile email`. */
  readonly scope: string
  readonly rules: ReadonlyArray<ClaimRule>
}

/** The provider; undefined where people sign in with keys and links only. */
export const IdentityProvider = Context.Reference<ProviderSettings | undefined>("@svc/http/IdentityProvider", {
  defaultValue: () => undefined
})

/** An issuer: https, or http on this machine. Fails with INVALID_INPUT. */
export const parseIssuer = (text: string): Result.Result<URL, Failure> => {
  const url = parseUrl(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  const isPlain =
    url !== undefined && url.search === "" && url.hash === "" && url.username === "" && url.password === ""
  return isSafe && isPlain
    ? Result.succeed(url)
    : Result.fail(new InvalidInput({ message: "must be an https URL without query or password" }))
}

const shape = /^([A-Za-z0-9_.:/-]{1,200})=(\S{1,200})\s+(\S{1,200})\s+(\S{1,1000})$/

/**
 * Rules such as `groups=sales acme approver; groups=admins acme full`: a claim and its value, an organization by its id or
 * external id, and scopes or bundles separated by commas. Fails with INVALID_INPUT.
 */
export const parseRules = (text: string): Result.Result<ReadonlyArray<ClaimRule>, Failure> => {
  const rules: Array<ClaimRule> = []
  for (const part of text.split(";").map((one) => one.trim())) {
    if (part === "") continue
    const [, claim = "", value = "", organization = "", list = ""] = shape.exec(part) ?? []
    const scopes = Effect.runSync(Effect.result(parseScopes(list)))
    if (claim === "" || Result.isFailure(scopes)) {
      const message = "must be rules such as: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full"
      return Result.fail(new InvalidInput({ message }))
    }
    rules.push({ claim, value, organization, scopes: scopes.success })
  }
  return Result.succeed(rules)
}

/** The rights that claims give. A claim may be a list. */
export const rightsOf = (
  rules: ReadonlyArray<ClaimRule>,
  claims: Readonly<Record<string, unknown>>
): ReadonlyArray<Right> =>
  rules.filter(({ claim, value }) => {
    const found = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    const values = [found].flat().filter((one) => one !== undefined && one !== null && one !== "")
    return value === "*" ? values.length > 0 : values.some((one) => String(one) === value)
  })
