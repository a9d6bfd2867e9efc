/**
 * The string fields of every domain schema.
 *
 * One invariant: a text is stored exactly as it was sent, or it is refused. Only Unicode NFC and, in single-line fields,
 * surrounding white space may change it. Encoded and decoded sides are both `string`, so the published JSON Schema is one
 * flat `{ "type": "string", … }`. Limits are Unicode code points, and hold for the text as sent and as stored.
 *
 * What is published is the encoded side: give a field's description as the last argument, or with
 * `httpUrl.pipe(Schema.annotateEncoded({ description: "…" }))`. A plain `.annotate` is not published.
 *
 * Source: contract section 7 "Text"; lengths G29.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import {
  codePointLength,
  isHttpUrl,
  isLanguageTag,
  isTimeZone,
  languageTagPattern,
  refuseCharacters,
  timeZonePattern,
  utcInstant
} from "./TextRules.ts"

export { jsonObject } from "./JsonObject.ts"

/** A text field: `string` on the wire, `string` inside. */
export interface TextField extends Schema.decodeTo<Schema.String, Schema.String> {}

/** Says in words what was expected of a text that is refused ("Expected …"); `undefined` when it is not. */
type Refusal = (text: string) => string | undefined

const textField = (field: {
  readonly normalize: (text: string) => string
  /** Tried in turn, on the text as sent and again on its normal form. The first must bound the length. */
  readonly refuse: ReadonlyArray<Refusal>
  readonly published: Record<string, unknown>
  readonly description: string | undefined
}): TextField => {
  const refusals = [...field.refuse, refuseCharacters]
  const firstRefusal: Refusal = (text) => {
    for (const refuse of refusals) {
      const message = refuse(text)
      if (message !== undefined) return message
    }
    return undefined
  }
  const check = (description: string | undefined) =>
    Schema.makeFilter(firstRefusal, {
      toJsonSchema: () => field.published,
      ...(description === undefined ? {} : { description })
    })
  // The check of the sent text bounds the work of NFC, which grows with the square of a run of combining marks.
  return Schema.String.check(check(field.description)).pipe(
    Schema.decodeTo(
      Schema.String.check(check(undefined)),
      SchemaTransformation.transform({ decode: field.normalize, encode: (text) => text })
    )
  )
}

const trimmed = (text: string): string => text.trim().normalize("NFC")

const composed = (text: string): string => text.normalize("NFC")

const atMost =
  (max: number): Refusal =>
  (text) => {
    if (text.length <= max) return undefined
    const length = codePointLength(text)
    return length <= max ? undefined : `Expected at most ${max} characters, got ${length}`
  }

const atMostUnits =
  (max: number): Refusal =>
  (text) =>
    text.length <= max
      ? undefined
      : `Expected at most ${max} characters in UTF-16 (most emoji count twice), got ${text.length}`

const hasNoLineBreak: Refusal = (text) =>
  /[\n\r]/.test(text.trim()) ? "Expected one line, got a line break inside the text" : undefined

const hasText: Refusal = (text) => (text.trim() === "" ? "Expected text that is more than white space" : undefined)

const expect =
  (holds: (text: string) => boolean, expectation: string): Refusal =>
  (text) =>
    holds(text.trim()) ? undefined : `Expected ${expectation}`

const filled = (max: number) => ({ minLength: 1, maxLength: max, pattern: "\\S" })

/**
 * One line of text such as a name or a title: trimmed, NFC, at most `max` code points, may be empty. Refuses line breaks
 * inside the text and control characters; a tab inside is kept.
 */
export const line = (max: number, description?: string): TextField =>
  textField({ normalize: trimmed, refuse: [atMost(max), hasNoLineBreak], published: { maxLength: max }, description })

/** As {@link line}, with at least one character that is not white space. */
export const nonEmptyLine = (max: number, description?: string): TextField =>
  textField({
    normalize: trimmed,
    refuse: [atMost(max), hasNoLineBreak, hasText],
    published: filled(max),
    description
  })

/** Text of any number of lines, kept exactly (white space included) but for NFC; at most `max` code points, may be empty. */
export const body = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMost(max)], published: { maxLength: max }, description })

/** As {@link body}, with at least one character that is not white space. */
export const nonEmptyBody = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMost(max), hasText], published: filled(max), description })

/** As {@link nonEmptyBody}, but `max` counts UTF-16 code units, as LinkedIn does. Source: G29. */
export const nonEmptyMessage = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMostUnits(max), hasText], published: filled(max), description })

const maxUrl = 2_048
const urlPattern = "[Hh][Tt][Tt][Pp][Ss]?://\\S+"
const urlExpectation = "an http or https address without user name or password, such as https://example.com/page"

/** An `http` or `https` address with a host, without user name or password, at most 2,048 characters; its text is kept. */
export const httpUrl: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(maxUrl), expect(isHttpUrl, urlExpectation)],
  published: { maxLength: maxUrl, pattern: `^${urlPattern}$` },
  description: "http or https address."
})

/** As {@link httpUrl}, or an empty string: the form of fields that answer `""` while unset. Source: G31. */
export const httpUrlOrEmpty: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(maxUrl), expect((text) => text === "" || isHttpUrl(text), `${urlExpectation}, or an empty text`)],
  published: { maxLength: maxUrl, pattern: `^(${urlPattern})?$` },
  description: "http or https address, or empty."
})

/** A BCP 47 language tag, kept as written. Names such as `english` are refused: see {@link languageTagPattern}. */
export const languageTag: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(64), expect(isLanguageTag, "a BCP 47 language tag such as en, fr-FR or zh-Hant")],
  published: { maxLength: 64, pattern: languageTagPattern },
  description: "BCP 47 language tag, for example en or fr-FR."
})

/** An IANA time zone name, kept as written. Offsets such as `+01:00` are refused. */
export const timeZone: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(64), expect(isTimeZone, "an IANA time zone name such as Europe/Berlin or UTC")],
  published: { maxLength: 64, pattern: timeZonePattern },
  description: "IANA time zone name, for example Europe/Berlin."
})

/** An instant, written as RFC 3339 and decoded to UTC with milliseconds and `Z`: see {@link utcInstant}. Source: G42. */
export const isoDateTime: TextField = textField({
  normalize: (text) => utcInstant(text.trim()) ?? text,
  refuse: [
    atMost(64),
    expect(
      (text) => utcInstant(text) !== undefined,
      "an ISO 8601 date-time with offset in the years 1900 to 2200, such as 2026-01-31T09:30:00Z"
    )
  ],
  published: { format: "date-time" },
  description: "ISO 8601 date-time with offset, for example 2026-01-31T09:30:00Z."
})
