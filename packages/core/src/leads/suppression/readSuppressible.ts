/** Parsing the targets of suppressions. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import { excerpt, line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired, type IdentityRefusal } from "../failures.ts"
import { type IdentityFields, readIdentityInput } from "../identity/IdentityInput.ts"
import type { TokenOptions } from "../identity/MemberToken.ts"
import type { ReferenceFields } from "../readReference.ts"
import type { Suppressible } from "./Suppression.ts"

/** The normal form of a domain, with or without a leading `@`. Fails with INVALID_INPUT. */
const readDomain = (input: string): Result.Result<string, InvalidInput> => {
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

const optional = Schema.optionalKey

/** TargetInput. */
export const targetFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead; covers all of its identifiers")),
  email: optional(line(500, "Email address, of a lead or of anybody else")),
  domain: optional(nonEmptyLine(253, "Domain such as example.com: covers every email address there")),
  linkedin_url: optional(line(4_000, "URL of the LinkedIn profile, in any spelling"))
}

interface TargetInput {
  readonly lead_id?: LeadId | undefined
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly linkedin_url?: string | undefined
}

/** A person, by identifiers, or a domain. */
type Target =
  | { readonly _tag: "Person"; readonly fields: ReferenceFields }
  | { readonly _tag: "Domain"; readonly domain: string }

/** Fails with IDENTIFIER_REQUIRED without a field, and with INVALID_INPUT for several. */
export const readTarget = ({
  domain,
  ...fields
}: TargetInput): Effect.Effect<Target, IdentifierRequired | InvalidInput> => {
  const given = [domain, ...Object.values(fields)].filter((value) => value !== undefined)
  if (given.length === 0) {
    return Effect.fail(
      new IdentifierRequired({ message: "Name a target: send lead_id, email, domain or linkedin_url." })
    )
  }
  if (given.length > 1) {
    return Effect.fail(
      new InvalidInput({
        message: "lead_id, email, domain and linkedin_url are alternatives. Send one of them."
      })
    )
  }
  if (domain === undefined) return Effect.succeed({ _tag: "Person", fields })
  const read = Result.map(readDomain(domain), (name): Target => ({ _tag: "Domain", domain: name }))
  return Effect.fromResult(Result.mapError(read, (failure) => failure.withMessage(`domain: ${failure.message}`)))
}
