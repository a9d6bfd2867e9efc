/** Inputs made from a published JSON Schema: good ones, ones at the edge, and ones that are wrong somewhere. */
import * as fc from "fast-check"
import { hostileTexts, hostileValue } from "./hostile.ts"

/** A JSON Schema node, as published: no references, types as one name or a list. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** Values for a property by its name, beside those that its schema allows; undefined for none. */
export type Known = (name: string) => ReadonlyArray<unknown> | undefined

/** Whether a value is an object with names. */
export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The properties of an object schema by name. */
export const propertiesOf = (schema: SchemaNode): ReadonlyArray<readonly [string, SchemaNode]> => {
  const properties = schema["properties"]
  return isNode(properties)
    ? Object.entries(properties).flatMap(([name, node]) => (isNode(node) ? [[name, node] as const] : []))
    : []
}

const typesOf = (schema: SchemaNode): ReadonlyArray<string> => {
  const type = schema["type"]
  return Array.isArray(type) ? type.map(String) : typeof type === "string" ? [type] : []
}

const numberOf = (schema: SchemaNode, name: string, otherwise: number): number => {
  const value = schema[name]
  return typeof value === "number" ? value : otherwise
}

const fits = (schema: SchemaNode, text: string): boolean => {
  const pattern = schema["pattern"]
  const length = Array.from(text).length
  return (
    length >= numberOf(schema, "minLength", 0) &&
    length <= numberOf(schema, "maxLength", 1_000_000) &&
    (typeof pattern !== "string" || new RegExp(pattern).test(text))
  )
}

const plainTexts = fc.oneof(
  fc.constantFrom("Ada Martin", "Grace", "  padded  ", "Zürich", "e\u0301cole", "日本語のテキスト", "a b c", "👍 ok"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.constantFrom(...hostileTexts)
)

/** Texts of exactly the lengths between which the schema's limits lie. */
const edgeTexts = (schema: SchemaNode): ReadonlyArray<string> => {
  const maximum = numberOf(schema, "maxLength", 0)
  return maximum === 0 || maximum > 50_000
    ? []
    : ["x".repeat(maximum), "é".repeat(maximum), `x${" ".repeat(maximum - 1)}`]
}

const stringOf = (schema: SchemaNode): fc.Arbitrary<unknown> => {
  if (schema["format"] === "date-time") {
    return fc.constantFrom("2026-01-31T09:30:00Z", "2026-01-31T09:30:00.123456+02:00", "1999-12-31T23:59:59-11:30")
  }
  const pattern = schema["pattern"]
  const isFree = typeof pattern !== "string" || pattern === "\\S"
  const texts = isFree ? plainTexts : fc.stringMatching(new RegExp(pattern))
  const fitting = texts.filter((text) => fits(schema, text))
  const edges = edgeTexts(schema).filter((text) => fits(schema, text))
  return edges.length === 0
    ? fitting
    : fc.oneof({ arbitrary: fitting, weight: 8 }, { arbitrary: fc.constantFrom(...edges), weight: 1 })
}

const numericOf = (schema: SchemaNode): fc.Arbitrary<unknown> => {
  const min = numberOf(schema, "minimum", -1_000_000)
  const max = numberOf(schema, "maximum", 1_000_000)
  return schema["type"] === "number" ? fc.double({ min, max, noNaN: true }) : fc.integer({ min, max })
}

const arrayOf = (schema: SchemaNode, known: Known): fc.Arbitrary<unknown> => {
  const items = schema["items"]
  const minLength = numberOf(schema, "minItems", 0)
  const maxLength = Math.min(numberOf(schema, "maxItems", 4), minLength + 4)
  return fc.array(isNode(items) ? valueOf(items, known) : fc.jsonValue({ maxDepth: 2 }), { minLength, maxLength })
}

const objectOf = (schema: SchemaNode, known: Known): fc.Arbitrary<unknown> => {
  const properties = propertiesOf(schema)
  if (properties.length === 0) return schema["additionalProperties"] === false ? fc.constant({}) : freeObject(known)
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : []
  const fields = Object.fromEntries(properties.map(([name, node]) => [name, propertyOf(name, node, known)]))
  // Few fields at a time: with all of them at once some rule between fields would refuse nearly every input.
  return fc
    .subarray(properties.map(([name]) => name))
    .chain((names) => fc.tuple(fc.constant(names), fc.nat({ max: Math.max(1, names.length) })))
    .chain(([names, count]) => {
      const chosen = [...new Set([...required, ...names.slice(0, count)])]
      return fc.record(
        Object.fromEntries(
          chosen.flatMap((name) => {
            const field = fields[name]
            return field === undefined ? [] : [[name, field]]
          })
        )
      )
    })
}

const freeObject = (known: Known): fc.Arbitrary<unknown> => {
  const values = known("*")
  const free = fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  return values === undefined ? free : fc.oneof(fc.constantFrom(...values), free)
}

const propertyOf = (name: string, schema: SchemaNode, known: Known): fc.Arbitrary<unknown> => {
  const values = known(name)
  const drawn = valueOf(schema, known)
  if (values === undefined || values.length === 0) return drawn
  return fc.oneof({ arbitrary: fc.constantFrom(...values), weight: 3 }, { arbitrary: drawn, weight: 1 })
}

/** Values that the schema allows. */
export const valueOf = (schema: SchemaNode, known: Known): fc.Arbitrary<unknown> => {
  const members = schema["anyOf"]
  if (Array.isArray(members)) return fc.oneof(...members.filter(isNode).map((member) => valueOf(member, known)))
  const values = schema["enum"]
  if (Array.isArray(values)) return fc.constantFrom(...values)
  const kinds = typesOf(schema).map((type): fc.Arbitrary<unknown> => {
    if (type === "string") return stringOf(schema)
    if (type === "integer" || type === "number") return numericOf(schema)
    if (type === "boolean") return fc.boolean()
    if (type === "array") return arrayOf(schema, known)
    if (type === "object") return objectOf(schema, known)
    return fc.constant(null)
  })
  return kinds.length === 0 ? fc.jsonValue({ maxDepth: 2 }) : fc.oneof(...kinds)
}

/** Every place in a JSON value, as the path to it. */
const placesIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  if (typeof value !== "object" || value === null || path.length > 5) return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))]
}

