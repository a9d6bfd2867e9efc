/** Values of own fields in inputs and cells, by the definitions of the organization. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../kernel/command/Execution.ts"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { didYouMean } from "../kernel/schema/nearestName.ts"
import { codePointLength, quote } from "../kernel/schema/TextRules.ts"
import { flagField, oneLine } from "./fieldKinds.ts"
import { LeadFieldsRepo } from "./LeadFieldsRepo.ts"
import { folded, maxOwnText, type OwnField, type OwnValue, type OwnValues } from "./ownFields.ts"

const dateOf = (text: string): string | undefined => {
  const [, date = ""] = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text) ?? []
  const at = Date.parse(`${date}T00:00:00Z`)
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? date : undefined
}

/** Values of texts, such as cells; undefined for an unusable one. */
const readers: Readonly<Record<OwnField["type"], (text: string, field: OwnField) => unknown>> = {
  text: (text) => (codePointLength(oneLine(text)) <= maxOwnText ? oneLine(text) : undefined),
  // `1,234` may be either of two numbers.
  number: (text) => (/^[+-]?\d{1,15}(?:\.\d{1,15}|,\d{1,2})?$/.test(text) ? Number(text.replace(",", ".")) : undefined),
  date: dateOf,
  choice: (text, { choices }) => choices.find((choice) => folded(choice) === folded(text)),
  boolean: flagField("").fromCell
}

/** The stored form of a value, which may come as a text; undefined for one of another type. */
export const readValue = (field: OwnField, given: OwnValue): OwnValue | undefined => {
  const value = typeof given === "string" ? readers[field.type](given, field) : given
  const isOfType = typeof value === (field.type === "number" || field.type === "boolean" ? field.type : "string")
  return isOfType ? (value as OwnValue) : undefined
}

const refuse = (message: string) => Result.fail(new InvalidInput({ message }))

/** The definition of a key. Fails with INVALID_INPUT without one. */
const fieldOf = (fields: ReadonlyArray<OwnField>, key: string): Result.Result<OwnField, InvalidInput> => {
  const field = fields.find((one) => one.key === key)
  if (field !== undefined) return Result.succeed(field)
  const keys = fields.flatMap((one) => (one.archived ? [] : [one.key]))
  return refuse(`fields: ${quote(key, 60)} is not a field.${didYouMean(key, keys)} lead.field.list lists all.`)
}

/** Fails with INVALID_INPUT for a key without a definition. */
export const checkKeys = (fields: ReadonlyArray<OwnField>, values: OwnValues = {}) =>
  Result.all(Object.keys(values).map((key) => fieldOf(fields, key)))

/** The values of a search as leads have them. */
export const asStored = (fields: ReadonlyArray<OwnField>, values: OwnValues = {}): OwnValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const field = fields.find((one) => one.key === key)
      return [key, (field && readValue(field, value)) ?? value]
    })
  )

const requirements: Readonly<Record<OwnField["type"], string>> = {
  text: `a text of at most ${maxOwnText} characters`,
  number: "a number",
  date: "a date such as 2026-01-31",
  choice: "one of",
  boolean: "true or false"
}

/**
 * The values of an input in stored form; an empty text is null, which clears. Fails with INVALID_INPUT for an unknown or archived
 * field, and for a value of another type.
 */
export const readValues = (given: Readonly<Record<string, OwnValue | null>>, fields: ReadonlyArray<OwnField>) =>
  Result.gen(function* () {
    const values: Record<string, OwnValue | null> = {}
    for (const [key, value] of Object.entries(given)) {
      const field = yield* fieldOf(fields, key)
      const known = value === null || value === "" ? null : readValue(field, value)
      if (field.archived) {
        return yield* refuse(`fields.${key} is archived. Restore it with lead.field.set, or write another field.`)
      }
      if (known === undefined) {
        const choices = field.choices.length === 0 ? "" : ` ${quote(field.choices.join(", "), 300)}`
        return yield* refuse(`fields.${key} must be ${requirements[field.type]}${choices}.`)
      }
      values[key] = known
    }
    return values
  })

/** The definitions of the organization. */
export const ownFields = Effect.gen(function* () {
  return (yield* (yield* LeadFieldsRepo).read((yield* Actor).organizationId)).fields
})

/** The definitions, if one of the items has values of own fields; none otherwise, without asking the store. */
export const ownFieldsFor = (items: ReadonlyArray<unknown>): typeof ownFields =>
  items.some((item) => Object(item)["fields"] !== undefined) ? ownFields : Effect.succeed([])
