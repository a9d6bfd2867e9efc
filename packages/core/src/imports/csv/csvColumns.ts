/** Mapping the columns of a file to lead fields: by their usual names, or as the caller says. */
import * as Result from "effect/Result"

import { InvalidInput } from "../../kernel/failure/failures.ts"
import { nearestName } from "../../kernel/schema/nearestName.ts"
import { quote } from "../../kernel/schema/Quote.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { type ColumnField, columnFields, fieldOfColumn, identifyingFields, plainName } from "./columnNames.ts"

/** The caller's mapping: a field by column name; null ignores the column. */
export type ColumnMapping = Readonly<Record<string, string | null>>

/** A column; `field` is null when it is ignored. */
export interface Column {
  readonly name: string
  readonly field: ColumnField | null
}

/** Maximum number of columns. */
export const maxColumns = 500

const refuse = (message: string): Result.Result<never, InvalidInput> => Result.fail(new InvalidInput({ message }))

const isField = (name: string): name is ColumnField => columnFields.some((field) => field === name)

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 8).map((name) => quote(name, 30))
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

/** Validates the caller's mapping, by normalized column names. */
const readMapping = (
  mapping: ColumnMapping,
  header: ReadonlyArray<string>
): Result.Result<ReadonlyMap<string, ColumnField | null>, InvalidInput> => {
  const known = new Set(header.map(plainName))
  const said = new Map<string, ColumnField | null>()
  for (const [name, field] of Object.entries(mapping)) {
    if (!known.has(plainName(name))) {
      const nearest = nearestName(name, header)
      const hint = nearest === undefined ? `The columns are ${listed(header)}.` : `Did you mean ${quote(nearest, 60)}?`
      return refuse(`mapping: the file has no column ${quote(name, 60)}. ${hint}`)
    }
    if (field !== null && !isField(field)) {
      const nearest = nearestName(field, columnFields)
      const hint = nearest === undefined ? `Fields are ${columnFields.join(", ")}.` : `Did you mean ${nearest}?`
      return refuse(`mapping: ${quote(field, 60)} is not a lead field. ${hint}`)
    }
    said.set(plainName(name), field)
  }
  return Result.succeed(said)
}

/**
 * Reads a header. The mapping overrides usual names; several columns can map to the same field. Fails with INVALID_INPUT
 * when no column identifies people.
 */
export const readColumns = (
  header: CsvRecord,
  mapping: ColumnMapping
): Result.Result<ReadonlyArray<Column>, InvalidInput> => {
  const names = header.map((name) => name.trim())
  if (names.length > maxColumns) return refuse(`The file has ${names.length} columns; the maximum is ${maxColumns}.`)
  const said = readMapping(mapping, names)
  if (Result.isFailure(said)) return Result.fail(said.failure)
  const columns = names.map((name): Column => {
    const given = said.success.get(plainName(name))
    return { name, field: given === undefined ? (fieldOfColumn(name) ?? null) : given }
  })
  if (columns.some(({ field }) => field !== null && identifyingFields.includes(field))) return Result.succeed(columns)
  return refuse(
    "No column identifies the people (email, LinkedIn URL, custom id). The first line must be the header; it has " +
      `${listed(names)}. Rename a column, or send mapping, for example {"Contact mail": "email"}.`
  )
}
