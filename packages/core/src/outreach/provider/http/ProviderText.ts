/**
 * Reading what a provider answers as the words of a stranger: unknown members are ignored, members of a wrong type
 * count as absent, ids are short and printable, and texts can be stored.
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parseUrl } from "../../../kernel/schema/parseUrl.ts"

/** A member that counts as absent when it is missing, null or of a wrong type. */
export const soft = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.catchDecoding<S>(() => Effect.succeedNone)(schema))

/** An id of a provider: 1 to 256 visible ASCII characters. */
export const ProviderId = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,256}$/, { expected: "an id of 1 to 256 visible ASCII characters" })
)

/**
 * A text that every store can hold: without NUL, with unpaired surrogates replaced, and cut to `most` UTF-16 units
 * (never through a pair).
 */
export const storable = (text: string, most: number): string => {
  const whole = text.replaceAll("\u0000", "").toWellFormed()
  if (whole.length <= most) return whole
  const last = whole.charCodeAt(most - 1)
  return whole.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** A web address as given, when it is one of http or https with at most 2,000 characters; else null. */
export const httpUrlOrNull = (text: string | undefined): string | null => {
  if (text === undefined || text.length > 2_000 || !/^https?:\/\//i.test(text)) return null
  return parseUrl(text) === undefined ? null : storable(text, 2_000)
}

/** Reads JSON; undefined for anything else. */
export const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The rows that fit the schema; the others are left out. */
export const rowsOf = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  rows: ReadonlyArray<unknown>
): ReadonlyArray<S["Type"]> => {
  const decode = Schema.decodeUnknownOption(schema)
  const read: Array<S["Type"]> = []
  for (const row of rows) {
    const one = decode(row)
    if (Option.isSome(one)) read.push(one.value)
  }
  return read
}
