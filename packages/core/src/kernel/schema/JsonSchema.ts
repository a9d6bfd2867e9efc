/**
 * The published JSON Schema (2020-12) of a schema, in a form that every tool reads: without references, and without
 * composition for null.
 *
 * `type: ["string", "null"]` replaces `anyOf` with null, safe-integer bounds are omitted, integers have a format, and
 * objects refuse unknown properties. A schema also tells which input is too large to decode: decoding reports every problem, so its
 * cost grows with their number.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { AnySchema } from "../command/Command.ts"

/** A JSON Schema as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>

const isNullType = (schema: unknown): boolean => Predicate.isObject(schema) && Reflect.get(schema, "type") === "null"

/** An object without fields, which Effect publishes as "anything but null". */
const noFields: JsonSchema = { type: "object", properties: {}, additionalProperties: false }

const withNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(typeof schema["type"] === "string" ? { type: [schema["type"], "null"] } : {}),
  ...(Array.isArray(schema["enum"]) ? { enum: [...schema["enum"], null] } : {})
})

const int32 = 2 ** 31

const isShort = ({ maximum, minimum }: JsonSchema): boolean =>
  typeof minimum === "number" && minimum >= -int32 && typeof maximum === "number" && maximum < int32

/** Both schemas in one: the fields of both, if they are objects. */
const merged = (one: JsonSchema, other: JsonSchema): JsonSchema => ({
  ...one,
  ...other,
  ...("properties" in one && "properties" in other
    ? {
        properties: { ...Object(one["properties"]), ...Object(other["properties"]) },
        required: [one["required"], other["required"]].flat().filter((name) => name !== undefined)
      }
    : {})
})

const simplify = (node: unknown, definitions: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(node)) return node.map((item) => simplify(item, definitions))
  if (!Predicate.isObject(node)) return node
  const reference = Reflect.get(node, "$ref")
  if (typeof reference === "string") {
    return simplify(definitions[decodeURIComponent(reference.split("/").at(-1) ?? "")], definitions)
  }
  if (isNullType(Reflect.get(node, "not"))) {
    const { not: _, ...rest } = { not: undefined, ...node }
    return { ...noFields, ...rest }
  }
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    const noise =
      (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
      (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    if (!noise) plain[key] = simplify(value, definitions)
  }
  if (plain["type"] === "integer") plain["format"] = isShort(plain) ? "int32" : "int64"
  const { anyOf, allOf, ...rest } = plain
  if (Array.isArray(allOf)) {
    return simplify({ ...(anyOf === undefined ? {} : { anyOf }), ...allOf.reduce(merged, {}), ...rest }, definitions)
  }
  if (!Array.isArray(anyOf)) return plain
  const others = anyOf.filter((member) => !isNullType(member))
  const nullable = others.length < anyOf.length
  const only = others.length === 1 ? others[0] : undefined
  if (Predicate.isObject(only)) return { ...(nullable ? withNull({ ...only }) : only), ...rest }
  return { anyOf: nullable ? [...others, { type: "null" }] : others, ...rest }
}

const known = new WeakMap<object, JsonSchema>()

/** The published JSON Schema of an input or output, cached. */
export const jsonSchemaOf = (schema: AnySchema): JsonSchema => {
  const cached = known.get(schema)
  if (cached !== undefined) return cached
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const result = simplify(document.schema, document.definitions)
  const plain: JsonSchema = Predicate.isObject(result) ? { ...result } : {}
  known.set(schema, plain)
  return plain
}

/** Objects with named fields accept no others, unless the schema says so itself. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (!Predicate.isReadonlyObject(node)) return node
  const { $defs: _, $schema: __, $id: ___, definitions: ____, oneOf, ...rest } = node
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, closed(value)]))
  const union = Array.isArray(oneOf) ? { anyOf: closed(oneOf) } : {}
  const isOpen = !("properties" in node) || "additionalProperties" in node || "patternProperties" in node
  return { ...inner, ...union, ...(isOpen ? {} : { additionalProperties: false }) }
}

/** A foreign JSON Schema (2020-12) in the published form. Throws for one that refers to itself, or to something else. */
export const published = (foreign: JsonSchema): JsonSchema => {
  const definitions = Object(foreign["$defs"] ?? foreign["definitions"] ?? {})
  for (const [, reference = ""] of JSON.stringify(foreign).matchAll(/"\$ref":"([^"]*)"/g)) {
    const name = decodeURIComponent(reference.split("/").at(-1) ?? "")
    if (!Object.hasOwn(definitions, name)) throw new Error(`${reference} is none of its definitions`)
  }
  return Object(closed(simplify(foreign, definitions)))
}

