/**
 * Schemas that every MCP client accepts: one type per property, no composition, references or `$schema`.
 *
 * They are narrower than the command's own schema: no null, one member of each union, no aliases. The command still accepts
 * all of them. Tools are listed in every conversation, so bounds and redundant descriptions are omitted too;
 * `commands_search` shows the whole schema.
 */
import type { JsonSchema } from "@svc/core"
import * as Predicate from "effect/Predicate"
import { objectOf } from "./JsonRpc.ts"

/** Keywords that are kept. */
const kept = new Set(["type", "enum", "properties", "items", "required", "additionalProperties", "description"])

/** How descriptions of aliases and redundant fields start. */
const aliasPrefixes = ["Alias of ", "The same fields nested", "Ignored", "Id of the sending agent, instead"]

/** The member of a union that is shown: the object, otherwise the first that is not null. */
const shownMember = (members: ReadonlyArray<unknown>): JsonSchema => {
  const nodes = members.filter(Predicate.isReadonlyObject).filter((node) => node["type"] !== "null")
  return nodes.find((node) => node["type"] === "object") ?? nodes[0] ?? {}
}

const typeOf = (type: unknown): unknown =>
  Array.isArray(type) ? (type.find((name) => name !== "null") ?? "string") : type

const properties = (node: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> =>
  Object.entries(objectOf(node["properties"])).flatMap(([name, property]) =>
    Predicate.isReadonlyObject(property) ? [[name, property]] : []
  )

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]+/g) ?? []

const fillerWords = new Set(wordsOf("a an the of its it is e for in current address what when"))

/** Names that need no description. */
const selfExplanatory = new Set(["cursor", "limit", "import_id"])

/** The first sentence: what a tool shows of a description. Details follow in further sentences. */
const firstSentence = (text: string): string => (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\.$/, "")

/** A short description; undefined if it adds nothing to the name. */
const shortDescription = (name: string, description: unknown): string | undefined => {
  if (typeof description !== "string" || selfExplanatory.has(name)) return undefined
  const named = new Set(wordsOf(name))
  const news = wordsOf(description).filter((word) => !fillerWords.has(word) && !named.has(word))
  if (news.length < 2) return undefined
  return firstSentence(description)
}

const isAlias = (names: ReadonlySet<string>, name: string, { description }: JsonSchema): boolean =>
  (typeof description === "string" && aliasPrefixes.some((beginning) => description.startsWith(beginning))) ||
  // Of two spellings of a field, the snake_case one is shown.
  (/[A-Z]/.test(name) && names.has(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))

const flattenProperties = (node: JsonSchema, depth: number): JsonSchema => {
  const all = properties(node)
  const names = new Set(all.map(([name]) => name))
  return Object.fromEntries(
    all
      .filter(([name, property]) => !isAlias(names, name, property))
      .map(([name, property]) => {
        const { description, ...flat } = flatten(property, depth)
        const isListing = listsFields(description, objectOf(property["items"]))
        const text = isListing ? description : depth === 1 ? shortDescription(name, description) : undefined
        return [name, text === undefined ? flat : { ...flat, description: text }]
      })
  )
}

/** Whether the description of a list names every field of its items, which are then omitted. */
const listsFields = (description: unknown, items: JsonSchema): boolean => {
  const names = properties(items).map(([name]) => name)
  return (
    typeof description === "string" && names.length > 0 && names.every((name) => wordsOf(description).includes(name))
  )
}

/** Flattens an input schema. `depth` is 0 for the input itself. */
const flatten = (schema: JsonSchema, depth: number): JsonSchema => {
  const { anyOf, ...own } = schema
  const node = Array.isArray(anyOf) ? { ...shownMember(anyOf), ...own } : own
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (!kept.has(key)) continue
    if (key === "type") flat[key] = typeOf(value)
    else if (key === "enum" && Array.isArray(value)) flat[key] = value.filter((choice) => choice !== null)
    else if (key === "properties") flat[key] = flattenProperties(node, depth + 1)
    else if (key === "items" && Predicate.isReadonlyObject(value)) {
      const { additionalProperties: __, description: _, ...item } = flatten(value, depth + 1)
      flat[key] = listsFields(node["description"], value) ? { type: "object" } : item
    } else if (key === "additionalProperties" && Predicate.isReadonlyObject(value))
      flat[key] = flatten(value, depth + 1)
    else flat[key] = value
  }
  return flat
}

/** The options of every tool. */
export const optionProperties = {
  response_profile: { type: "string", enum: ["full", "compact"] },
  dry_run: { type: "boolean" }
} as const

const required = (names: unknown): JsonSchema => (Array.isArray(names) && names.length > 0 ? { required: names } : {})

/** The schema without some of its properties; `list.field` is a field of the items of a list. */
const without = (schema: JsonSchema, unlisted: ReadonlyArray<string>): JsonSchema => {
  if (unlisted.length === 0) return schema
  const shown = properties(schema).flatMap(([name, property]) => {
    if (unlisted.includes(name)) return []
    const prefix = `${name}.`
    const inner = unlisted.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
    const { items } = property
    return Predicate.isReadonlyObject(items)
      ? [[name, { ...property, items: without(items, inner) }] as const]
      : [[name, property] as const]
  })
  return { ...schema, properties: Object.fromEntries(shown) }
}

/** The input schema of a tool. `unlisted` fields are accepted without being shown. */
export const toolInputSchema = (schema: JsonSchema, unlisted: ReadonlyArray<string> = []): JsonSchema => {
  const flat = flatten(without(schema, unlisted), 0)
  return {
    type: "object",
    properties: { ...objectOf(flat["properties"]), ...optionProperties },
    ...required(flat["required"]),
    additionalProperties: false
  }
}

/** An output with more required fields than this is described only as an object. */
const maxRequired = 3

const isNullable = (schema: unknown): boolean =>
  Predicate.isReadonlyObject(schema) &&
  (schema["type"] === "null" || (Array.isArray(schema["anyOf"]) && schema["anyOf"].some(isNullable)))

/** The output schema of a tool: its fields that are never null. The whole schema would cost more tokens than all the inputs. */
export const toolOutputSchema = (schema: JsonSchema): JsonSchema => {
  const fields = Object.fromEntries(properties(schema))
  const names = Array.isArray(schema["required"]) ? schema["required"] : []
  const shown = names.filter((name) => !isNullable(fields[String(name)]))
  return { type: "object", ...(shown.length > maxRequired ? {} : required(shown)) }
}
