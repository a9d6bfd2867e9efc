/** Parsing the identifier fields of `lead.upsert` and of imported rows. */

import * as Result from "effect/Result"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { excerpt, hasForbiddenCharacter } from "../../kernel/schema/TextFields.ts"
import type { IdentityRefusal } from "../failures.ts"
import { type Identity, sortIdentities } from "./Identity.ts"
import { type LinkedInProfile, parseLinkedInId, parseLinkedInProfile } from "./LinkedInProfile.ts"
import type { TokenOptions } from "./MemberToken.ts"
import { parseSalesNavLead } from "./SalesNavLead.ts"

/** The identifier fields as sent. Absent, null and blank fields are ignored. */
export interface IdentityFields {
  readonly email?: string | null | undefined
  readonly custom_id?: string | null | undefined
  readonly linkedin_url?: string | null | undefined
  readonly linkedin_id?: string | null | undefined
  readonly sales_nav_id?: string | null | undefined
}

/**
 * The parsed fields. `identities` is sorted by strength, without repetition, and may be empty. `email` is the address to
 * store, `linkedinUrl` the canonical profile URL (with the slug if there is one), `salesNavTriple` an attribute of the
 * lead. `warnings` name values that identify nobody; they go into `meta.warnings`, or into the error without any
 * identifier.
 */
export interface IdentityInput {
  readonly identities: ReadonlyArray<Identity>
  readonly email?: string
  readonly linkedinUrl?: string
  readonly salesNavTriple?: string
  readonly warnings: ReadonlyArray<string>
}

type Field = keyof IdentityFields

const named = <A, F extends Failure>(field: Field, result: Result.Result<A, F>): Result.Result<A, F> =>
  Result.mapError(result, (failure) => failure.withMessage(`${field}: ${failure.message}`))

/**
 * The normal form of a caller's own id: trimmed, NFC, 1 to 200 code points, case kept. Fails with INVALID_INPUT, also
 * for control characters.
 */
const normalizeCustomId = (input: string): Result.Result<string, InvalidInput> => {
  const value = input.trim().normalize("NFC")
  // More than 400 code units are more than 200 code points, so a long string is never spread.
  const isShort = value !== "" && value.length <= 400 && [...value].length <= 200
  return isShort && !hasForbiddenCharacter(value)
    ? Result.succeed(value)
    : Result.fail(
        new InvalidInput({
          message: `${excerpt(input)} is not valid. Send 1 to 200 characters without control characters.`
        })
      )
}

const parseSalesNavId = (input: string, options: TokenOptions): Result.Result<LinkedInProfile, InvalidInput> => {
  // A public profile URL is accepted here too; any other text gets the error about Sales Navigator leads.
  const lead = parseSalesNavLead(input, options)
  const profile = parseLinkedInProfile(input, options)
  if (Result.isFailure(lead))
    return Result.isSuccess(profile) ? Result.succeed(profile.success) : Result.fail(lead.failure)
  const { identities, triple } = lead.success
  return Result.succeed({
    identities,
    canonicalUrl: null,
    ...(triple === undefined ? {} : { salesNavTriple: triple })
  })
}

const profileParsers = {
  linkedin_url: parseLinkedInProfile,
  linkedin_id: parseLinkedInId,
  sales_nav_id: parseSalesNavId
} as const

const profileFields = ["linkedin_url", "linkedin_id", "sales_nav_id"] as const

const isSlugUrl = (profile: LinkedInProfile): boolean => profile.identities.some((identity) => identity.kind === "slug")

/**
 * Parses the identifier fields of one lead. A token, URN or lead URL in the wrong LinkedIn field is accepted.
 *
 * Fails with INVALID_EMAIL, NOT_A_PROFILE_URL or INVALID_INPUT for the first invalid field, whose name starts the message;
 * also with INVALID_INPUT when two fields name different LinkedIn members.
 */
export const readIdentityInput = (
  fields: IdentityFields,
  options: TokenOptions
): Result.Result<IdentityInput, IdentityRefusal> => {
  const given = (field: Field): string | undefined => {
    const text = fields[field] ?? undefined
    return text?.trim() ? text : undefined
  }
  const identities: Array<Identity> = []
  const warnings: Array<string> = []

  const customId = given("custom_id")
  if (customId !== undefined) {
    const value = named("custom_id", normalizeCustomId(customId))
    if (Result.isFailure(value)) return Result.fail(value.failure)
    identities.push({ kind: "custom_id", value: value.success, derived: false })
  }

  const profiles: Array<LinkedInProfile> = []
  let member: { readonly field: Field; readonly value: string } | undefined
  for (const field of profileFields) {
    const text = given(field)
    if (text === undefined) continue
    const read = named(field, profileParsers[field](text, options))
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const profile = read.success
    const value = profile.identities.find((identity) => identity.kind === "member_id")?.value
    if (value !== undefined && member !== undefined && value !== member.value) {
      return Result.fail(
        new InvalidInput({
          message:
            `${member.field} names LinkedIn member ${member.value}, but ${field} names member ${value}. ` +
            "Send the identifiers of one person only."
        })
      )
    }
    if (value !== undefined) member ??= { field, value }
    if (profile.weakSlug !== undefined) {
      warnings.push(
        `${field}: ${excerpt(text)} is a legacy /pub/ URL, which does not identify one person for certain. Open it and ` +
          "send the /in/ URL it redirects to."
      )
    }
    identities.push(...profile.identities)
    profiles.push(profile)
  }

  const email = given("email")
  const address = email === undefined ? undefined : named("email", normalizeEmail(email))
  if (address !== undefined) {
    if (Result.isFailure(address)) return Result.fail(address.failure)
    identities.push({ kind: "email", value: address.success.key, derived: false })
  }

  const shown = profiles.find(isSlugUrl) ?? profiles.find((profile) => profile.canonicalUrl !== null)
  const triple = profiles.find((profile) => profile.salesNavTriple !== undefined)?.salesNavTriple
  return Result.succeed({
    identities: sortIdentities(identities),
    ...(address === undefined ? {} : { email: address.success.address }),
    ...(shown?.canonicalUrl ? { linkedinUrl: shown.canonicalUrl } : {}),
    ...(triple === undefined ? {} : { salesNavTriple: triple }),
    warnings
  })
}