/** Gives a schema its published JSON Schema, for one that Effect cannot derive. */
export const publishAs = <S extends AnySchema>(schema: S, json: JsonSchema): S => {
  known.set(schema, json)
  return schema
}

/** Number of problems in a message; an object with more unknown fields is refused without decoding. */
export const shownProblems = 5

/** A list or map that is too large, or the first unknown fields of an object and the number of others. */
export type SizeProblem =
  | {
      readonly _tag: "Size"
      readonly path: ReadonlyArray<PropertyKey>
      readonly unit: "items" | "fields"
      readonly max: number
      readonly size: number
    }
  | {
      readonly _tag: "Fields"
      readonly path: ReadonlyArray<PropertyKey>
      readonly unknown: ReadonlyArray<string>
      readonly known: ReadonlyArray<string>
      readonly more: number
    }

type Check = (value: unknown, path: Array<PropertyKey>) => SizeProblem | undefined

const nodeOf = (value: unknown): JsonSchema => (Predicate.isReadonlyObject(value) ? value : {})

const checkOf = (schema: unknown, most: number): Check | undefined =>
  Predicate.isReadonlyObject(schema)
    ? (itemsCheck(schema, most) ?? fieldsCheck(schema, most) ?? unionCheck(schema, most))
    : undefined

const itemsCheck = (schema: JsonSchema, most: number): Check | undefined => {
  const { maxItems } = schema
  const each = checkOf(schema["items"], most)
  if (typeof maxItems !== "number" && each === undefined) return undefined
  return (value, path) => {
    if (!Array.isArray(value)) return undefined
    if (typeof maxItems === "number" && value.length > maxItems) {
      return { _tag: "Size", path: [...path], unit: "items", max: maxItems, size: value.length }
    }
    return each && firstProblem(value.entries(), path, each)
  }
}

const firstProblem = (
  members: Iterable<readonly [PropertyKey, unknown]>,
  path: Array<PropertyKey>,
  check: Check
): SizeProblem | undefined => {
  for (const [key, member] of members) {
    path.push(key)
    const problem = check(member, path)
    path.pop()
    if (problem !== undefined) return problem
  }
  return undefined
}

const fieldsCheck = (schema: JsonSchema, most: number): Check | undefined => {
  if (schema["type"] !== "object" && !Array.isArray(schema["type"])) return undefined
  const properties = nodeOf(schema["properties"])
  const known = Object.keys(properties)
  const { additionalProperties, maxProperties } = schema
  const isClosed = additionalProperties === false
  const each = checkOf(additionalProperties, most)
  const checks = known.flatMap((name) => {
    const check = checkOf(properties[name], most)
    return check === undefined ? [] : [[name, check] as const]
  })
  if (!isClosed && each === undefined && maxProperties === undefined && checks.length === 0) return undefined
  return (value, path) => {
    if (!Predicate.isReadonlyObject(value)) return undefined
    const names = Object.keys(value)
    if (typeof maxProperties === "number" && names.length > maxProperties) {
      return { _tag: "Size", path: [...path], unit: "fields", max: maxProperties, size: names.length }
    }
    if (isClosed && names.length > most) {
      const unknown = names.filter((name) => !Object.hasOwn(properties, name))
      const shown = unknown.slice(0, shownProblems)
      const more = unknown.length - shown.length
      if (unknown.length > most) return { _tag: "Fields", path: [...path], unknown: shown, known, more }
    }
    for (const [name, check] of checks) {
      const problem = firstProblem([[name, value[name]]], path, check)
      if (problem !== undefined) return problem
    }
    return each && firstProblem(Object.entries(value), path, each)
  }
}

/** A value is too large for a union if it is too large for every member of its type. */
const unionCheck = (schema: JsonSchema, most: number): Check | undefined => {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return undefined
  const members = anyOf.map((member) => checkOf(member, most))
  if (members.every((member) => member === undefined)) return undefined
  return (value, path) => {
    const isList = Array.isArray(value)
    const fitting = members.filter((_, i) => nodeOf(anyOf[i])["type"] === (isList ? "array" : "object"))
    const problems = fitting.map((member) => member?.(value, path))
    return problems.every((problem) => problem !== undefined) ? problems[0] : undefined
  }
}

/** Compiles the check of a published schema. Up to `most` unknown fields are left for the decoder to name. */
export const sizeProblem = (
  schema: JsonSchema,
  most = shownProblems
): ((input: unknown) => SizeProblem | undefined) => {
  const check = checkOf(schema, most)
  return (input) => check?.(input, [])
}
