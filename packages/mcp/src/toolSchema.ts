/**
 * Schemas as every client of tools takes them: one type per property, no composition, no references, no `$schema`, and
 * unknown keys refused.
 *
 * What a tool publishes is narrower than what its command takes: null is not offered, of a choice the object is shown,
 * second names of a field are left out (the command still takes all of them, and its decoder has the last word). A list of
 * tools is read before every conversation, so bounds are left out, which a refusal names, and descriptions that say no more
 * than the field's name; `commands_search` shows the whole schema. Source: contract 7 "MCP"; ecosystem 1.4.
 */
import type { JsonSchema } from "@svc/core/JsonSchema"

/** Keywords that are carried over; bounds and defaults are not. */
const kept = new Set(["type", "enum", "properties", "items", "required", "additionalProperties", "description"])

/** Beginnings of descriptions of fields that only say in another way what another field says. */
const doubles = ["Another word for ", "The same fields nested", "Ignored", "Id of the agent who writes, instead"]

/** Longest description of a field, in characters; a longer one is cut after a clause. */
const longest = 36

const isNode = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The one member of a choice that is shown: the object, else the first that is not null. */
const shownOf = (members: ReadonlyArray<unknown>): JsonSchema => {
  const nodes = members.filter(isNode).filter((node) => node["type"] !== "null")
  return nodes.find((node) => node["type"] === "object") ?? nodes[0] ?? {}
}

const typeOf = (type: unknown): unknown =>
  Array.isArray(type) ? (type.find((name) => name !== "null") ?? "string") : type

const properties = (node: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> =>
  isNode(node["properties"])
    ? Object.entries(node["properties"]).flatMap(([name, property]) => (isNode(property) ? [[name, property]] : []))
    : []

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]+/g) ?? []

const little = new Set([
  "a",
  "an",
  "the",
  "of",
  "its",
  "it",
  "is",
  "e",
  "for",
  "in",
  "current",
  "address",
  "what",
  "when"
])

/** Names that every list has, and that a model knows. */
const plain = new Set(["cursor", "limit"])

/** The description without what the name says already; undefined when nothing is left. */
const shortDescription = (name: string, description: unknown): string | undefined => {
  if (typeof description !== "string" || plain.has(name)) return undefined
  const named = new Set(wordsOf(name))
  const news = wordsOf(description).filter((word) => !little.has(word) && !named.has(word))
  if (news.length < 2) return undefined
  if (description.length <= longest) return description.replace(/\.$/, "")
  const cut = [...description.matchAll(/[;:,.(]\s/g)].map(({ index }) => index).filter((index) => index <= longest)
  const end = cut.at(-1) ?? description.lastIndexOf(" ", longest)
  return description.slice(0, end).trim()
}

const isDouble = (names: ReadonlySet<string>, name: string, { description }: JsonSchema): boolean =>
  (typeof description === "string" && doubles.some((beginning) => description.startsWith(beginning))) ||
  // Where a field goes by two spellings, the one of commands is shown.
  (/[A-Z]/.test(name) && names.has(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))

const flattenProperties = (node: JsonSchema, depth: number): JsonSchema => {
  const all = properties(node)
  const names = new Set(all.map(([name]) => name))
  return Object.fromEntries(
    all
      .filter(([name, property]) => !isDouble(names, name, property))
      .map(([name, property]) => {
        const { description, ...flat } = flatten(property, depth)
        const listing = isNode(property["items"]) && listsFields(description, property["items"])
        const said = listing ? description : depth === 1 ? shortDescription(name, description) : undefined
        return [name, said === undefined ? flat : { ...flat, description: said }]
      })
  )
}

/** Whether a description of a list names every field of its items, which then need not be declared again. */
const listsFields = (description: unknown, items: JsonSchema): boolean => {
  const names = properties(items).map(([name]) => name)
  return (
    typeof description === "string" && names.length > 0 && names.every((name) => wordsOf(description).includes(name))
  )
}

/** A schema of input, flattened. `depth` is 0 for the input itself. */
const flatten = (schema: JsonSchema, depth: number): JsonSchema => {
  const { anyOf, ...own } = schema
  const node = Array.isArray(anyOf) ? { ...shownOf(anyOf), ...own } : own
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (!kept.has(key)) continue
    if (key === "type") flat[key] = typeOf(value)
    else if (key === "enum" && Array.isArray(value)) flat[key] = value.filter((choice) => choice !== null)
    else if (key === "properties") flat[key] = flattenProperties(node, depth + 1)
    else if (key === "items" && isNode(value)) {
      const { description: _, ...item } = flatten(value, depth + 1)
      flat[key] = listsFields(node["description"], value) ? { type: "object" } : item
    } else if (key === "additionalProperties" && isNode(value)) flat[key] = flatten(value, depth + 1)
    else flat[key] = value
  }
  return flat
}

/** The two options that go with every tool. Source: contract 1.1. */
export const optionProperties = {
  response_profile: { type: "string", enum: ["full", "compact"] },
  dry_run: { type: "boolean" }
} as const

const required = (names: unknown): JsonSchema => (Array.isArray(names) && names.length > 0 ? { required: names } : {})

/** The input schema of a tool from that of its command. */
export const toolInputSchema = (schema: JsonSchema): JsonSchema => {
  const flat = flatten(schema, 0)
  return {
    type: "object",
    properties: { ...(isNode(flat["properties"]) ? flat["properties"] : {}), ...optionProperties },
    ...required(flat["required"]),
    additionalProperties: false
  }
}

/** An output with more fields than this says only that it is an object. */
const widest = 3

/**
 * The output schema of a tool: which fields its command always answers. The whole schema is the catalogue's; here it would
 * cost every conversation several times as much as the inputs.
 */
export const toolOutputSchema = (schema: JsonSchema): JsonSchema => {
  const names = schema["required"]
  return { type: "object", ...(Array.isArray(names) && names.length > widest ? {} : required(names)) }
}
