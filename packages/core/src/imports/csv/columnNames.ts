/**
 * Which fields of a lead the columns of a file fill.
 *
 * Headings are compared by their lower-case words: `E-mail Address`, `email_address` and `EMAIL ADDRESS` are equal.
 */
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { nearestName } from "../../kernel/schema/nearestName.ts"
import { quote } from "../../kernel/schema/TextRules.ts"
import { oneLine } from "../../leads/fieldKinds.ts"
import { identifiers } from "../../leads/identity/IdentityInput.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import { nameFields } from "../../leads/leadFields.ts"
import type { OwnField } from "../../leads/ownFields.ts"
import { readValue } from "../../leads/ownValues.ts"
import { type NamedField, namedFields, plainFields } from "../../leads/projectFields.ts"
import type { CsvRecord } from "./csvDialect.ts"

/** What a column may fill: a field of lead.upsert. */
interface ColumnField {
  /** Usual headings besides the field's name, separated by commas; null when only a mapping fills the field. */
  readonly csv: string | null
  /** Reads a cell, which is trimmed and not empty; undefined for an unusable one. */
  readonly fromCell: (cell: string) => unknown
  /** Whether it identifies people. */
  readonly identifies?: true
  /** Whether several columns are joined to one value; otherwise the first one wins. */
  readonly joined?: boolean
}

/** Fields by name. */
type ColumnFields = ReadonlyMap<string, ColumnField>

const identifier = (csv: string): ColumnField => ({ csv, fromCell: oneLine, identifies: true })

const statusOf = (cell: string): string =>
  LeadStatus.literals.find((status) => status.toLowerCase() === cell.toLowerCase().replace(/[^a-z]/g, "")) ?? cell

/** The fields that a column can fill, by name. */
export const columnFieldsOf = (fields: ReadonlyArray<NamedField>): ColumnFields =>
  new Map<string, ColumnField>([
    ["lead_id", identifier("prospect id")],
    ...Object.entries(identifiers).map(([field, { csv }]) => [field, identifier(csv)] as const),
    ...[...namedFields(nameFields), ...fields].flatMap(({ csv = "", fromCell, joined = false, key }) =>
      fromCell === undefined ? [] : [[key, { csv, fromCell, joined }] as const]
    ),
    // Its values differ between tools.
    ["status", { csv: null, fromCell: statusOf }]
  ])

/** The columns of the product's fields. */
export const columnFields: ColumnFields = columnFieldsOf(plainFields)

/** What the name of an own field starts with. */
const ownPrefix = "fields."

/** {@link columnFields} with those of own fields that are not archived. */
export const columnFieldsWith = (own: ReadonlyArray<OwnField>): ColumnFields =>
  new Map([
    ...columnFields,
    ...own.flatMap((field): ReadonlyArray<readonly [string, ColumnField]> => {
      const csv = `${field.key}, ${field.label.replaceAll(",", " ")}`
      return field.archived
        ? []
        : [[`${ownPrefix}${field.key}`, { csv, fromCell: (cell: string) => readValue(field, cell) ?? cell }]]
    })
  ])

/** The normal form of a column name. */
const plainName = (name: string): string =>
  name
    .slice(0, 200)
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim()

/** Fields by the normal forms of their usual headings. */
const headingsOf = (fields: ColumnFields): ReadonlyMap<string, string> => {
  const entries = [...fields].filter(([, { csv }]) => csv !== null)
  const usual = entries.flatMap(([field, { csv }]) =>
    String(csv)
      .split(", ")
      .map((heading) => [plainName(heading), field] as const)
  )
  const certain = usual.filter(([, field]) => fields.get(field)?.identifies)
  const names = entries.flatMap(([field]) =>
    [field, field.replace(ownPrefix, "")].map((name) => [plainName(name), field] as const)
  )
  // The last one counts: an own field comes before a guess, but not before a name or an identifier.
  const headings = new Map([...usual, ...certain, ...names])
  headings.delete("")
  return headings
}

/** The caller's mapping: a field by column name; null ignores the column. */
export type ColumnMapping = Readonly<Record<string, string | null>>

/** A mapping without columns of own fields. */
export const withoutOwn = (mapping: ColumnMapping): ColumnMapping =>
  Object.fromEntries(Object.entries(mapping).filter(([, field]) => !field?.startsWith(ownPrefix)))

/** How the field of a column was found: by the mapping or the field's own name, by a usual heading, or not. */
export const columnMatches = ["matched", "guessed", "ignored"] as const

/** A column; `field` is null when it is ignored. */
export interface Column {
  readonly name: string
  readonly field: string | null
  readonly match: (typeof columnMatches)[number]
  /** Of an ignored column, the heading that it probably means; null without one, or when the caller ignores it. */
  readonly header: string | null
}

/** The rows looked at to find identifiers in columns with unknown names. */
export const sampledRows = 1_000

/** Words of headings about an address or a profile that do not hold it, such as "email status". */
const aboutIt =
  /\b(about|at|bounced?|clicked|confidence|connections|count|date|datum|domain|followers|location|opened|quelle|score|sent|source|status|subject|betreff|type|verified)\b/

