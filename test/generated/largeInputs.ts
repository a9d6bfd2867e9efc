/** A megabyte of anything, as inputs of a command. */
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { isThorough } from "../support/effort.ts"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

const megabyte = 1_000_000

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

/** Values of about a megabyte as JSON, by their type. */
const large: Readonly<Record<"object" | "array" | "string", Readonly<Record<string, unknown>>>> = {
  object: {
    "unknown fields": Object.fromEntries(many(60_000, (i) => [`field_${i}`, 1])),
    "fields named like known ones": Object.fromEntries(many(50_000, (i) => [`lead_id${i}`, null])),
    "objects within objects": many(100_000, (i) => i).reduce<unknown>((inner) => ({ inner }), {})
  },
  array: {
    numbers: many(400_000, () => 1),
    "empty objects": many(300_000, () => ({})),
    "objects with unknown fields": many(20_000, (i) => ({ [`a${i}`]: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }))
  },
  string: {
    letters: "a".repeat(megabyte),
    "an email address": `${"a.".repeat(megabyte / 4)}@${"b.".repeat(megabyte / 4)}com`,
    brackets: "((((".repeat(megabyte / 4),
    "line breaks": "\n".repeat(megabyte),
    "combining marks": `a${"\u0301\u0323".repeat(megabyte / 4)}`,
    "a search URL": `https://www.linkedin.com/sales/search/people?query=(filters:List(${"(type:X,values:List(),".repeat(40_000)}`,
    "a profile URL": `https://www.linkedin.com/in/${"%E0%A4".repeat(megabyte / 6)}`
  }
}

/** The type of a schema node, but for null. */
export const typeOf = ({ type }: SchemaNode): string | undefined => {
  const types = Array.isArray(type) ? type : [type]
  return types.find((name) => name !== "null")
}

/** As many items as a list may have, each of them wrong in every field. */
const wrongItems = ({ items, maxItems }: SchemaNode): unknown => {
  const fields = isNode(items) ? propertiesOf(items) : []
  return many(Number(maxItems ?? 0), () => Object.fromEntries(fields.map(([name]) => [name, [{}]])))
}

/** What is sent to a field: large values of its own type, since others are refused by their type alone. */
const valuesOf = (node: SchemaNode): ReadonlyArray<readonly [string, unknown]> => {
  const type = typeOf(node)
  if (type === "array") return [["wrong items", wrongItems(node)], ...Object.entries(large.array)]
  return type === "string" || type === "object" ? Object.entries(large[type]) : []
}

/** Fields, and counts of fields, that were tried with another command: they cost the same wherever they are. */
const tried = new Set<string>()

const isFirst = (what: string): boolean => !tried.has(what) && tried.add(what).size > 0

let turn = 0

/** Every value for the first field that has such a schema, and one of them, in turn, for each of the others. */
const valuesFor = ({ description: _, ...node }: SchemaNode): ReadonlyArray<readonly [string, unknown]> => {
  const values = valuesOf(node)
  if (isFirst(JSON.stringify(node)) || isThorough) return values
  const next = turn++
  return values.filter((__, at) => at === next % values.length)
}

/** Inputs of a command, each about a megabyte, by what is in them; none that was returned for another command. */
export const inputsOf = (command: AnyCommand): ReadonlyArray<readonly [string, unknown]> => {
  const example = command.examples[0]?.input ?? {}
  const properties = propertiesOf(describeWithSchemas(command).input_schema)
  const fresh = properties.filter(([name, { description: _, ...node }]) => isFirst(JSON.stringify([name, node])))
  const whole = { ...large.object, "a list": large.array["numbers"] }
  return [
    ...(isFirst(`${properties.length} fields`) ? Object.entries(whole) : []),
    ["every field wrong", Object.fromEntries(properties.map(([name]) => [name, [{}]]))],
    ...fresh.flatMap(([name, node]) =>
      valuesFor(node).map(([what, value]) => [`${name}: ${what}`, { ...example, [name]: value }] as const)
    )
  ]
}
