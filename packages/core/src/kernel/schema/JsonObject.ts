/** Free-form JSON objects, such as a reference's `metadata`: stored exactly as sent, or refused. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** Schema of a {@link jsonObject}: the same object on the wire and inside. */
type JsonObjectField = Schema.refine<Schema.JsonObject, Schema.$Record<Schema.String, Schema.Unknown>>

/**
 * A JSON object of at most `maxBytes` bytes (UTF-8 of its compact JSON text) and at most `maxDepth` levels, counting the
 * object itself as 1. Its numbers are finite, its texts and keys are well-formed Unicode without NUL, and no key is
 * `__proto__`. A value that is not JSON (a date, a class instance, `undefined`, a cycle) is refused.
 */
export const jsonObject = (maxBytes: number, maxDepth: number, description?: string): JsonObjectField => {
  const check = Schema.makeFilter(
    (value: unknown) => jsonRefusal(value, maxBytes, maxDepth),
    { toJsonSchema: () => [{}, true], ...(description === undefined ? {} : { description }) },
    true
  )
  return Schema.Record(Schema.String, Schema.Unknown)
    .check(check)
    .pipe(
      Schema.refine((value): value is Schema.JsonObject => jsonRefusal(value, maxBytes, maxDepth) === undefined, {
        toJsonSchema: () => [{}, true]
      })
    )
}

/** Why a value is refused, as "Expected …"; undefined if it is accepted. Never throws on cycles. */
const jsonRefusal = (root: unknown, maxBytes: number, maxDepth: number): string | undefined => {
  // A work list instead of recursion, so that hostile nesting cannot exhaust the stack.
  const open: Array<readonly [value: unknown, depth: number]> = [[root, 1]]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    const refusal = leafRefusal(value)
    if (refusal !== undefined) return refusal
    if (typeof value !== "object" || value === null) continue
    if (depth > maxDepth) return `Expected an object nested at most ${maxDepth} levels deep`
    // Every member takes at least two bytes of JSON, so more members than bytes are too many; this bounds the walk.
    for (const [key, member] of Object.entries(value)) {
      const keyRefusal = Array.isArray(value) ? undefined : refuseKey(key)
      if (keyRefusal !== undefined) return keyRefusal
      if (++nodes > maxBytes) return tooLarge(maxBytes)
      open.push([member, depth + 1])
    }
  }
  return byteLength(JSON.stringify(root)) > maxBytes ? tooLarge(maxBytes) : undefined
}

const tooLarge = (maxBytes: number): string => `Expected an object of at most ${maxBytes} bytes as JSON`

const leafRefusal = (value: unknown): string | undefined => {
  if (typeof value === "string") return refuseText(value, "texts")
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "Expected finite numbers"
  if (value === null || typeof value === "boolean" || isPlain(value)) return undefined
  return "Expected JSON values only (objects, arrays, strings, finite numbers, booleans and null)"
}

const isPlain = (value: unknown): boolean => {
  if (Array.isArray(value)) return true
  if (!Predicate.isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const refuseKey = (key: string): string | undefined =>
  key === "__proto__" ? "Expected no key named __proto__" : refuseText(key, "keys")

const refuseText = (text: string, what: string): string | undefined => {
  if (text.includes("\u0000")) return `Expected ${what} without the NUL character`
  return /\p{Surrogate}/u.test(text)
    ? `Expected ${what} of well-formed Unicode, got half of a surrogate pair`
    : undefined
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length
