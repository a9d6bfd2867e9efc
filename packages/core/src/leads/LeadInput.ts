/**
 * The fields of `lead.upsert`, shared by imported rows.
 *
 * An absent field keeps the stored value, null clears it, arrays replace; an empty text clears, except in imports. A cleared
 * identifier is removed from the lead, also except in imports.
 */
import * as Schema from "effect/Schema"
import { body, httpUrlOrEmpty, line, nonEmptyLine, type TextField } from "../kernel/schema/TextFields.ts"
import { isTimeZone } from "../kernel/schema/TextRules.ts"
import type { LeadContent, LeadTexts } from "./Lead.ts"
import { LeadStatus } from "./LeadStatus.ts"

const optional = Schema.optionalKey
const orNull = <S extends Schema.Codec<unknown, unknown>>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const url = (description: string) => httpUrlOrEmpty.pipe(Schema.annotateEncoded({ description }))
const list = <S extends Schema.Codec<unknown, unknown>>(item: S, description: string) =>
  orNull(Schema.Array(item).check(Schema.isMaxLength(100)).annotate({ description }))

/** Field of commands that identify the lead by its id only. */
export const leadIdField = nonEmptyLine(64, "Id of the lead")

/** Fields of commands that find an existing lead by any identifier. */
export const leadIdentifierFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead")),
  prospect_id: optional(nonEmptyLine(64, "Alias of lead_id")),
  email: optional(line(500, "Email address")),
  custom_id: optional(line(400, "Your own id for the person. At most 200 characters")),
  linkedin_url: optional(line(4_000, "LinkedIn profile URL. Any spelling of a public profile")),
  linkedin_id: optional(line(4_000, "LinkedIn member id. A token, URN or number")),
  sales_nav_id: optional(line(4_000, "Sales Navigator lead. A URL, URN or token"))
}

const timeZoneOrEmpty: TextField = line(64, "IANA time zone name. For example Europe/Berlin, or empty").check(
  Schema.makeFilter((text: string) =>
    text === "" || isTimeZone(text) ? undefined : "Expected an IANA time zone name such as Europe/Berlin or UTC"
  )
)

const ExperienceInput = Schema.Struct({
  role: line(200),
  company: line(200),
  duration: optional(line(200)),
  description: orNull(body(5_000))
})

const EducationInput = Schema.Struct({ school: line(200), degree: optional(line(200)), year: optional(line(100)) })

const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))

const RecentPostInput = Schema.Struct({
  content: body(10_000),
  date: line(64),
  likes: optional(count),
  comments: optional(count),
  url: optional(httpUrlOrEmpty)
})

/** The identifiers and values of `lead.upsert`; the command adds its options. */
export const LeadUpsertInput = Schema.Struct({
  ...leadIdentifierFields,
  email: orNull(line(500, "Email address. It identifies the lead. Null or empty removes the one shown")),
  custom_id: orNull(line(400, "Your own id for the person. At most 200 characters. Null or empty removes it")),
  linkedin_url: orNull(
    line(4_000, "LinkedIn profile URL. It identifies the lead. Null or empty removes the one shown")
  ),
  linkedin_id: orNull(
    line(4_000, "LinkedIn member id. A token, URN or number. Null or empty removes the lead's tokens and member id")
  ),
  sales_nav_id: orNull(
    line(4_000, "Sales Navigator lead. A URL, URN or token. Null or empty removes the lead's Sales Navigator tokens")
  ),
  name: optional(line(200, "Full name")),
  first_name: optional(line(100, "First name, if known separately")),
  last_name: optional(line(100, "Last name, if known separately")),
  headline: orNull(line(500, "Headline of the profile")),
  title: orNull(line(500, "Alias of headline")),
  job_title: orNull(line(200, "Current job title")),
  company: orNull(line(200, "Current company")),
  location: orNull(line(200, "Location of the person")),
  phone: orNull(line(64, "Phone number")),
  timezone: orNull(timeZoneOrEmpty),
  avatar_url: orNull(url("URL of a picture")),
  company_website: orNull(url("URL of the company's website")),
  company_linkedin_url: orNull(url("URL of the company's LinkedIn page")),
  company_logo_url: orNull(url("URL of the company's logo")),
  company_headline: orNull(line(500, "The company's headline")),
  company_industry: orNull(line(200, "Industry of the company")),
  company_size: orNull(line(100, "Size of the company, for example 51-200")),
  personal_website: orNull(url("URL of the person's website")),
  description: orNull(body(10_000, "About the person")),
  experience: list(ExperienceInput, "Jobs, most recent first: role, company, duration, description"),
  education: list(EducationInput, "Schools: school, degree, year"),
  skills: list(line(100), "Skills, one per item"),
  recent_posts: list(RecentPostInput, "The person's posts: content, date, likes, comments, url"),
  status: optional(LeadStatus.annotate({ description: "Lead status. DoNotContact cannot be left this way" })),
  is_flagged: orNull(Schema.Boolean.annotate({ description: "Flagged for attention" })),
  score: orNull(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
      description: "How well the lead fits, 0 to 100"
    })
  ),
  source: orNull(line(200, "Where the lead comes from"))
})
export type LeadUpsertInput = typeof LeadUpsertInput.Type

/** The plain texts: name in the input, name in a lead. */
const textFields = [
  ["headline", "headline"],
  ["job_title", "jobTitle"],
  ["company", "company"],
  ["avatar_url", "avatarUrl"],
  ["location", "location"],
  ["phone", "phone"],
  ["timezone", "timezone"],
  ["company_website", "companyWebsite"],
  ["company_logo_url", "companyLogoUrl"],
  ["company_linkedin_url", "companyLinkedinUrl"],
  ["company_headline", "companyHeadline"],
  ["company_industry", "companyIndustry"],
  ["company_size", "companySize"],
  ["personal_website", "personalWebsite"],
  ["description", "description"],
  ["source", "source"]
] as const satisfies ReadonlyArray<readonly [keyof LeadUpsertInput, keyof LeadTexts]>

/** The plain texts in an input; null for those to clear. */
export const textsOf = (input: LeadUpsertInput): ReadonlyArray<readonly [keyof LeadTexts, string | null]> => {
  const texts: Array<readonly [keyof LeadTexts, string | null]> = []
  for (const [spelling, field] of textFields) {
    const value = spelling === "headline" && input.headline === undefined ? input.title : input[spelling]
    if (value !== undefined) texts.push([field, value])
  }
  return texts
}

const mapped = <A, B>(items: ReadonlyArray<A> | null | undefined, f: (item: A) => B): ReadonlyArray<B> | undefined =>
  items === null ? [] : items?.map(f)

/** The arrays in an input, in the form of a lead; empty where null clears. */
export const listsOf = (
  input: LeadUpsertInput
): { readonly [F in "experience" | "education" | "skills" | "recentPosts"]: LeadContent[F] | undefined } => ({
  experience: mapped(input.experience, ({ company, description, duration, role }) => ({
    role,
    company,
    duration: duration ?? "",
    ...(description ? { description } : {})
  })),
  education: mapped(input.education, ({ degree, school, year }) => ({
    school,
    degree: degree ?? "",
    year: year ?? ""
  })),
  skills: mapped(input.skills, (skill) => skill),
  recentPosts: mapped(input.recent_posts, ({ comments, content, date, likes, url: link }) => ({
    content,
    date,
    likes: likes ?? 0,
    ...(comments === undefined ? {} : { comments }),
    ...(link ? { url: link } : {})
  }))
})
