/**
 * The identifier fields of inputs: how each is entered, parsed, cleared, and filled from a file; and the lead that they name.
 *
 * A token, URN or lead URL in the wrong LinkedIn field is accepted.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import type { LeadId } from "../../kernel/schema/IdsAndTime.ts"
import { excerpt, hasForbiddenCharacter, line, type TextField } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired, type IdentityRefusal, type ReferenceRefusal } from "../failures.ts"
import { type Identity, IdentityOptions, sortIdentities, type TokenOptions, tokensOf } from "./Identity.ts"
import { type LinkedInProfile, parseLinkedInId, parseLinkedInProfile, parseSalesNavLead } from "./LinkedInProfile.ts"

/** A parsed field; `email` is the address to store. */
type Parsed = Partial<LinkedInProfile> & { readonly identities: ReadonlyArray<Identity>; readonly email?: string }

/** The name of an identifier field. */
type IdentifierField = "email" | "custom_id" | "linkedin_url" | "linkedin_id" | "sales_nav_id"

/** An identifier field. */
interface Identifier {
  readonly max: number
  /** What it is, for commands that find a lead by it. */
  readonly find: string
  /** What it is, for commands that write it. */
  readonly write: string
  /** Usual headings of CSV columns besides the name, separated by commas. */
  readonly csv: string
  /** What a column under another heading shows when it probably holds it: words of its heading, or one of its cells. */
  readonly hints?: { readonly heading: RegExp; readonly cell: RegExp }
  readonly parse: (text: string, options: TokenOptions) => Result.Result<Parsed, IdentityRefusal>
  /** Which identities of a lead leave it when the field is cleared, given those that are shown. */
  readonly cleared: (held: ReadonlyArray<Identity>, isShown: (identity: Identity) => boolean) => ReadonlyArray<Identity>
}

const given = (kind: Identity["kind"], value: string): Identity => ({ kind, value, derived: false })

/**
 * The normal form of a caller's own id: trimmed, NFC, 1 to 200 code points, case kept. Fails with INVALID_INPUT, also
 * for control characters.
 */
const normalizeCustomId = (input: string): Result.Result<string, InvalidInput> => {
  const value = input.trim().normalize("NFC")
  // More than 400 code units are more than 200 code points, so a long string is never spread.
  const isShort = value !== "" && value.length <= 400 && [...value].length <= 200
  if (isShort && !hasForbiddenCharacter(value)) return Result.succeed(value)
  const message = `${excerpt(input)} is not valid. Send 1 to 200 characters without control characters.`
  return Result.fail(new InvalidInput({ message }))
}

/** A public profile URL is accepted here too; any other text gets the error about Sales Navigator leads. */
const parseSalesNavId = (text: string, options: TokenOptions): Result.Result<Parsed, IdentityRefusal> =>
  Result.orElse(parseSalesNavLead(text, options), (failure) =>
    Result.mapError(parseLinkedInProfile(text, options), () => failure)
  )

