/** The identifier fields of inputs and the columns of files that fill them. */
import * as Schema from "effect/Schema"
import { line, type TextField } from "../../kernel/schema/TextFields.ts"

/** An identifier field. */
interface Identifier {
  readonly max: number
  /** What it is, for commands that find a lead by it. */
  readonly find: string
  /** What it is, for commands that write it. */
  readonly write: string
  /** Usual headings of CSV columns besides the name, separated by commas. */
  readonly csv: string
}

/** The identifier fields, in the order of documents. */
export const identifiers = {
  email: {
    max: 500,
    find: "Email address",
    write: "Email address. It identifies the lead. Null or empty removes the one shown",
    csv:
      "e mail, mail, email address, e mail address, mail address, work email, work e mail, business email, professional email, " +
      "contact email, company email, primary email, email 1, verified email, personal email, lead email, email addresses, " +
      "adresse e mail, adresse email, courriel, e mail adresse, email adresse, correo, correo electronico"
  },
  custom_id: {
    max: 400,
    find: "Your own id for the person. At most 200 characters",
    write: "Your own id for the person. At most 200 characters. Null or empty removes it",
    csv: "external id, crm id, contact id, customer id, record id, reference id, hubspot id, salesforce id"
  },
  linkedin_url: {
    max: 4_000,
    find: "LinkedIn profile URL. Any spelling of a public profile",
    write: "LinkedIn profile URL. It identifies the lead. Null or empty removes the one shown",
    csv:
      "linkedin, linkedin profile, linkedin profile url, linkedin link, linkedin profile link, profile url, profile link, " +
      "linkedin public url, person linkedin url, person linkedin, contact linkedin url, personal linkedin url, " +
      "personal linkedin, lead linkedin url, linkedin address, linkedinprofile, linkedinurl, linkedin contact profile url, " +
      "public profile url, profil linkedin, profileurl"
  },
  linkedin_id: {
    max: 4_000,
    find: "LinkedIn member id. A token, URN or number",
    write: "LinkedIn member id. A token, URN or number. Null or empty removes the lead's tokens and member id",
    csv: "linkedin member id, member id, linkedin urn, linkedin profile id, profile id, vmid"
  },
  sales_nav_id: {
    max: 4_000,
    find: "Sales Navigator lead. A URL, URN or token",
    write: "Sales Navigator lead. A URL, URN or token. Null or empty removes the lead's Sales Navigator tokens",
    csv:
      "sales navigator id, sales nav url, sales navigator url, sales navigator profile url, sales nav profile, salesnav url, " +
      "sales nav link, linkedin sales navigator url, salesnavigatorurl"
  }
} as const satisfies Record<string, Identifier>

/** The name of an identifier field. */
type IdentifierField = keyof typeof identifiers

type Inputs<S extends Schema.Top> = { readonly [F in IdentifierField]: Schema.optionalKey<S> }

const inputsOf = <S extends Schema.Top>(schemaOf: (identifier: Identifier) => S): Inputs<S> =>
  Object.fromEntries(
    Object.entries(identifiers).map(([field, identifier]) => [field, Schema.optionalKey(schemaOf(identifier))])
  ) as Inputs<S>

/** Identifier fields of commands that find a lead. */
export const identifierFields = inputsOf<TextField>(({ find, max }) => line(max, find))

/** Identifier fields of `lead.upsert`, where null and an empty text remove. */
export const writtenIdentifierFields = inputsOf(({ max, write }) => Schema.NullOr(line(max, write)))
