/**
 * From the cells of a row to the fields of a lead, as far as a file can be trusted to mean them.
 *
 * Empty cells and what people write for nothing ("n/a", "-") are left out. A line break inside a one-line field is a
 * space. Websites get their scheme; one that is none is left out, since it is no reason to lose a person. What says who
 * the row is about is passed on as it is, to be accepted or refused by name. Source: G22; contract 7.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { LeadStatus } from "../../leads/index.ts"
import { isHttpUrl, isTimeZone } from "../../TextRules.ts"
import type { CsvRecord } from "./CsvReader.ts"
import type { ColumnField } from "./columnNames.ts"
import type { Column } from "./csvColumns.ts"

/** A row as an item for `readLeadItem`: field names in snake_case. */
export type CsvItem = Readonly<Record<string, unknown>>

const nothing = new Set(["n/a", "na", "#n/a", "null", "none", "-", "--", "—", "undefined", "(null)", "nan"])

const urlFields = new Set<ColumnField>([
  "avatar_url",
  "company_website",
  "company_linkedin_url",
  "company_logo_url",
  "personal_website"
])

/** Without the apostrophe that keeps spreadsheets from running a text, as our own files have it. */
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

/** The value of a field; undefined where the cell says nothing that can be kept. */
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

/** Makes the reader of a file's rows. Fails with INVALID_INPUT for a row that has cells beyond the header. */
export const csvItemReader = (
  columns: ReadonlyArray<Column>
): ((record: CsvRecord) => Result.Result<CsvItem, Failure>) => {
  const read = columns.flatMap(({ field }, index) => (field === null ? [] : [{ field, index }]))
  return (record) => {
    if (record.length > columns.length && record.slice(columns.length).some((cell) => cell.trim() !== "")) {
      return Result.fail(
        fail(
          "INVALID_INPUT",
          `The row has ${record.length} cells, but the header has ${columns.length}. Quote cells that hold the separator.`
        )
      )
    }
    const item: Record<string, unknown> = {}
    for (const { field, index } of read) {
      const text = withoutApostrophe(record[index]?.trim() ?? "")
      if (text === "" || (text.length <= 9 && nothing.has(text.toLowerCase()))) continue
      const known = item[field]
      // A place is often in several columns; of other things the first column counts.
      if (known !== undefined && field !== "location") continue
      const value = valueOf(field, text)
      if (value !== undefined) item[field] = typeof known === "string" ? `${known}, ${String(value)}` : value
    }
    return Result.succeed(item)
  }
}
