/**
 * Finds input that is too large to decode, from the published JSON Schema alone: lists and maps over their maximum, and
 * objects with more unknown fields than a message shows.
 *
 * Decoding reports every problem, so its cost grows with the number of problems. This check limits it to what the schema
 * allows.
 */
import * as Predicate from "effect/Predicate"
import type { JsonSchema } from "./JsonSchema.ts"

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
