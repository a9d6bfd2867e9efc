/**
 * Flags for the input schema of a command, and the input for the flags.
 *
 * A field of a plain type is a flag of the same name in kebab case; lists of texts are repeatable flags. Nested fields are
 * given with `--input-json`. The service validates the input.
 */
import type { JsonSchema } from "@svc/core"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/** The value of a flag in the input; none if it was not given. */
export type FlagValue = Option.Option<unknown>

/** A field of an input that a flag can hold. */
export interface PlainField {
  /** The name of the field in the input. */
  readonly name: string
  /** The name of the flag, without its dashes. */
  readonly flag: string
  readonly type: "string" | "integer" | "number" | "boolean" | "texts"
  /** Allowed values, if it is an enum. */
  readonly choices: ReadonlyArray<string>
  readonly description: string
}

const member = (node: unknown, name: string): unknown =>
  Predicate.isObject(node) ? Reflect.get(node, name) : undefined

const typesOf = (node: unknown): ReadonlyArray<unknown> => {
  const type = member(node, "type")
  return (Array.isArray(type) ? type : [type]).filter((name) => name !== "null")
}

const isText = (node: unknown): boolean => {
  const anyOf = member(node, "anyOf")
  return Array.isArray(anyOf) ? anyOf.some(isText) : typesOf(node).includes("string")
}

const choicesOf = (node: unknown): ReadonlyArray<string> => {
  const values = member(node, "enum")
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : []
}

const firstSentence = (text: unknown): string => {
  const line = typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : ""
  return (/^.*?[^.][.](?= [A-Z])/.exec(line)?.[0] ?? line).replace(/[^.]\.$/, (end) => end.slice(0, 1))
}

const plainField = (name: string, node: unknown): PlainField | undefined => {
  const [type, ...others] = typesOf(node)
  if (others.length > 0) return undefined
  const flag = name.replaceAll("_", "-")
  const description = firstSentence(member(node, "description"))
  if (type === "string" || type === "integer" || type === "number" || type === "boolean") {
    return { name, flag, type, choices: choicesOf(node), description }
  }
  const items = member(node, "items")
  if (type !== "array" || !isText(items)) return undefined
  return { name, flag, type: "texts", choices: choicesOf(items), description }
}

/** The fields of an input that flags can hold, in the schema's order. */
export const plainFields = (schema: JsonSchema): ReadonlyArray<PlainField> =>
  Object.entries(Object(schema["properties"])).flatMap(([name, node]) => plainField(name, node) ?? [])

/** The fields of an input that only `--input-json` can hold. */
export const nestedFields = (schema: JsonSchema): ReadonlyArray<string> => {
  const plain = new Set(plainFields(schema).map(({ name }) => name))
  return Object.keys(Object(schema["properties"])).filter((name) => !plain.has(name))
}

const typed = ({ choices, flag, type }: PlainField): Flag.Flag<unknown> => {
  if (choices.length > 0) return Flag.Literals(flag, choices)
  if (type === "integer") return Flag.Int(flag)
  if (type === "number") return Flag.Finite(flag)
  return type === "boolean" ? Flag.Boolean(flag) : Flag.String(flag)
}

/** The flag of a field. */
export const flagOf = (field: PlainField): Flag.Flag<FlagValue> => {
  const described = Flag.withDescription(typed(field), field.description)
  if (field.type !== "texts") return Flag.optional(described)
  return Flag.atLeast(described, 0).pipe(
    Flag.withDescription(`${field.description.replace(/[^.]$/, "$&.")} Repeatable.`.trim()),
    Flag.map((values) => (values.length === 0 ? Option.none() : Option.some(values)))
  )
}

/** The input from `--input-json`, with the flags on top. */
export const inputOf = (
  fields: ReadonlyArray<PlainField>,
  given: Readonly<Record<string, FlagValue>>,
  base: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => ({
  ...base,
  ...Object.fromEntries(
    fields.flatMap(({ flag, name }) => {
      const value = given[flag] ?? Option.none()
      return Option.isSome(value) ? [[name, value.value] as const] : []
    })
  )
})
