/** Between what is stored and what a form shows. Pure. */
import { type Field, linesOf, type Values } from "../form/values.ts"

/** The name of a field in stored records and events, e.g. `jobTitle` for `job_title`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What a form shows of a stored record, whose names are in camelCase unless `names` has another. */
export const valuesOf = (
  fields: ReadonlyArray<Field>,
  stored: object,
  names: Readonly<Record<string, string>> = {}
): Values =>
  Object.fromEntries(
    fields.map(({ kind, name }) => {
      const value: unknown = Reflect.get(stored, names[name] ?? (name in stored ? name : camelCase(name)))
      if (typeof value === "boolean") return [name, value]
      return [name, Array.isArray(value) ? value.join(kind === "list" ? "\n" : ",") : String(value ?? "")]
    })
  )

const entryOf = ({ kind, required }: Field, value: string | boolean): unknown => {
  if (typeof value === "boolean") return value
  if (kind === "list") return linesOf(value)
  if (value === "" && required !== true) return null
  return kind === "number" ? Number(value) : value
}

/** The input of a command from values of a form: an empty field is null, unless it is required. */
export const inputOf = (fields: ReadonlyArray<Field>, values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.name]
      return value === undefined ? [] : [[field.name, entryOf(field, value)]]
    })
  )

/** The same for something new: what is empty is left out. */
export const newInputOf = (fields: ReadonlyArray<Field>, values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(inputOf(fields, values)).filter(([, value]) => [value ?? []].flat().length > 0))
