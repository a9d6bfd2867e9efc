/**
 * From the identifier fields of `lead.upsert` and of imported rows to the identities they name.
 *
 * Source: G13-G17; the fields of `lead.upsert` in the catalogue. `lead_id` is no identity and is looked up elsewhere.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { normalizeEmail } from "./Email.ts"
import { type Identity, sortIdentities } from "./Identity.ts"
import { type LinkedInProfile, parseLinkedInId, parseLinkedInProfile } from "./LinkedInProfile.ts"
import type { TokenOptions } from "./MemberToken.ts"
import { excerpt, hasForbiddenCharacter } from "./pastedText.ts"
import { parseSalesNavLead } from "./SalesNavLead.ts"

/** The identifier fields, as given. An absent or blank field names nothing. */
export interface IdentityFields {
  readonly email?: string | undefined
  readonly custom_id?: string | undefined
  readonly linkedin_url?: string | undefined
  readonly linkedin_id?: string | undefined
  readonly sales_nav_id?: string | undefined
}

/**
 * What the fields say. `identities` is sorted by strength and holds no repetition; it may be empty. `email` is the
 * address to store, `linkedinUrl` the canonical profile address (of a slug if there is one), `salesNavTriple` the
 * attribute of G16. `warnings` say what was given and identifies nobody; they belong into `meta.warnings`, or into the
 * message when nothing else identifies the lead.
 */
export interface IdentityInput {
  readonly identities: ReadonlyArray<Identity>
  readonly email?: string
  readonly linkedinUrl?: string
  readonly salesNavTriple?: string
  readonly warnings: ReadonlyArray<string>
}

type Field = keyof IdentityFields

const named = <A>(field: Field, result: Result.Result<A, Failure>): Result.Result<A, Failure> =>
  Result.mapError(result, (failure) => fail(failure.code, `${field}: ${failure.message}`))

/**
 * The normal form of a caller's own id: trimmed, NFC, 1 to 200 code points, case kept. Fails with INVALID_INPUT, also
 * for control characters.
 */
export const normalizeCustomId = (input: string): Result.Result<string, Failure> => {
  const value = input.trim().normalize("NFC")
  // No string of more than 400 code units has 200 code points, so a long one is never spread.
  const isShort = value !== "" && value.length <= 400 && [...value].length <= 200
  return isShort && !hasForbiddenCharacter(value)
    ? Result.succeed(value)
    : Result.fail(
        fail("INVALID_INPUT", `${excerpt(input)} cannot be used. Send 1 to 200 characters without control characters.`)
      )
}

const parseSalesNavId = (input: string, options: TokenOptions): Result.Result<LinkedInProfile, Failure> => {
  // A public profile address given here by mistake is understood; any other text gets the message about leads.
  const lead = parseSalesNavLead(input, options)
  const profile = parseLinkedInProfile(input, options)
  if (Result.isFailure(lead)) return Result.isSuccess(profile) ? profile : Result.fail(lead.failure)
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
 * Reads the identifier fields of one lead. A token, URN or lead address in the wrong LinkedIn field is understood.
 *
 * Fails with the failure of the first bad field, its message beginning with the field's name: INVALID_EMAIL,
 * NOT_A_PROFILE_URL or INVALID_INPUT; also with INVALID_INPUT, naming both fields, when two of them name different
 * members, because then it is not known whom the caller means. Source: G13-G17.
 */
export const readIdentityInput = (
  fields: IdentityFields,
  options: TokenOptions
): Result.Result<IdentityInput, Failure> => {
  const given = (field: Field): string | undefined => (fields[field]?.trim() ? fields[field] : undefined)
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
        fail(
          "INVALID_INPUT",
          `${member.field} names LinkedIn member ${member.value}, but ${field} names member ${value}. ` +
            "Send the identifiers of one person only."
        )
      )
    }
    if (value !== undefined) member ??= { field, value }
    if (profile.weakSlug !== undefined) {
      warnings.push(
        `${field}: ${excerpt(text)} is a legacy /pub/ address, which identifies nobody for certain. ` +
          "Open it and send the /in/ address it leads to."
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
