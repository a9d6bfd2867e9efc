/** What follows from a table of lead fields: schemas of inputs and leads, values, and names of columns. */
import * as Schema from "effect/Schema"
import { type SnakeCase, snakeCase } from "../kernel/schema/snakeCase.ts"
import type { LeadField, LeadFields } from "./fieldKinds.ts"
import { leadFields } from "./leadFields.ts"

/** A field with its name in leads, and its key in inputs, which is also the name of its column. */
export interface NamedField extends LeadField {
  readonly name: string
  readonly key: string
}

/** The fields of a table, in order. */
export const namedFields = (table: LeadFields): ReadonlyArray<NamedField> =>
  Object.entries(table).map(([name, field]) => ({ ...field, name, key: snakeCase(name) }))

/** The fields of a lead, in order. */
export const plainFields: ReadonlyArray<NamedField> = namedFields(leadFields)

/** The values of a table's fields in a lead. */
export type Content<T extends LeadFields> = { readonly [N in keyof T]: T[N]["output"]["Type"] }

/** Content with every field empty. */
export const emptyContentOf = <T extends LeadFields>(table: T): Content<T> =>
  Object.fromEntries(Object.entries(table).map(([name, { empty }]) => [name, empty])) as Content<T>

type AliasOf<F extends LeadField> = F extends { readonly alias: infer A extends string } ? A : never

type InputFields<T extends LeadFields> = {
  readonly [N in keyof T & string as SnakeCase<N> | AliasOf<T[N]>]: Schema.optionalKey<Schema.NullOr<T[N]["input"]>>
}

/** The fields of an input, where absent fields keep what is stored and null clears. */
export const inputFieldsOf = <T extends LeadFields>(table: T): InputFields<T> => {
  const fields: Record<string, unknown> = {}
  for (const { alias, input, key } of namedFields(table)) {
    fields[key] = Schema.optionalKey(Schema.NullOr(input))
    if (alias === undefined) continue
    const aliased = input.pipe(Schema.annotateEncoded({ description: `Alias of ${key}` }))
    fields[alias] = Schema.optionalKey(Schema.NullOr(aliased))
  }
  return fields as InputFields<T>
}

type OutputFields<T extends LeadFields> = {
  readonly [N in keyof T as T[N] extends { readonly shown: "never" } ? never : N]: T[N] extends {
    readonly shown: "always"
  }
    ? T[N]["output"]
    : Schema.optionalKey<T[N]["output"]>
}

/** The fields of a lead as callers see it. */
export const outputFieldsOf = <T extends LeadFields>(table: T): OutputFields<T> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { output, shown }]) =>
      shown === "never" ? [] : [[name, shown === "always" ? output : Schema.optionalKey(output)]]
    )
  ) as OutputFields<T>

type FieldsWith<T extends LeadFields, O extends "column" | "search"> = {
  readonly [N in keyof T & string]: T[N] extends { readonly [K in O]: true } ? N : never
}[keyof T & string]

/** The names of the fields with a column, or of those that `query` searches. */
export const fieldsWith = <T extends LeadFields, O extends "column" | "search">(
  table: T,
  option: O
): ReadonlyArray<FieldsWith<T, O>> =>
  Object.keys(table).filter((name): name is FieldsWith<T, O> => table[name]?.[option] === true)

type ShownValues = Schema.Struct.Type<OutputFields<typeof leadFields>>

/** Whether a value is an empty text or list. */
export const isUnknown = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0)

/** The values of a lead as callers see it; texts and lists that are empty are omitted, unless they are always shown. */
export const shownValues = (content: object, fields: ReadonlyArray<NamedField> = plainFields): ShownValues => {
  const all: Readonly<Record<string, unknown>> = { ...content }
  const values: Record<string, unknown> = {}
  for (const { name, shown } of fields) {
    const value = all[name]
    if (shown === "always" || (shown === undefined && !isUnknown(value))) values[name] = value
  }
  return values as ShownValues
}

/** A shown lead with what compact outputs keep of it. */
export const compactValues = <A extends object>(lead: A, fields: ReadonlyArray<NamedField> = plainFields): A => {
  const kept = Object.entries(lead).map(([name, value]): [string, unknown] => {
    const field = fields.find((one) => one.name === name)
    return [name, field?.compact ? field.compact(value) : value]
  })
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as A
}

/** The values that an input gives, in the form of a lead; null clears. */
export const givenValues = (
  input: Readonly<Record<string, unknown>>,
  fields: ReadonlyArray<NamedField> = plainFields
): ReadonlyArray<readonly [name: string, value: unknown]> =>
  fields.flatMap((field) => {
    const given = input[field.key] === undefined && field.alias !== undefined ? input[field.alias] : input[field.key]
    if (given === undefined) return []
    return [[field.name, given === null ? field.empty : (field.stored?.(given) ?? given)]]
  })

type ListedFields<T extends LeadFields> = {
  readonly [N in FieldsWith<T, "column"> as SnakeCase<N>]: T[N]["output"]
}

/** The fields of a lead in lists: those with a column. */
export const listedFieldsOf = <T extends LeadFields>(table: T): ListedFields<T> =>
  Object.fromEntries(
    namedFields(table).flatMap(({ column, key, output }) => (column ? [[key, output]] : []))
  ) as ListedFields<T>
