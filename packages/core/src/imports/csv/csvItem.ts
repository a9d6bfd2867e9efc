/**
 * Converting the cells of a row to the fields of a lead.
 *
 * Empty cells and placeholders ("n/a", "-") are ignored. Line breaks in one-line fields become spaces. Websites get a
 * scheme; invalid ones are dropped rather than losing the person. Identifiers are passed on unchanged, to be validated.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { isHttpUrl, isTimeZone } from "../../kernel/schema/TextRules.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import type { CsvRecord } from "./CsvReader.ts"
import type { Column, ColumnField } from "./columnNames.ts"

/** Input of `readLeadItem`, in snake_case. */
type CsvItem = Readonly<Record<string, unknown>>

const nothing = new Set(["n/a", "na", "#n/a", "null", "none", "-", "--", "—", "undefined", "(null)", "nan"])

const urlFields = new Set<ColumnField>([
  "avatar_url",
  "company_website",
  "company_linkedin_url",
  "company_logo_url",
  "personal_website"
])

/** Removes the apostrophe that protects against formulas in CSV files, including ours. */
const withoutApostrophe = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text)

const plainCell = /^[!-~](?:[ -~]*[!-~])?$/

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

const website = (text: string): string | undefined => {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  return /^https?:\/\/[^\s/]+\.[^\s/.]/i.test(address) && isHttpUrl(address) && address.length <= 2_048
    ? address
    : undefined
}

const yes = new Set(["true", "yes", "y", "1", "x", "ja", "oui"])
const no = new Set(["false", "no", "n", "0", "nein", "non"])

/** The value of a field; undefined for an unusable cell. */
const valueOf = (field: ColumnField, text: string): unknown => {
  if (urlFields.has(field)) return website(text)
  switch (field) {
    case "description":
      return text
    case "timezone":
      return isTimeZone(text) ? text : undefined
    case "skills":
      return text
        .split(/[;,|\n]/)
        .map((skill) => oneLine(skill.trim()))
        .filter((skill) => skill !== "")
        .slice(0, 100)
    case "score":
      return /^[0-9]{1,3}(?:[.,][0-9]{1,6})?%?$/.test(text) ? Number(text.replace("%", "").replace(",", ".")) : text
    case "is_flagged":
      return yes.has(text.toLowerCase()) ? true : no.has(text.toLowerCase()) ? false : text
    case "status":
      return (
        LeadStatus.literals.find((status) => status.toLowerCase() === text.toLowerCase().replace(/[^a-z]/g, "")) ?? text
      )
    default:
      return plainCell.test(text) ? text : oneLine(text)
  }
}

/** Makes the converter of a file's rows. Fails with INVALID_INPUT for a row with more cells than the header. */
export const csvItemReader = (
  columns: ReadonlyArray<Column>
): ((record: CsvRecord) => Result.Result<CsvItem, InvalidInput>) => {
  const read = columns.flatMap(({ field }, index) => (field === null ? [] : [{ field, index }]))
  return (record) => {
    if (record.length > columns.length && record.slice(columns.length).some((cell) => cell.trim() !== "")) {
      return Result.fail(
        new InvalidInput({
          message:
            `The row has ${record.length} cells, but the header has ${columns.length}. Quote cells that contain the ` +
            "delimiter."
        })
      )
    }
    const item: Record<string, unknown> = {}
    for (const { field, index } of read) {
      const text = withoutApostrophe(record[index]?.trim() ?? "")
      if (text === "" || (text.length <= 9 && nothing.has(text.toLowerCase()))) continue
      const known = item[field]
      // A location is often split into several columns; for other fields the first column wins.
      if (known !== undefined && field !== "location") continue
      const value = valueOf(field, text)
      if (value !== undefined) item[field] = typeof known === "string" ? `${known}, ${String(value)}` : value
    }
    return Result.succeed(item)
  }
}
