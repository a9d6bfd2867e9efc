/**
 * Converting the cells of a row to the fields of a lead.
 *
 * Empty cells and placeholders ("n/a", "-") are ignored. Line breaks in one-line fields become spaces. Websites get a
 * scheme; invalid ones are dropped rather than losing the person. Identifiers are passed on unchanged, to be validated.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { type Column, type ColumnFields, columnFields } from "./columnNames.ts"

/** Input of `readLeadItem`, in snake_case. */
type CsvItem = Readonly<Record<string, unknown>>

const nothing = new Set(["n/a", "na", "#n/a", "null", "none", "-", "--", "—", "undefined", "(null)", "nan"])

/** Removes the apostrophe that protects against formulas in CSV files, including ours. */
const withoutApostrophe = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text)

/** Makes the converter of a file's rows. Fails with INVALID_INPUT for a row with more cells than the header. */
export const csvItemReader = (
  columns: ReadonlyArray<Column>,
  fields: ColumnFields = columnFields
): ((record: CsvRecord) => Result.Result<CsvItem, InvalidInput>) => {
  const read = columns.flatMap(({ field }, index) => {
    const known = field === null ? undefined : fields.get(field)
    return field === null || known === undefined ? [] : [{ field, index, ...known }]
  })
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
    for (const { field, fromCell, index, joined } of read) {
      const text = withoutApostrophe(record[index]?.trim() ?? "")
      if (text === "" || (text.length <= 9 && nothing.has(text.toLowerCase()))) continue
      const known = item[field]
      if (known !== undefined && !joined) continue
      const value = fromCell(text)
      if (value !== undefined) item[field] = typeof known === "string" ? `${known}, ${String(value)}` : value
    }
    return Result.succeed(item)
  }
}
