/** The operator's identity provider (OpenID Connect), and what its claims are worth here. */
import type { Right } from "@svc/core/workspace"
import type * as Redacted from "effect/Redacted"

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
