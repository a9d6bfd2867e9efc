/**
 * The lower-case texts of leads as SQL. Indexes and statements must spell them alike.
 *
 * `search_text` is stored only where lower case is more than that of ASCII letters, which every database agrees on.
 */
import { snakeCase } from "@svc/core"
import { searchedFields } from "@svc/core/leads"

const on = (alias: string) => (alias === "" ? "" : `${alias}.`)

/** A line of the searchable text. */
const line = (alias: string, field: (typeof searchedFields)[number]): string =>
  `coalesce(split_part(${on(alias)}search_text, E'\\n', ${searchedFields.indexOf(field) + 1}), lower(${on(alias)}${snakeCase(field)} collate "C")) collate "C"`

/** The lower-case name. */
export const foldedName = (alias: string): string => line(alias, "name")

/** The lower-case job title. */
export const foldedJobTitle = (alias: string): string => line(alias, "jobTitle")

/** The lower-case company. */
export const foldedCompany = (alias: string): string => line(alias, "company")

/** Everything that a query searches, one text per line, in the order of {@link searchedFields}. */
export const foldedText = (alias: string): string => {
  const texts = searchedFields.map((field) => `${on(alias)}${snakeCase(field)}`)
  return `coalesce(${on(alias)}search_text, lower((${texts.join(` || E'\\n' || `)}) collate "C")) collate "C"`
}
