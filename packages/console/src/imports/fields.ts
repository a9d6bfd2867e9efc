/** The lead fields that a column can fill. Pure. */
import type { Options } from "../form/values.ts"
import { factFields } from "../leads/facts.ts"
import { active, type OwnField, ownPrefix } from "../leads/ownFields.ts"
import { capital } from "../text/capital.ts"

const others =
  "first_name last_name linkedin_id sales_nav_id custom_id status company_linkedin_url company_headline " +
  "company_logo_url avatar_url lead_id"

/** The fields with their names. */
export const leadFields: ReadonlyArray<readonly [field: string, label: string]> = [
  ...factFields.map(({ label, name }) => [name, label] as const),
  ...others.split(" ").map((name) => {
    const words = name.replaceAll("_", " ").replace("linkedin", "LinkedIn")
    return [name, capital(words.replace(/\burl\b/, "URL"))] as const
  })
]

/** Those and the own ones. */
export const columnFields = (own: ReadonlyArray<OwnField>): Options => [
  ...leadFields,
  ...active(own).map(({ key, label }) => [ownPrefix + key, label] as const)
]

/** The name of a field. */
export const fieldName = (field: string, own: ReadonlyArray<OwnField> = []): string =>
  columnFields(own).find(([name]) => name === field)?.[1] ?? field
