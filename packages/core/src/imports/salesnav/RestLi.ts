/**
 * Parser and formatter of the notation in the `query` parameter of LinkedIn search URLs.
 *
 * A value is a record `(key:value,…)`, a list `List(item,…)` or a scalar: bare text, percent-encoded once. Works on the
 * text without the outer URL encoding. `parse(format(value))` returns the value. Parsing is linear, up to 32 levels deep.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { decodePercent, quote } from "../../kernel/schema/TextRules.ts"

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

/** Makes a record. Keys must be unique. */
export const record = (fields: ReadonlyArray<RestLiField>): RestLiValue => ({ _tag: "Record", fields })

/** Maximum nesting in {@link parse}. LinkedIn's own URLs use five levels. */
export const maxDepth = 32

interface Cursor {
  readonly text: string
  at: number
}

const refuse = (cursor: Cursor, expected: string): Result.Result<never, InvalidInput> => {
  const found = cursor.at < cursor.text.length ? quote(cursor.text.slice(cursor.at, cursor.at + 20)) : "the end"
  return Result.fail(
    new InvalidInput({
      message:
        `At character ${cursor.at + 1} of the search query: expected ${expected}, found ${found}. Copy the complete URL ` +
        "from the browser; write a comma or parenthesis inside a text as %252C, %2528 or %2529."
    })
  )
}

const skipSpaces = (cursor: Cursor): void => {
  while (cursor.text[cursor.at] === " ") cursor.at++
}

// Invalid UTF-8 and a lone "%" stay: some tools encode texts only once, so "100%" arrives bare.
const decode = (text: string): string => text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => decodePercent(run) ?? run)

const readText = (cursor: Cursor, stops: string): string => {
  const start = cursor.at
  while (cursor.at < cursor.text.length && !stops.includes(cursor.text.charAt(cursor.at))) cursor.at++
  return cursor.text.slice(start, cursor.at).trim()
}

const readField = (cursor: Cursor, keys: Set<string>, depth: number): Result.Result<RestLiField, InvalidInput> => {
  skipSpaces(cursor)
  const start = cursor.at
  const key = decode(readText(cursor, ":,()"))
  if (key === "") return refuse(cursor, "a key")
  if (cursor.text[cursor.at] !== ":") return refuse(cursor, '":" after a key')
  if (keys.has(key)) return refuse({ ...cursor, at: start }, "each key at most once")
  keys.add(key)
  cursor.at++
  return Result.map(readValue(cursor, depth, true), (value) => [key, value] as const)
}

/** Reads `item,…)` from after the opening parenthesis to after the closing one. */
const readItems = <A>(cursor: Cursor, readItem: () => Result.Result<A, InvalidInput>) =>
  Result.gen(function* () {
    const items: Array<A> = []
    skipSpaces(cursor)
    let next = cursor.text[cursor.at]
    if (next === ")") cursor.at++
    while (next !== ")") {
      items.push(yield* readItem())
      skipSpaces(cursor)
      next = cursor.text[cursor.at]
      if (next !== "," && next !== ")") return yield* refuse(cursor, '"," or ")"')
      cursor.at++
    }
    return items
  })

const readValue = (cursor: Cursor, depth: number, emptyAllowed: boolean): Result.Result<RestLiValue, InvalidInput> => {
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
  // A scalar may contain a colon, as in URNs when only the outer encoding was applied.
  const text = readText(cursor, ",()")
  if (text === "" && !emptyAllowed) return refuse(cursor, "a value")
  return Result.succeed(scalar(text === "''" ? "" : decode(text)))
}

/**
 * Parses the whole text. Ignores spaces around punctuation. Fails with INVALID_INPUT, with the position (from 1) and what
 * was expected there.
 */
export const parse = (text: string): Result.Result<RestLiValue, InvalidInput> => {
  const cursor: Cursor = { text, at: 0 }
  const value = readValue(cursor, 0, false)
  if (Result.isFailure(value)) return value
  skipSpaces(cursor)
  return cursor.at < text.length ? refuse(cursor, "nothing more") : value
}

/** Like `encodeURIComponent`, but replaces unpaired surrogates by U+FFFD instead of throwing. */
export const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed())

const encodeScalar = (text: string): string =>
  percentEncode(text).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

/** Formats a value for {@link parse}, without the outer URL encoding. */
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
