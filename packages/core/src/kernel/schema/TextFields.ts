/**
 * The string fields of every domain schema.
 *
 * A text is stored exactly as it was sent, or refused. Only Unicode NFC and, in single-line fields, trimming change it. The
 * encoded and the decoded side are both `string`, so the published JSON Schema is a flat `{ "type": "string", … }`.
 * Limits are in Unicode code points, and apply to the text as sent and as stored.
 *
 * The encoded side is published: give a field's description as the last argument, or with {@link described}. A plain `.annotate` is
 * not published.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Rules from "./TextRules.ts"

export { jsonObject } from "./Json.ts"

/** A text field: a `string` both encoded and decoded. */
export interface TextField extends Schema.decodeTo<Schema.String, Schema.String> {}

/** Why a text is refused, as "Expected …"; undefined if it is accepted. */
type Refusal = (text: string) => string | undefined

const textField = (field: {
  readonly normalize: (text: string) => string
  /** Checked in order, on the text as sent and again on its normal form. The first must limit the length. */
  readonly refuse: ReadonlyArray<Refusal>
  readonly published: Record<string, unknown>
  readonly description: string | undefined
}): TextField => {
  const refusals = [...field.refuse, Rules.refuseCharacters]
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
  // Checking the text as sent bounds the cost of NFC, which is quadratic in a run of combining marks.
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
    const length = Rules.codePointLength(text)
    return length <= max ? undefined : `Expected at most ${max} characters, got ${length}`
  }

const atMostUnits =
  (max: number): Refusal =>
  (text) =>
    text.length <= max
      ? undefined
      : `Expected at most ${max} characters in UTF-16 (most emoji count twice), got ${text.length}`

const isOneLine: Refusal = (text) => {
  const inside = text.trim()
  if (/[\n\r\u0085\u2028\u2029]/.test(inside)) return "Expected a single line without line breaks"
  return /[\u007f-\u009f]/.test(inside) ? "Expected text without control characters" : undefined
}

const hasText: Refusal = (text) => (text.trim() === "" ? "Expected more than white space" : undefined)

const expect =
  (holds: (text: string) => boolean, expectation: string): Refusal =>
  (text) =>
    holds(text.trim()) ? undefined : `Expected ${expectation}`

const filled = (max: number) => ({ minLength: 1, maxLength: max, pattern: "\\S" })

/**
 * One line of text such as a name or a title: trimmed, NFC, at most `max` code points, may be empty. Line breaks inside it
 * (including U+0085, U+2028 and U+2029) and control characters are refused; tabs are kept.
 */
export const line = (max: number, description?: string): TextField =>
  textField({ normalize: trimmed, refuse: [atMost(max), isOneLine], published: { maxLength: max }, description })

/** Like {@link line}, with at least one character that is not white space. */
export const nonEmptyLine = (max: number, description?: string): TextField =>
  textField({
    normalize: trimmed,
    refuse: [atMost(max), isOneLine, hasText],
    published: filled(max),
    description
  })

/** Text of any number of lines, kept exactly except for NFC; at most `max` code points, may be empty. */
export const body = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMost(max)], published: { maxLength: max }, description })

/** Like {@link body}, with at least one character that is not white space. */
export const nonEmptyBody = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMost(max), hasText], published: filled(max), description })

/** Like {@link nonEmptyBody}, but `max` counts UTF-16 code units, as LinkedIn does. */
export const nonEmptyMessage = (max: number, description?: string): TextField =>
  textField({ normalize: composed, refuse: [atMostUnits(max), hasText], published: filled(max), description })

/** A text that matches a pattern, such as an id or a hash; errors say "Expected" and then `expected`. */
export const formatted = (pattern: RegExp, maxLength: number, expected: string) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => (text.length <= maxLength && pattern.test(text) ? undefined : `Expected ${expected}`),
      { toJsonSchema: () => ({ pattern: pattern.source, maxLength }) }
    )
  )

/** A field with another description. */
export const described = (field: TextField, description: string): TextField =>
  field.pipe(Schema.annotateEncoded({ description }))

/** An input field that may be left out; its description is published if it is no text field. */
export const optional = <S extends Schema.Top>(field: S, description: string) =>
  Schema.optionalKey(field.annotate({ description }))

const maxUrl = 2_048

const urlPattern = "[Hh][Tt][Tt][Pp][Ss]?://\\S+"

const urlExpectation = "an http or https URL without user name or password, such as https://example.com/page"

/** An `http` or `https` URL without user name or password, at most 2,048 characters, stored as written. */
export const httpUrl: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(maxUrl), expect(Rules.isHttpUrl, urlExpectation)],
  published: { maxLength: maxUrl, pattern: `^${urlPattern}$` },
  description: "http or https URL."
})

/** Like {@link httpUrl}, or an empty string, for fields that are `""` while unset. */
export const httpUrlOrEmpty: TextField = textField({
  normalize: trimmed,
  refuse: [
    atMost(maxUrl),
    expect((text) => text === "" || Rules.isHttpUrl(text), `${urlExpectation}, or an empty string`)
  ],
  published: { maxLength: maxUrl, pattern: `^(${urlPattern})?$` },
  description: "http or https URL, or empty."
})

