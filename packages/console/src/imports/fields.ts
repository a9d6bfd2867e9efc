/** The lead fields that a column can fill. Pure. */
import type { Options } from "../form/values.ts"
import { factFields } from "../leads/facts.ts"
import { active, type OwnField, ownPrefix } from "../leads/ownFields.ts"

const others =
  "first_name last_name linkedin_id sales_nav_id custom_id status company_linkedin_url company_headline " +
  "company_logo_url avatar_url lead_id"

/** The fields with their names. */
export const leadFields: ReadonlyArray<readonly [field: string, label: string]> = [
  ...factFields.map(({ label, name }) => [name, label] as const),
  ...others.split(" ").map((name) => {
    const words = name
      .replaceAll("_", " ")
      .replace("linkedin", "LinkedIn")
      .replace(/\burl\b/, "URL")
    return [name, `${words[0]?.toUpperCase()}${words.slice(1)}`] as const
  })
]

/** The columns for own fields. */
export const ownColumns = (own: ReadonlyArray<OwnField>): Options =>
  active(own).map(({ key, label }) => [ownPrefix + key, label])

/** The name of a field among those and the usual ones. */
export const fieldName = (field: string, own: Options = []): string =>
  [...leadFields, ...own].find(([name]) => name === field)?.[1] ?? field
