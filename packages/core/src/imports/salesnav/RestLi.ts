/**
 * The literal notation that LinkedIn puts into the `query` parameter of a search address: read and printed.
 *
 * A value is a record `(key:value,…)`, a list `List(item,…)` or a scalar: bare text, percent-encoded once. This module
 * works on the text after the outer URL encoding was taken off. One invariant: `parse(format(value))` gives the value
 * back. Reading is one pass over the text and at most 32 levels deep.
 *
 * Source: G19; the empty scalar `''` and the encoded apostrophe are those of the Rest.li 2.0 protocol.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { quote } from "../../Quote.ts"

/** One `key:value` of a record. */
export type RestLiField = readonly [key: string, value: RestLiValue]

/** A value of the notation. Scalars hold decoded text; a record keeps the order of its fields and repeats no key. */
export type RestLiValue =
  | { readonly _tag: "Scalar"; readonly text: string }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<RestLiValue> }
  | { readonly _tag: "Record"; readonly fields: ReadonlyArray<RestLiField> }

/** Makes a scalar of plain (not encoded) text. */
export const scalar = (text: string): RestLiValue => ({ _tag: "Scalar", text })

/** Makes a list. */
export const list = (items: ReadonlyArray<RestLiValue>): RestLiValue => ({ _tag: "List", items })

/** Makes a record. The caller sees to it that no key comes twice. */
export const record = (fields: ReadonlyArray<RestLiField>): RestLiValue => ({ _tag: "Record", fields })

/** The deepest nesting of records and lists that {@link parse} follows. LinkedIn's own addresses use five. */
export const maxDepth = 32

interface Cursor {
  readonly text: string
  at: number
}

const refuse = (cursor: Cursor, expected: string): Result.Result<never, Failure> => {
  const found = cursor.at < cursor.text.length ? quote(cursor.text.slice(cursor.at, cursor.at + 20)) : "the end"
  return Result.fail(
    fail(
      "INVALID_INPUT",
      `At character ${cursor.at + 1} of the search query: expected ${expected}, found ${found}. ` +
        "Copy the whole address from the browser; a comma or parenthesis inside a text is written %252C, %2528, %2529."
    )
  )
}

const skipSpaces = (cursor: Cursor): void => {
  while (cursor.text[cursor.at] === " ") cursor.at++
}

// Sequences that are not UTF-8, or a lone "%", stay as they are: some tools encode texts once only, so "100%" arrives bare.
const decode = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })

const readText = (cursor: Cursor, stops: string): string => {
  const start = cursor.at
  while (cursor.at < cursor.text.length && !stops.includes(cursor.text.charAt(cursor.at))) cursor.at++
  return cursor.text.slice(start, cursor.at).trim()
}

const readField = (cursor: Cursor, keys: Set<string>, depth: number): Result.Result<RestLiField, Failure> => {
  skipSpaces(cursor)
  const start = cursor.at
  const key = decode(readText(cursor, ":,()"))
  if (key === "") return refuse(cursor, "a key")
  if (cursor.text[cursor.at] !== ":") return refuse(cursor, '":" after a key')
  if (keys.has(key)) return refuse({ ...cursor, at: start }, "each key once")
  keys.add(key)
  cursor.at++
  return Result.map(readValue(cursor, depth, true), (value) => [key, value] as const)
}

/** Reads `item,…)` from after the opening parenthesis to after the closing one. */
const readItems = <A>(
  cursor: Cursor,
  readItem: () => Result.Result<A, Failure>
): Result.Result<ReadonlyArray<A>, Failure> => {
  const items: Array<A> = []
  skipSpaces(cursor)
  if (cursor.text[cursor.at] === ")") {
    cursor.at++
    return Result.succeed(items)
  }
  while (true) {
    const item = readItem()
    if (Result.isFailure(item)) return Result.fail(item.failure)
    items.push(item.success)
    skipSpaces(cursor)
    const next = cursor.text[cursor.at]
    if (next !== "," && next !== ")") return refuse(cursor, '"," or ")"')
    cursor.at++
    if (next === ")") return Result.succeed(items)
  }
}

const readValue = (cursor: Cursor, depth: number, emptyAllowed: boolean): Result.Result<RestLiValue, Failure> => {
  skipSpaces(cursor)
  const isList = cursor.text.startsWith("List(", cursor.at)
  if (isList || cursor.text[cursor.at] === "(") {
    if (depth >= maxDepth) return refuse(cursor, `at most ${maxDepth} levels of parentheses`)
    cursor.at += isList ? 5 : 1
    if (isList)
      return Result.map(
        readItems(cursor, () => readValue(cursor, depth + 1, false)),
        list
      )
    const keys = new Set<string>()
    return Result.map(
      readItems(cursor, () => readField(cursor, keys, depth + 1)),
      record
    )
  }
  // A colon may stand inside a scalar: URNs arrive with theirs when only the outer encoding was applied.
  const text = readText(cursor, ",()")
  if (text === "" && !emptyAllowed) return refuse(cursor, "a value")
  return Result.succeed(scalar(text === "''" ? "" : decode(text)))
}

/**
 * Reads one value that takes up the whole text. The text is the `query` parameter with the outer URL encoding removed.
 * Spaces around punctuation are ignored. Linear in the length of the text.
 *
 * Fails with `INVALID_INPUT`, naming the character (counted from 1), what was expected there and the next step.
 */
export const parse = (text: string): Result.Result<RestLiValue, Failure> => {
  const cursor: Cursor = { text, at: 0 }
  const value = readValue(cursor, 0, false)
  if (Result.isFailure(value)) return value
  skipSpaces(cursor)
  return cursor.at < text.length ? refuse(cursor, "nothing more") : value
}

/** As `encodeURIComponent`, but half a surrogate pair, which cannot be encoded, becomes U+FFFD instead of an exception. */
export const percentEncode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

const encodeScalar = (text: string): string =>
  percentEncode(text).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

/** Prints a value so that {@link parse} reads it back. The outer URL encoding is left to the caller. */
export const format = (value: RestLiValue): string => {
  switch (value._tag) {
    case "Scalar":
      return value.text === "" ? "''" : encodeScalar(value.text)
    case "List":
      return `List(${value.items.map(format).join(",")})`
    case "Record":
      return `(${value.fields.map(([key, field]) => `${encodeScalar(key)}:${format(field)}`).join(",")})`
  }
}
