/**
 * The lower-case texts of leads as SQL. Indexes and statements must spell them alike.
 *
 * `search_text` is stored only where lower case is more than that of ASCII letters, which every database agrees on.
 */
const on = (alias: string) => (alias === "" ? "" : `${alias}.`)

/** A line of the searchable text. */
const line = (alias: string, column: string, place: number): string =>
  `coalesce(split_part(${on(alias)}search_text, E'\\n', ${place}), lower(${on(alias)}${column} collate "C")) collate "C"`

/** The lower-case name. */
export const foldedName = (alias: string): string => line(alias, "name", 1)

/** The lower-case job title. */
export const foldedJobTitle = (alias: string): string => line(alias, "job_title", 3)

/** The lower-case company. */
export const foldedCompany = (alias: string): string => line(alias, "company", 4)

/** Everything that a query searches, one text per line: name, headline, job title, company, e-mail. */
export const foldedText = (alias: string): string => {
  const texts = ["name", "headline", "job_title", "company", "email"].map((column) => `${on(alias)}${column}`)
  return `coalesce(${on(alias)}search_text, lower((${texts.join(` || E'\\n' || `)}) collate "C")) collate "C"`
}
