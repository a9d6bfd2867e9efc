/**
 * Which column of a file holds what: the header read by what columns are usually called, and by what the caller says.
 *
 * Source: G22; catalogue 4.1 (import.csv, mapping).
 */
import * as Result from "effect/Result"
import { nearestName } from "../../Decode.ts"
import { type Failure, fail } from "../../Failure.ts"
import { quote } from "../../Quote.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { type ColumnField, columnFields, fieldOfColumn, identifyingFields, plainName } from "./columnNames.ts"

/** What a caller says of columns: the field of each, null for one that is to be left out. */
export type ColumnMapping = Readonly<Record<string, string | null>>

/** A column of a file; `field` is null for one that is not read. */
export interface Column {
  readonly name: string
  readonly field: ColumnField | null
}

const mostColumns = 500

const refuse = (message: string): Result.Result<never, Failure> => Result.fail(fail("INVALID_INPUT", message))

const isField = (name: string): name is ColumnField => columnFields.some((field) => field === name)

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 8).map((name) => quote(name, 30))
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

/** What the caller says, by the plain names of columns. */
const readMapping = (
  mapping: ColumnMapping,
  header: ReadonlyArray<string>
): Result.Result<ReadonlyMap<string, ColumnField | null>, Failure> => {
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
      return refuse(`mapping: ${quote(field, 60)} is not a field of a lead. ${hint}`)
    }
    said.set(plainName(name), field)
  }
  return Result.succeed(said)
}

/**
 * Reads a header. What the mapping says goes before what names say; of `First name` and the like every column is taken.
 * Fails with INVALID_INPUT when there is no header, or no column that says who a row is about.
 */
export const readColumns = (
  header: CsvRecord,
  mapping: ColumnMapping
): Result.Result<ReadonlyArray<Column>, Failure> => {
  const names = header.map((name) => name.trim())
  if (names.length > mostColumns)
    return refuse(`The file has ${names.length} columns; at most ${mostColumns} are read.`)
  const said = readMapping(mapping, names)
  if (Result.isFailure(said)) return Result.fail(said.failure)
  const columns = names.map((name): Column => {
    const given = said.success.get(plainName(name))
    return { name, field: given === undefined ? (fieldOfColumn(name) ?? null) : given }
  })
  if (columns.some(({ field }) => field !== null && identifyingFields.includes(field))) return Result.succeed(columns)
  return refuse(
    `No column says who a row is about (e-mail, LinkedIn address, custom id). The first line must be the header; it has ` +
      `${listed(names)}. Name the columns, or send mapping, for example {"Contact mail": "email"}.`
  )
}
