import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { nearestName } from "../../kernel/schema/nearestName.ts"
import { quote } from "../../kernel/schema/TextRules.ts"
import type { CsvRecord } from "./CsvReader.ts"

// Usual column names in files of outreach tools and people databases, by lead field.
//
// Names are compared by their lower-case words: `E-mail Address`, `email_address` and `EMAIL ADDRESS` are equal.

/** The fields of lead.upsert that a column can hold. */
export const columnFields = [
  "lead_id",
  "custom_id",
  "email",
  "linkedin_url",
  "linkedin_id",
  "sales_nav_id",
  "name",
  "first_name",
  "last_name",
  "headline",
  "job_title",
  "company",
  "location",
  "phone",
  "timezone",
  "avatar_url",
  "company_website",
  "company_linkedin_url",
  "company_logo_url",
  "company_headline",
  "company_industry",
  "company_size",
  "personal_website",
  "description",
  "skills",
  "status",
  "is_flagged",
  "score",
  "source"
] as const

export type ColumnField = (typeof columnFields)[number]

/** Fields that identify a person. */
const identifyingFields: ReadonlyArray<ColumnField> = [
  "lead_id",
  "custom_id",
  "email",
  "linkedin_url",
  "linkedin_id",
  "sales_nav_id"
]

/** Names by field, separated by commas. None for status, whose values differ between tools. */
const names: Partial<Readonly<Record<ColumnField, string>>> = {
  lead_id: "lead id, prospect id",
  custom_id:
    "custom id, external id, crm id, contact id, customer id, record id, reference id, hubspot id, salesforce id",
  email:
    "email, e mail, mail, email address, e mail address, mail address, work email, work e mail, business email, " +
    "professional email, contact email, company email, primary email, email 1, verified email, personal email, lead email, " +
    "email addresses, adresse e mail, adresse email, courriel, e mail adresse, email adresse, correo, correo electronico",
  linkedin_url:
    "linkedin, linkedin url, linkedin profile, linkedin profile url, linkedin link, linkedin profile link, profile url, " +
    "profile link, linkedin public url, person linkedin url, person linkedin, contact linkedin url, personal linkedin url, " +
    "personal linkedin, lead linkedin url, linkedin address, linkedinprofile, linkedinurl, linkedin contact profile url, " +
    "public profile url, profil linkedin, profileurl, linkedin_profile",
  linkedin_id: "linkedin id, linkedin member id, member id, linkedin urn, linkedin profile id, profile id, vmid",
  sales_nav_id:
    "sales nav id, sales navigator id, sales nav url, sales navigator url, sales navigator profile url, sales nav profile, " +
    "salesnav url, sales nav link, linkedin sales navigator url, salesnavigatorurl",
  name: "name, full name, fullname, contact name, lead name, person name, prospect name, contact, nom complet, nombre completo",
  first_name:
    "first name, firstname, first, given name, givenname, forename, prenom, vorname, nombre, contact first name",
  last_name:
    "last name, lastname, last, surname, family name, familyname, second name, nom de famille, nachname, apellido, " +
    "apellidos, contact last name",
  headline: "headline, linkedin headline, profile headline, tagline, title line",
  job_title:
    "job title, jobtitle, title, position, job, role, job position, current title, current position, current job title, " +
    "occupation, function title, poste, intitule du poste, stelle, berufsbezeichnung, cargo, puesto, contact job title",
  company:
    "company, company name, companyname, organization, organisation, organization name, account, account name, employer, " +
    "current company, current company name, business name, firm, societe, entreprise, firma, unternehmen, empresa, " +
    "company name for emails",
  location:
    "location, city, town, state, region, province, country, lead location, contact location, person location, " +
    "person city, person state, person country, ville, pays, stadt, land, ciudad, pais",
  phone:
    "phone, phone number, telephone, tel, mobile, mobile phone, cell, cell phone, work phone, direct phone, " +
    "work direct phone, business phone, contact phone, phone 1, corporate phone, company phone, telefon, telefono, " +
    "numero de telephone, portable",
  timezone: "timezone, time zone, tz",
  avatar_url:
    "avatar url, avatar, picture, picture url, photo, photo url, image url, profile picture, profile image url",
  company_website:
    "company website, website, web site, company url, company domain, domain, website url, company site, site web, " +
    "webseite, web, homepage, companywebsite, company website full",
  company_linkedin_url:
    "company linkedin url, company linkedin, linkedin company url, linkedin company page, company linkedin profile, " +
    "company linkedin link, organization linkedin url, account linkedin url",
  company_logo_url: "company logo url, company logo, logo url, logo",
  company_headline: "company headline, company tagline, company slogan",
  company_industry: "industry, company industry, industries, sector, branche, secteur, industria",
  company_size:
    "company size, employees, number of employees, employee count, headcount, company headcount, employee range, " +
    "no of employees, num employees, company employee range, mitarbeiter, effectif",
  personal_website: "personal website, personal site, blog, personal url",
  description: "description, about, bio, summary, notes about",
  skills: "skills, competences",
  is_flagged: "flagged, is flagged, starred",
  score: "score, lead score, fit score",
  source: "source, lead source, list, list name, origin"
}