/** The identifier fields, in the order of documents. */
export const identifiers: Readonly<Record<IdentifierField, Identifier>> = {
  email: {
    max: 500,
    find: "Email address",
    write: "Email address. It identifies the lead. Null or empty removes the one shown",
    csv:
      "e mail, mail, email address, e mail address, mail address, work email, work e mail, business email, professional email, " +
      "contact email, company email, primary email, email 1, verified email, personal email, lead email, email addresses, " +
      "adresse e mail, adresse email, courriel, e mail adresse, email adresse, correo, correo electronico",
    hints: {
      heading: /mail|courriel|correo|correio|posta elettronica|почт|邮箱|メール/,
      cell: /^[^\s@]+@[^\s@.]+\.[^\s@]+$/
    },
    parse: (text) =>
      Result.map(normalizeEmail(text), ({ address, key }) => ({ identities: [given("email", key)], email: address })),
    cleared: (held, isShown) => held.filter((identity) => identity.kind === "email" && isShown(identity))
  },
  custom_id: {
    max: 400,
    find: "Your own id for the person. At most 200 characters",
    write: "Your own id for the person. At most 200 characters. Null or empty removes it",
    csv: "external id, crm id, contact id, customer id, record id, reference id, hubspot id, salesforce id",
    parse: (text) => Result.map(normalizeCustomId(text), (value) => ({ identities: [given("custom_id", value)] })),
    cleared: (held) => held.filter(({ kind }) => kind === "custom_id")
  },
  linkedin_url: {
    max: 4_000,
    find: "LinkedIn profile URL. Any spelling of a public profile",
    write: "LinkedIn profile URL. It identifies the lead. Null or empty removes the one shown",
    csv:
      "linkedin, linkedin profile, linkedin profile url, linkedin link, linkedin profile link, profile url, profile link, " +
      "linkedin public url, person linkedin url, person linkedin, contact linkedin url, personal linkedin url, " +
      "personal linkedin, lead linkedin url, linkedin address, linkedinprofile, linkedinurl, linkedin contact profile url, " +
      "public profile url, profil linkedin, profileurl",
    hints: {
      heading:
        /^(?!.*\b(?:account|azienda|compan|empresa|entreprise|firm|organi|societe|unternehm)).*(?:linked ?in|领英)/,
      cell: /linkedin\.com\/(?:in|pub|profile|talent)\//i
    },
    parse: parseLinkedInProfile,
    cleared: (held, isShown) => held.filter((identity) => identity.kind !== "email" && isShown(identity))
  },
  linkedin_id: {
    max: 4_000,
    find: "LinkedIn member id. A token, URN or number",
    write: "LinkedIn member id. A token, URN or number. Null or empty removes the lead's tokens and member id",
    csv: "linkedin member id, member id, linkedin urn, linkedin profile id, profile id, vmid",
    parse: parseLinkedInId,
    cleared: (held) => tokensOf(held, ["profile_token", "recruiter_token"], true)
  },
  sales_nav_id: {
    max: 4_000,
    find: "Sales Navigator lead. A URL, URN or token",
    write: "Sales Navigator lead. A URL, URN or token. Null or empty removes the lead's Sales Navigator tokens",
    csv:
      "sales navigator id, sales nav url, sales navigator url, sales navigator profile url, sales nav profile, salesnav url, " +
      "sales nav link, linkedin sales navigator url, salesnavigatorurl",
    hints: { heading: /sales ?nav/, cell: /linkedin\.com\/sales\/(?:lead|people)\//i },
    parse: parseSalesNavId,
    cleared: (held) => tokensOf(held, ["sales_nav_token"], false)
  }
}

/** The names of the identifier fields. */
export const identifierNames = Struct.keys(identifiers)

type Inputs<S extends Schema.Top> = { readonly [F in IdentifierField]: Schema.optionalKey<S> }

const inputsOf = <S extends Schema.Top>(schemaOf: (identifier: Identifier) => S): Inputs<S> =>
  Object.fromEntries(
    Object.entries(identifiers).map(([field, identifier]) => [field, Schema.optionalKey(schemaOf(identifier))])
  ) as Inputs<S>

/** Identifier fields of commands that find a lead. */
export const identifierFields = inputsOf<TextField>(({ find, max }) => line(max, find))

/** Identifier fields of `lead.upsert`, where null and an empty text remove. */
export const writtenIdentifierFields = inputsOf(({ max, write }) => Schema.NullOr(line(max, write)))

/** The identifier fields as sent. Absent, null and blank fields are ignored. */
export type IdentityFields = { readonly [F in IdentifierField]?: string | null | undefined }

/**
 * The parsed fields. `identities` is sorted by strength, without repetition, and may be empty. `email` is the address to
 * store, `linkedinUrl` the canonical profile URL (with the slug if there is one), `salesNavTriple` an attribute of the
 * lead. `warnings` name values that identify nobody; they go into `meta.warnings`, or into the error without any
 * identifier.
 */
interface IdentityInput {
  readonly identities: ReadonlyArray<Identity>
  readonly email?: string
  readonly linkedinUrl?: string
  readonly salesNavTriple?: string
  readonly warnings: ReadonlyArray<string>
}

/** The fields in the order of parsing, which decides about the failure of several invalid ones. */
const parsedFields = ["custom_id", "linkedin_url", "linkedin_id", "sales_nav_id", "email"] as const

const hasSlug = ({ identities }: Parsed): boolean => identities.some(({ kind }) => kind === "slug")

/**
 * Parses the identifier fields of one lead.
 *
 * Fails with INVALID_EMAIL, NOT_A_PROFILE_URL or INVALID_INPUT for the first invalid field, whose name starts the message;
 * also with INVALID_INPUT when two fields name different LinkedIn members.
 */
export const readIdentityInput = (
  fields: IdentityFields,
  options: TokenOptions
): Result.Result<IdentityInput, IdentityRefusal> => {
  const all: Array<Parsed> = []
  const warnings: Array<string> = []
  let member: { readonly field: IdentifierField; readonly value: string } | undefined
  for (const field of parsedFields) {
    const text = fields[field]
    if (!text?.trim()) continue
    const read = identifiers[field].parse(text, options)
    if (Result.isFailure(read)) return Result.fail(read.failure.withMessage(`${field}: ${read.failure.message}`))
    const parsed = read.success
    const value = parsed.identities.find(({ kind }) => kind === "member_id")?.value
    if (value !== undefined && member !== undefined && value !== member.value) {
      const message =
        `${member.field} names LinkedIn member ${member.value}, but ${field} names member ${value}. ` +
        "Send the identifiers of one person only."
      return Result.fail(new InvalidInput({ message }))
    }
    if (value !== undefined) member ??= { field, value }
    if (parsed.weakSlug !== undefined) {
      warnings.push(
        `${field}: ${excerpt(text)} is a legacy /pub/ URL, which does not identify one person for certain. Open it and ` +
          "send the /in/ URL it redirects to."
      )
    }
    all.push(parsed)
  }
  const email = all.find((parsed) => parsed.email !== undefined)?.email
  const url = (all.find(hasSlug) ?? all.find(({ canonicalUrl }) => canonicalUrl != null))?.canonicalUrl
  const triple = all.find(({ salesNavTriple }) => salesNavTriple !== undefined)?.salesNavTriple
  return Result.succeed({
    identities: sortIdentities(all.flatMap(({ identities }) => identities)),
    ...(email === undefined ? {} : { email }),
    ...(url ? { linkedinUrl: url } : {}),
    ...(triple === undefined ? {} : { salesNavTriple: triple }),
    warnings
  })
}

/** The decoded identifier fields; null and blank values are ignored. */
export interface ReferenceFields extends IdentityFields {
  readonly lead_id?: LeadId | undefined
  readonly prospect_id?: string | undefined
}

/** The parsed fields: an explicit lead id, identities, or both. */
export interface Reference extends IdentityInput {
  readonly leadId: LeadId | undefined
}

/**
 * Parses the fields. Fails with IDENTIFIER_REQUIRED when there is none, with INVALID_INPUT when lead_id and prospect_id
 * differ, and like `readIdentityInput`.
 */
export const readReference = (fields: ReferenceFields) =>
  Effect.flatMap(IdentityOptions, (options) => Effect.fromResult(referenceOf(fields, options)))

/** Like {@link readReference}, with given options. */
export const referenceOf = (
  fields: ReferenceFields,
  options: TokenOptions
): Result.Result<Reference, ReferenceRefusal> => {
  const { lead_id, prospect_id } = fields
  if (lead_id !== undefined && prospect_id !== undefined && lead_id !== prospect_id) {
    const message = "lead_id and prospect_id are aliases but differ. Send one of them."
    return Result.fail(new InvalidInput({ message }))
  }
  const read = readIdentityInput(fields, options)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const input = read.success
  const leadId = lead_id ?? prospect_id
  if (leadId === undefined && input.identities.length === 0) {
    const why = input.warnings.map((warning) => `${warning} `).join("")
    const message = `${why}At least one identifier is required: lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id.`
    return Result.fail(new IdentifierRequired({ message }))
  }
  return Result.succeed({ leadId, ...input })
}
