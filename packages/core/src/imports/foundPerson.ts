/**
 * Converting a person found by a search to the lead fields of an import row.
 *
 * Provider texts are untrusted: they are folded to one line and cut to the maximum length rather than refused, so that no
 * person is lost over a headline. The result is decoded like any other input.
 */

import { isHttpUrl } from "../kernel/schema/TextRules.ts"
import type { FoundPerson } from "../outreach/provider/LinkedInGateway.ts"

/** At most `max` code points on one line, well-formed and without control characters. */
const oneLine = (text: string, max: number): string => {
  const plain = text
    .slice(0, max * 4)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return [...plain].slice(0, max).join("").trim()
}

const filled = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))

const memberOf = ({ memberId, profileToken }: FoundPerson): string => {
  if (profileToken !== undefined) return profileToken
  return memberId === undefined ? "" : `urn:li:member:${memberId}`
}

/** The profile URL; empty for an invalid slug, as the tokens identify the person. */
const profileUrlOf = ({ publicSlug }: FoundPerson): string =>
  publicSlug !== null && /^[^\s\p{Cc}/?#%]{1,100}$/u.test(publicSlug)
    ? `https://www.linkedin.com/in/${encodeURIComponent(publicSlug.toWellFormed())}`
    : ""

const pictureOf = ({ pictureUrl }: FoundPerson): string =>
  pictureUrl !== null && /^[!-~]{1,2048}$/.test(pictureUrl) && isHttpUrl(pictureUrl) ? pictureUrl : ""

/** The known fields of `lead.upsert` for a person, in snake_case, not yet decoded. */
export const leadFieldsOf = (person: FoundPerson): Readonly<Record<string, string>> =>
  filled({
    linkedin_id: memberOf(person),
    sales_nav_id: person.salesNavToken ?? "",
    linkedin_url: profileUrlOf(person),
    first_name: oneLine(person.firstName, 100),
    last_name: oneLine(person.lastName, 100),
    headline: oneLine(person.headline, 500),
    job_title: oneLine(person.jobTitle, 200),
    company: oneLine(person.company, 200),
    location: oneLine(person.location, 200),
    avatar_url: pictureOf(person)
  })
