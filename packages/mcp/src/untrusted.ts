/**
 * Which fields of an output hold text that the service did not write: of people's profiles, messages, notes, imported values, and
 * of whoever wrote an offer or a persona. By the output's schema, since a text itself can claim to be anything.
 */
import type { JsonSchema } from "@svc/core"
import * as Predicate from "effect/Predicate"
import { snakeCase } from "./agentView.ts"
import { objectOf } from "./JsonRpc.ts"

/** Names of what the service makes: ids, times, hashes, cursors, codes. A custom id is the customer's text. */
const made = /^(?!custom_)(?:\w+_)?(?:ids?|at|hash|cursor|type|outcome|version|code)$/

/** The alternatives of a schema. */
const membersOf = (schema: unknown): ReadonlyArray<JsonSchema> => {
  if (!Predicate.isReadonlyObject(schema)) return []
  const { anyOf } = schema
  return Array.isArray(anyOf) ? anyOf.flatMap(membersOf) : [schema]
}

/** Whether a text can only be one of known words or a time. */
const isClosed = (schemas: ReadonlyArray<JsonSchema>): boolean => {
  const texts = schemas.filter(({ type }) => [type].flat().includes("string") || type === undefined)
  return texts.length > 0 && texts.every((one) => "enum" in one || "const" in one || one["format"] === "date-time")
}

/** The schemas of a field, whose name may be in the spelling of either. */
const fieldOf = (schemas: ReadonlyArray<JsonSchema>, name: string): ReadonlyArray<JsonSchema> =>
  schemas.flatMap(({ properties }) =>
    Object.entries(objectOf(properties)).flatMap(([given, field]) =>
      snakeCase(given) === name ? membersOf(field) : []
    )
  )

/**
 * The paths of fields with such text in a view of an output: `leads[].name`. The names in a map, such as the columns of a file, are
 * such text themselves, so each is `*`. What the schema does not describe is named as a whole.
 */
export const untrustedFields = (schema: JsonSchema, data: unknown): ReadonlyArray<string> => {
  const found = new Set<string>()
  const walk = (value: unknown, schemas: ReadonlyArray<JsonSchema>, path: string, name: string): void => {
    if (typeof value === "string") {
      if (!made.test(name) && !isClosed(schemas)) found.add(path)
    } else if (Array.isArray(value)) {
      const items = schemas.flatMap((one) => membersOf(one["items"]))
      for (const item of value) walk(item, items, `${path}[]`, name)
    } else if (Predicate.isReadonlyObject(value)) {
      const isRecord = schemas.some(({ properties }) => properties !== undefined)
      const inMap = schemas.flatMap(({ additionalProperties }) => membersOf(additionalProperties))
      if (!isRecord && inMap.length === 0) return void found.add(path)
      for (const [given, field] of Object.entries(value)) {
        const shown = isRecord ? given : "*"
        const inner = isRecord ? fieldOf(schemas, snakeCase(given)) : inMap
        walk(field, inner, path === "" ? shown : `${path}.${shown}`, shown)
      }
    }
  }
  walk(data, membersOf(schema), "", "")
  return [...found]
}
