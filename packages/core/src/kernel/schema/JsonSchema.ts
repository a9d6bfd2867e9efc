/**
 * The published JSON Schema (2020-12) of a schema, in a form that every tool reads: without references, and without
 * composition for null.
 *
 * `type: ["string", "null"]` replaces `anyOf` with null, safe-integer bounds are omitted, integers have a format, and
 * objects refuse unknown properties.
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
