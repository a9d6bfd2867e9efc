/** Parsing the targets of suppressions. */
import * as Result from "effect/Result"

import { InvalidInput } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { excerpt } from "../../kernel/schema/pastedText.ts"
import type { IdentityRefusal } from "../failures.ts"
import { type IdentityFields, readIdentityInput } from "../identity/IdentityInput.ts"
import type { TokenOptions } from "../identity/MemberToken.ts"
import type { Suppressible } from "./Suppression.ts"

/** The normal form of a domain, with or without a leading `@`. Fails with INVALID_INPUT. */
export const readDomain = (input: string): Result.Result<string, InvalidInput> => {
  const text = input.trim()
  const address = normalizeEmail(`x@${text.startsWith("@") ? text.slice(1) : text}`)
  return Result.mapBoth(address, {
    onSuccess: ({ key }) => key.slice(key.lastIndexOf("@") + 1),
    onFailure: () =>
      new InvalidInput({ message: `${excerpt(input)} is not a domain name. Send a domain such as example.com.` })
  })
}

const leadIdPattern = /^ld_[0-9A-Z]{1,40}$/

const fieldOf = (text: string): keyof IdentityFields => {
  if (/^(?:urn:li:|ACwAA|AEMAA)/.test(text) || /\/sales\/(?:lead|people)\//.test(text)) return "sales_nav_id"
  return "linkedin_url"
}

/**
 * Parses a lead id, an email address, a LinkedIn profile, URN or token, or a domain. Fails with INVALID_INPUT,
 * INVALID_EMAIL or NOT_A_PROFILE_URL.
 */
export const readSuppressible = (
  input: string,
  options: TokenOptions
): Result.Result<ReadonlyArray<Suppressible>, IdentityRefusal> => {
  const text = input.trim()
  if (leadIdPattern.test(text)) return Result.succeed([{ kind: "lead", value: text }])
  if (text.includes("@") && !text.startsWith("@")) {
    return Result.map(normalizeEmail(text), ({ key }) => [{ kind: "email", value: key }])
  }
  const domain = readDomain(text)
  const isProfile = text.includes("/") || text.includes(":") || /^A(?:CoAA|CwAA|EMAA)/.test(text)
  if (!isProfile) return Result.map(domain, (value) => [{ kind: "domain", value }])
  return Result.map(readIdentityInput({ [fieldOf(text)]: text }, options), ({ identities }) =>
    identities.map(({ kind, value }) => ({ kind, value }))
  )
}