/** A BCP 47 language tag, stored as written. Names such as `english` are refused. */
export const languageTag: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(64), expect(Rules.isLanguageTag, "a BCP 47 language tag such as en, fr-FR or zh-Hant")],
  published: { maxLength: 64, pattern: Rules.languageTagPattern },
  description: "BCP 47 language tag, for example en or fr-FR."
})

/** An IANA time zone name, stored as written. Offsets such as `+01:00` are refused. */
export const timeZone: TextField = textField({
  normalize: trimmed,
  refuse: [atMost(64), expect(Rules.isTimeZone, "an IANA time zone name such as Europe/Berlin or UTC")],
  published: { maxLength: 64, pattern: Rules.timeZonePattern },
  description: "IANA time zone name, for example Europe/Berlin."
})

/** An RFC 3339 date-time, decoded to UTC with milliseconds and `Z` by {@link utcInstant}. */
export const isoDateTime: TextField = textField({
  normalize: (text) => Rules.utcInstant(text.trim()) ?? text,
  refuse: [
    atMost(64),
    expect(
      (text) => Rules.utcInstant(text) !== undefined,
      "an ISO 8601 date-time with UTC offset in the years 1900 to 2200, such as 2026-01-31T09:30:00Z"
    )
  ],
  published: { format: "date-time", maxLength: 64 },
  description: "ISO 8601 date-time with UTC offset, for example 2026-01-31T09:30:00Z."
})

/** An input field with an {@link isoDateTime}, or a word that stands for one. */
export const dateTimeOr = (word: string, description: string): TextField =>
  textField({
    normalize: (text) => Rules.utcInstant(text.trim()) ?? text.trim(),
    refuse: [
      atMost(64),
      expect(
        (text) => text.trim() === word || Rules.utcInstant(text.trim()) !== undefined,
        `${word}, or an ISO 8601 date-time with UTC offset, such as 2026-01-31T09:30:00Z`
      )
    ],
    published: { maxLength: 64 },
    description
  })

/** {@link isoDateTime} as an input field. */
export const dateTime = (description: string) => isoDateTime.pipe(Schema.annotateEncoded({ description }))

// Finds placeholders that nobody filled in: `{{first_name}}`, `[Name]`, `%COMPANY%`, `<name>`, `TODO`.
//
// Text in brackets counts only if it reads like a name, so `[1]`, `[…]` and `[text](url)` do not. Linear in the length of
// the text: every pattern is bounded.

const names = `(?:first|last|full|your|company|prospect|lead)?[ _-]?(?:name|company|title|role|industry|city|date|link|url)`

const patterns = [
  String.raw`\$?\{\{[^{}\n]{0,80}\}\}`,
  String.raw`\$?\{[\p{L}_][\p{L}\p{N}_ .-]{0,40}\}`,
  String.raw`\[(?!sic\])[\p{L}_][\p{L}\p{N}_ .'’/-]{1,40}\](?!\()`,
  String.raw`(?<![\p{N}%])%[\p{L}_]{2,40}%`,
  `<{1,2}${names}>{1,2}`,
  String.raw`(?<![\p{L}\p{N}_])__[\p{L}][\p{L}_]{1,30}__(?![\p{L}\p{N}_])`,
  String.raw`(?<![\p{L}\p{N}])(?:x{3,20}|lorem ipsum|insert [\p{L} ]{1,30} here)(?![\p{L}\p{N}])`
]

const marks = new RegExp(patterns.join("|"), "giu")

/** Only in upper case: in lower case they are ordinary words. */
const notes = /(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME)(?![\p{L}\p{N}])/gu

/** The placeholders of a text in order, without repeats, at most `max`. */
export const findPlaceholders = (text: string, max = 5): ReadonlyArray<string> => {
  const found = [...text.matchAll(marks), ...text.matchAll(notes)].toSorted((a, b) => a.index - b.index)
  return [...new Set(found.map(([mark]) => mark))].slice(0, max)
}

// Cleans up pasted identifiers: removes invisible characters, decodes percent-encoding, quotes safely.
//
// Each function is linear in its input and never throws.

// Soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width and bidi controls, invisible operators, BOM.
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** The text without zero-width and bidi control characters, in NFC, without surrounding white space. */
export const cleanPasted = (input: string): string => input.replace(invisible, "").normalize("NFC").trim()

const wrapping = /[\s<>"']/

/** The text without surrounding white space, quotes and angle brackets, as mail programs add. */
export const unwrap = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && wrapping.test(text.charAt(start))) start++
  while (end > start && wrapping.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Whether the text contains a control character or half of a surrogate pair, which no identifier may. */
export const hasForbiddenCharacter = (text: string): boolean => /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)

/** The first 99 characters of an input, quoted and escaped, for a message. */
export const excerpt = (input: string): string => Rules.quote(input, 99)