/** A copy with another value at a path; without the property when `replacement` is the symbol `gone`. */
const replaced = (value: unknown, path: ReadonlyArray<string>, replacement: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return replacement
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === name ? replaced(item, rest, replacement) : item))
  }
  if (!isNode(value)) return value
  const entries = Object.entries(value).flatMap(([key, member]) => {
    if (key !== name) return [[key, member] as const]
    return rest.length === 0 && replacement === gone ? [] : [[key, replaced(member, rest, replacement)] as const]
  })
  return Object.fromEntries(entries)
}

const gone = Symbol("gone")

const fieldNames = fc.oneof(
  fc.constantFrom(
    "nmae",
    "Name",
    "offerID",
    "extra",
    "dry_run",
    "response_profile",
    "organization_id",
    "organizationId"
  ),
  fc.constantFrom("__proto__", "constructor", "toString", "", " ", "a.b", "x".repeat(3_000), "\u0000", "\ud800", "名"),
  fc.string({ unit: "binary", maxLength: 10 })
)

const withField = (value: unknown, name: string, member: unknown): unknown =>
  isNode(value) ? Object.fromEntries([...Object.entries(value), [name, member]]) : value

/** An example with up to two fields of another value laid over it. */
const nearExample = (examples: ReadonlyArray<SchemaNode>, drawn: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(fc.constantFrom(...examples), drawn, fc.nat()).map(([example, other, pick]) => {
    const fields = isNode(other) ? Object.entries(other) : []
    const some = [fields[pick % (fields.length + 1)], fields[(pick + 1) % (fields.length + 2)]]
    return { ...example, ...Object.fromEntries(some.filter((field) => field !== undefined)) }
  })

/** Inputs of a command: about half good by the schema, the others wrong in one place or more. */
export const inputOf = (
  schema: SchemaNode,
  known: Known,
  examples: ReadonlyArray<SchemaNode>
): fc.Arbitrary<unknown> => {
  const drawn = valueOf(schema, known)
  const good = fc.oneof(drawn, nearExample(examples, drawn))
  const missing = fc.tuple(good, fc.nat()).map(([value, pick]) => {
    const places = placesIn(value).filter((path) => path.length > 0)
    return places.length === 0 ? value : replaced(value, places[pick % places.length] ?? [], gone)
  })
  const wrong = fc
    .tuple(good, fc.array(fc.tuple(fc.nat(), hostileValue), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) =>
      changes.reduce<unknown>((changed, [pick, bad]) => {
        const places = placesIn(changed).filter((path) => path.length > 0)
        return places.length === 0 ? changed : replaced(changed, places[pick % places.length] ?? [], bad)
      }, value)
    )
  const extra = fc.tuple(good, fieldNames, hostileValue).map(([value, name, member]) => withField(value, name, member))
  return fc.oneof(
    { arbitrary: good, weight: 10 },
    { arbitrary: wrong, weight: 6 },
    { arbitrary: missing, weight: 2 },
    { arbitrary: extra, weight: 2 },
    { arbitrary: hostileValue, weight: 1 }
  )
}