/** The normal form of a column name. */
const plainName = (name: string): string =>
  name
    .slice(0, 200)
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim()

const byName: ReadonlyMap<string, ColumnField> = new Map([
  ...columnFields.map((field) => [plainName(field), field] as const),
  ...columnFields.flatMap((field) =>
    (names[field] ?? "").split(", ").flatMap((name) => (name === "" ? [] : [[plainName(name), field] as const]))
  ),
  ["# employees", "company_size"] as const
])

/** The field that a column of this name usually holds; undefined if unknown. */
export const fieldOfColumn = (name: string): ColumnField | undefined => {
  const field = byName.get(plainName(name))
  return field === "status" ? undefined : field
}

/** The caller's mapping: a field by column name; null ignores the column. */
export type ColumnMapping = Readonly<Record<string, string | null>>

/** A column; `field` is null when it is ignored. */
export interface Column {
  readonly name: string
  readonly field: ColumnField | null
}

/** Maximum number of columns. */
export const maxColumns = 500

const refuse = (message: string): Result.Result<never, InvalidInput> => Result.fail(new InvalidInput({ message }))

const isField = (name: string): name is ColumnField => columnFields.some((field) => field === name)

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 8).map((name) => quote(name, 30))
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

/** Validates the caller's mapping, by normalized column names. */
const readMapping = (
  mapping: ColumnMapping,
  header: ReadonlyArray<string>
): Result.Result<ReadonlyMap<string, ColumnField | null>, InvalidInput> => {
  const known = new Set(header.map(plainName))
  const said = new Map<string, ColumnField | null>()
  for (const [name, field] of Object.entries(mapping)) {
    if (!known.has(plainName(name))) {
      const nearest = nearestName(name, header)
      const hint = nearest === undefined ? `The columns are ${listed(header)}.` : `Did you mean ${quote(nearest, 60)}?`
      return refuse(`mapping: the file has no column ${quote(name, 60)}. ${hint}`)
    }
    if (field !== null && !isField(field)) {
      const nearest = nearestName(field, columnFields)
      const hint = nearest === undefined ? `Fields are ${columnFields.join(", ")}.` : `Did you mean ${nearest}?`
      return refuse(`mapping: ${quote(field, 60)} is not a lead field. ${hint}`)
    }
    said.set(plainName(name), field)
  }
  return Result.succeed(said)
}

/**
 * Reads a header. The mapping overrides usual names; several columns can map to the same field. Fails with INVALID_INPUT
 * when no column identifies people.
 */
export const readColumns = (
  header: CsvRecord,
  mapping: ColumnMapping
): Result.Result<ReadonlyArray<Column>, InvalidInput> => {
  const names = header.map((name) => name.trim())
  if (names.length > maxColumns) return refuse(`The file has ${names.length} columns; the maximum is ${maxColumns}.`)
  const said = readMapping(mapping, names)
  if (Result.isFailure(said)) return Result.fail(said.failure)
  const columns = names.map((name): Column => {
    const given = said.success.get(plainName(name))
    return { name, field: given === undefined ? (fieldOfColumn(name) ?? null) : given }
  })
  if (columns.some(({ field }) => field !== null && identifyingFields.includes(field))) return Result.succeed(columns)
  return refuse(
    "No column identifies the people (email, LinkedIn URL, custom id). The first line must be the header; it has " +
      `${listed(names)}. Rename a column, or send mapping, for example {"Contact mail": "email"}.`
  )
}
