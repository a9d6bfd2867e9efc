/**
 * A fast path for list items that contain only short plain texts: several times faster than the schema, which matters
 * for a million rows. Returns the same as the schema, or undefined if the schema must decide; a test compares the two.
 */
import { isHttpUrl } from "../kernel/schema/TextRules.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"

/** One-line fields with their maximum lengths in `LeadUpsertInput`. */
const lines = {
  email: 500,
  custom_id: 400,
  linkedin_url: 4_000,
  linkedin_id: 4_000,
  sales_nav_id: 4_000,
  name: 200,
  first_name: 100,
  last_name: 100,
  headline: 500,
  job_title: 200,
  company: 200,
  location: 200,
  phone: 64,
  company_headline: 500,
  company_industry: 200,
  company_size: 100,
  source: 200
} as const satisfies Partial<Record<keyof LeadUpsertInput, number>>

const addresses = [
  "avatar_url",
  "company_website",
  "company_linkedin_url",
  "company_logo_url",
  "personal_website"
] as const satisfies ReadonlyArray<keyof LeadUpsertInput>

const maxUrlLength = 2_048

type PlainName = keyof typeof lines | (typeof addresses)[number]

/** An item of plain texts. */
type PlainItem = Pick<LeadUpsertInput, PlainName>

const lengths: ReadonlyMap<string, number> = new Map(Object.entries(lines))
const addressNames: ReadonlySet<string> = new Set(addresses)

/** Trimmed printable ASCII: already normalized, and one character is one code point. */
const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return text.charCodeAt(0) !== 0x20 && text.charCodeAt(text.length - 1) !== 0x20
}

/** The decoded item; undefined when the schema must decode or refuse it. */
export const readPlainItem = (item: object): PlainItem | undefined => {
  const read: Record<string, string> = {}
  for (const name of Object.keys(item)) {
    const value: unknown = Reflect.get(item, name)
    if (typeof value !== "string" || !isPlain(value)) return undefined
    const longest = lengths.get(name) ?? (addressNames.has(name) ? maxUrlLength : -1)
    if (value.length > longest || (longest === maxUrlLength && value !== "" && !isHttpUrl(value))) return undefined
    read[name] = value
  }
  return read
}