/** The identifier that an unknown column probably holds, by its name or by its cells. */
const identifierIn = (name: string, cells: () => ReadonlyArray<string>): string | undefined =>
  Object.entries(identifiers).find(
    ([, { hints }]) =>
      hints !== undefined &&
      ((hints.heading.test(name) && !aboutIt.test(name)) || cells().some((cell) => hints.cell.test(cell)))
  )?.[0]

/** An example of a mapping. */
const mappingOf = (name: string, field: string): string => `mapping {${quote(name, 60)}: "${field}"}`

const probablyIdentifies = ({ header }: Column, fields = columnFields): boolean =>
  header !== null && fields.get(header)?.identifies === true

/** Warns of ignored columns that probably identify people: without them, people may be missed or entered twice. */
export const columnWarnings = (columns: ReadonlyArray<Column>): ReadonlyArray<string> =>
  columns
    .filter((column) => probablyIdentifies(column))
    .slice(0, 10)
    .map(
      ({ header, name }) =>
        `column ${quote(name, 60)} is ignored, but looks like ${header}. Rename it to ${header}, or send ` +
        `${mappingOf(name, String(header))}; null ignores it.`
    )

/** Maximum number of columns. */
export const maxColumns = 500

const refuse = (message: string): Result.Result<never, InvalidInput> => Result.fail(new InvalidInput({ message }))

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 8).map((name) => quote(name, 30))
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`
}

/** Validates the caller's mapping, by normalized column names. */
const readMapping = (
  mapping: ColumnMapping,
  header: ReadonlyArray<string>,
  fields: ReadonlyArray<string>,
  usual: ReadonlyMap<string, string>
): Result.Result<ReadonlyMap<string, string | null>, InvalidInput> => {
  const known = new Set(header.map(plainName))
  const said = new Map<string, string | null>()
  for (const [name, field] of Object.entries(mapping)) {
    if (!known.has(plainName(name))) {
      const nearest = nearestName(name, header)
      const hint = nearest === undefined ? `The columns are ${listed(header)}.` : `Did you mean ${quote(nearest, 60)}?`
      return refuse(`mapping: the file has no column ${quote(name, 60)}. ${hint}`)
    }
    if (field !== null && !fields.includes(field)) {
      const nearest = usual.get(plainName(field)) ?? nearestName(field, fields)
      const hint = nearest === undefined ? `Fields are ${fields.join(", ")}.` : `Did you mean ${nearest}?`
      return refuse(`mapping: ${quote(field, 60)} is not a lead field. ${hint}`)
    }
    said.set(plainName(name), field)
  }
  return Result.succeed(said)
}

/**
 * Reads a header; `rows` are the first rows, where identifiers are looked for. The mapping overrides usual names; several
 * columns can map to the same field. Fails with INVALID_INPUT when no column identifies people.
 */
export const readColumns = (
  header: CsvRecord,
  mapping: ColumnMapping,
  fields = columnFields,
  rows: ReadonlyArray<CsvRecord> = []
): Result.Result<ReadonlyArray<Column>, InvalidInput> => {
  const names = header.map((name) => name.trim())
  if (names.length > maxColumns) return refuse(`The file has ${names.length} columns; the maximum is ${maxColumns}.`)
  const usual = headingsOf(fields)
  const said = readMapping(mapping, names, [...fields.keys()], usual)
  if (Result.isFailure(said)) return Result.fail(said.failure)
  const headings = [...usual].flatMap(([heading, field]) => (fields.get(field)?.identifies ? [] : [heading]))
  const columns = names.map((name, index): Column => {
    const plain = plainName(name)
    const given = said.success.get(plain)
    const field = given === undefined ? (usual.get(plain) ?? null) : given
    if (field !== null) {
      const isExact = given === field || plain === plainName(field) || field.startsWith(ownPrefix)
      return { name, field, match: isExact ? "matched" : "guessed", header: null }
    }
    const probable = () =>
      identifierIn(plain, () => rows.map((row) => row[index]?.trim() ?? "")) ??
      (/^[a-z ]{5,40}$/.test(plain) ? usual.get(nearestName(plain, headings) ?? "") : undefined)
    return { name, field, match: "ignored", header: given === null ? null : (probable() ?? null) }
  })
  if (columns.some(({ field }) => field !== null && fields.get(field)?.identifies)) return Result.succeed(columns)
  const { header: found, name } = columns.find((column) => probablyIdentifies(column, fields)) ?? {}
  return refuse(
    "No column identifies the people (email, LinkedIn URL, custom id). The first line must be the header; it has " +
      `${listed(names)}. Rename a column, or send ${mappingOf(name ?? "Contact mail", found ?? "email")}.`
  )
}

/** The cells of a row by field, an own field as `fields.KEY`. */
export type CsvItem = Readonly<Record<string, unknown>>

/** The input of `readLeadItem`, with the own fields under `fields`. */
export const leadItemOf = (item: CsvItem): CsvItem => {
  const own = Object.keys(item).filter((name) => name.startsWith(ownPrefix))
  const fields = own.map((name) => [name.slice(ownPrefix.length), item[name]])
  return own.length === 0 ? item : { ...Struct.omit(item, own), fields: Object.fromEntries(fields) }
}

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
      return refuse(
        `The row has ${record.length} cells, but the header has ${columns.length}. Quote cells that contain the ` +
          "delimiter."
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
