/**
 * The fields of a lead, apart from names, identifiers and status: how each is entered, stored, searched, shown, cleared and filled
 * from a file. A new field is one entry. It is stored in `leads.profile`; with `column` it needs a migration.
 */
import * as Schema from "effect/Schema"
import { lawfulBases } from "../kernel/command/Permission.ts"
import { body, httpUrlOrEmpty, line } from "../kernel/schema/TextFields.ts"
import * as Kind from "./fieldKinds.ts"

const optional = Schema.optionalKey
const text = Schema.String
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))

/** Names, which are written together. `name` is never empty: without one it is derived from an identifier. */
export const nameFields = {
  name: {
    ...Kind.lineField(200, "Full name"),
    column: true,
    search: true,
    csv: "full name, fullname, contact name, lead name, person name, prospect name, contact, nom complet, nombre completo"
  },
  firstName: {
    ...Kind.lineField(100, "First name, if known separately"),
    csv: "firstname, first, given name, givenname, forename, prenom, vorname, nombre, contact first name"
  },
  lastName: {
    ...Kind.lineField(100, "Last name, if known separately"),
    csv:
      "lastname, last, surname, family name, familyname, second name, nom de famille, nachname, apellido, apellidos, " +
      "contact last name"
  }
} as const satisfies Kind.LeadFields

/** The other fields, in the order of documents. */
export const leadFields = {
  headline: {
    ...Kind.lineField(500, "Headline of the profile"),
    alias: "title",
    column: true,
    search: true,
    shown: "never",
    csv: "linkedin headline, profile headline, tagline, title line"
  },
  jobTitle: {
    ...Kind.lineField(200, "Current job title"),
    column: true,
    search: true,
    csv:
      "jobtitle, title, position, job, role, job position, current title, current position, current job title, occupation, " +
      "function title, poste, intitule du poste, stelle, berufsbezeichnung, cargo, puesto, contact job title"
  },
  company: {
    ...Kind.lineField(200, "Current company"),
    column: true,
    search: true,
    shown: "always",
    csv:
      "company name, companyname, organization, organisation, organization name, account, account name, employer, " +
      "current company, current company name, business name, firm, societe, entreprise, firma, unternehmen, empresa, " +
      "company name for emails"
  },
  location: {
    ...Kind.lineField(200, "Location of the person"),
    csv:
      "city, town, state, region, province, country, lead location, contact location, person location, person city, " +
      "person state, person country, ville, pays, stadt, land, ciudad, pais",
    joined: true
  },
  phone: {
    ...Kind.lineField(64, "Phone number"),
    listed: false,
    csv:
      "phone number, telephone, tel, mobile, mobile phone, cell, cell phone, work phone, direct phone, work direct phone, " +
      "business phone, contact phone, phone 1, corporate phone, company phone, telefon, telefono, numero de telephone, portable"
  },
  timezone: { ...Kind.timeZoneField, listed: false, csv: "time zone, tz" },
  avatarUrl: {
    ...Kind.urlField("URL of a picture"),
    column: true,
    shown: "always",
    listed: false,
    csv: "avatar, picture, picture url, photo, photo url, image url, profile picture, profile image url"
  },
  companyWebsite: {
    ...Kind.urlField("URL of the company's website"),
    listed: false,
    csv:
      "website, web site, company url, company domain, domain, website url, company site, site web, webseite, web, homepage, " +
      "companywebsite, company website full"
  },
  companyLinkedinUrl: {
    ...Kind.urlField("URL of the company's LinkedIn page"),
    listed: false,
    csv:
      "company linkedin, linkedin company url, linkedin company page, company linkedin profile, company linkedin link, " +
      "organization linkedin url, account linkedin url"
  },
  companyLogoUrl: { ...Kind.urlField("URL of the company's logo"), listed: false, csv: "company logo, logo url, logo" },
  companyHeadline: {
    ...Kind.lineField(500, "The company's headline"),
    listed: false,
    csv: "company tagline, company slogan"
  },
  companyIndustry: {
    ...Kind.lineField(200, "Industry of the company"),
    csv: "industry, industries, sector, branche, secteur, industria"
  },
  companySize: {
    ...Kind.lineField(100, "Size of the company, for example 51-200"),
    listed: false,
    csv:
      "employees, # employees, number of employees, employee count, headcount, company headcount, employee range, " +
      "no of employees, num employees, company employee range, mitarbeiter, effectif"
  },
  personalWebsite: {
    ...Kind.urlField("URL of the person's website"),
    listed: false,
    csv: "personal site, blog, personal url"
  },
  description: { ...Kind.bodyField(10_000, "About the person"), csv: "about, bio, summary, notes about" },
  experience: {
    ...Kind.listField(
      Schema.Struct({
        role: line(200),
        company: line(200),
        duration: optional(line(200)),
        description: optional(Schema.NullOr(body(5_000)))
      }),
      Schema.Struct({ role: text, company: text, duration: text, description: optional(text) }),
      "Jobs, most recent first: role, company, duration, description",
      { role: "", company: "", duration: "" }
    ),
    compact: (jobs: ReadonlyArray<{ readonly description?: string }>) => jobs.map(({ description: _, ...job }) => job)
  },
  education: {
    ...Kind.listField(
      Schema.Struct({ school: line(200), degree: optional(line(200)), year: optional(line(100)) }),
      Schema.Struct({ school: text, degree: text, year: text }),
      "Schools: school, degree, year",
      { school: "", degree: "", year: "" }
    ),
    listed: false
  },
  skills: { ...Kind.wordsField(100, "Skills, one per item"), csv: "competences" },
  recentPosts: {
    ...Kind.listField(
      Schema.Struct({
        content: body(10_000),
        date: line(64),
        likes: optional(count),
        comments: optional(count),
        url: optional(httpUrlOrEmpty)
      }),
      Schema.Struct({
        content: text,
        date: text,
        likes: Schema.Finite,
        comments: optional(Schema.Finite),
        url: optional(text)
      }),
      "The person's posts: content, date, likes, comments, url",
      { content: "", date: "", likes: 0 }
    ),
    compact: () => undefined
  },
  tags: {
    ...Kind.tagsField("Tags of the lead"),
    shown: "never",
    csv: "tag, label, labels"
  },
  isFlagged: { ...Kind.flagField("Flagged for attention"), column: true, listed: false, csv: "flagged, starred" },
  score: {
    ...Kind.scoreField("How well the lead fits, 0 to 100"),
    column: true,
    shown: "always",
    csv: "lead score, fit score"
  },
  source: {
    ...Kind.lineField(200, "Where the lead comes from"),
    shown: "never",
    listed: false,
    csv: "lead source, list, list name, origin"
  },
  lawfulBasis: {
    ...Kind.choiceField(lawfulBases, "Lawful basis for keeping and contacting the person (GDPR, article 6)"),
    shown: "never",
    listed: false,
    csv: "legal basis, gdpr basis, gdpr legal basis, legal basis for processing, base legale, rechtsgrundlage, base legal"
  }
} as const satisfies Kind.LeadFields
