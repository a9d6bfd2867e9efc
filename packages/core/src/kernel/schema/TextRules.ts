/**
 * The rules of the text fields, on plain strings: what can be stored, and what is a URL, a language tag, a time zone or a
 * date-time. No function throws; each is linear in the length of the text.
 */
import * as Result from "effect/Result"
import { isoFromMillis } from "./IdsAndTime.ts"

export { quote } from "./plainJson.ts"

/** The number of Unicode code points of a text. A lone surrogate counts as one. */
export const codePointLength = (text: string): number => {
  let length = 0
  // Much faster than the text's iterator.
  for (let index = 0; index < text.length; length++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return length
}

/**
 * Why a text cannot be stored, as "Expected …": a lone surrogate, or a control character below U+0020 other than tab, line
 * feed and carriage return. Undefined if the text can be stored.
 */
export const refuseCharacters = (text: string): string | undefined => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) {
      return `Expected text without control characters, got ${codePointName(unit)} at index ${index}`
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = text.charCodeAt(index + 1)
      if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) {
        return `Expected well-formed Unicode, got half of a surrogate pair (${codePointName(unit)}) at index ${index}`
      }
      index++
    }
  }
  return undefined
}

/** A code point or unit as it is written: U+200B. */
export const codePointName = (unit: number): string => `U+${unit.toString(16).toUpperCase().padStart(4, "0")}`

/** True for an absolute `http` or `https` URL without user name or password. */
export const isHttpUrl = (text: string): boolean => {
  const authority = /^https?:\/\/([^\s/?#\\]+)(?:[/?#]\S*)?$/i.exec(text)?.[1]
  return authority !== undefined && !authority.includes("@") && parseUrl(text) !== undefined
}

/** Pattern of a language tag. Its language subtag has two or three letters, as all registered languages do. */
export const languageTagPattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"

/** True for a BCP 47 language tag such as `en`, `fr-FR` or `zh-Hant`. */
export const isLanguageTag = (text: string): boolean => {
  if (text.length > 64 || !new RegExp(languageTagPattern).test(text)) return false
  return Result.isSuccess(Result.try(() => Intl.getCanonicalLocales(text)))
}

/** Pattern of an IANA time zone name. It does not match offsets such as `+01:00`. */
export const timeZonePattern = "^[A-Za-z][A-Za-z0-9_+/-]*$"

/** True for a time zone name of the IANA database, in any case. */
export const isTimeZone = (text: string): boolean => {
  if (text.length > 64 || !new RegExp(timeZonePattern).test(text)) return false
  return Result.isSuccess(Result.try(() => new Intl.DateTimeFormat("en", { timeZone: text })))
}

/**
 * Converts an RFC 3339 date-time with seconds and offset to UTC with milliseconds and `Z`; finer fractions are cut. Returns
 * undefined for any other text, for a date or time that does not exist, and outside the years 1900 to 2200.
 */
export const utcInstant = (text: string): string | undefined => {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i.exec(text)
  if (parts === null) return undefined
  const [, wallClock = "", fraction = "", sign = "+", hours = "0", minutes = "0"] = parts
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = wallClock.split(/[-T:]/i).map(Number)
  const local = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction.padEnd(3, "0").slice(0, 3)))
  // Date.UTC rolls over dates and times that do not exist (30 February, 24:00); the round trip detects it.
  if (!isoFromMillis(local).startsWith(wallClock.toUpperCase())) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const instant = isoFromMillis(sign === "-" ? local + offset : local - offset)
  return instant >= "1900" && instant < "2201" ? instant : undefined
}

/** Maximum characters of a text in the compact profile. */
export const shortLength = 280

/** The text, cut with an ellipsis if it is longer. */
export const shorten = (text: string): string =>
  text.length > shortLength ? `${text.slice(0, shortLength - 1).trimEnd()}…`.toWellFormed() : text

/** A whole number with commas, as in 2,500. `toLocaleString` would load the data of locales at each start, which takes 6 ms. */
export const thousands = (whole: number): string => String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

// Removes characters that a person cannot see from text by strangers, before a person or a model reads it.
//
// Control, invisible and bidirectional characters can hide instructions in messages and profiles. Stored text does not
// change.

const controls = /(?![\t\n\r])\p{Cc}/gu

const lines = /[\u2028\u2029]/g

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufff9-\ufffb]/u

const everyInvisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufff9-\ufffb]/gu

const pictograph = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u

const pictographNext = /^\p{Extended_Pictographic}/u

/** A letter of a script whose letters joiners shape. */
export const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u

/** Whether a joiner is part of the writing: inside an emoji, or between letters of some scripts. */
const belongs = (mark: string, before: string, after: string): boolean => {
  if (mark === "\ufe0f") return /[\p{Extended_Pictographic}0-9#*]$/u.test(before)
  if (mark === "\u200d" && pictograph.test(before) && pictographNext.test(after)) return true
  return (mark === "\u200d" || mark === "\u200c") && joining.test(before) && joining.test(after)
}

/** The text without control and invisible characters. */
export const visibleText = (text: string): string => {
  const plain = text.toWellFormed().replaceAll(controls, "").replaceAll(lines, "\n")
  if (!invisible.test(plain)) return plain
  return plain.replaceAll(everyInvisible, (mark, index: number) => {
    const before = plain.slice(Math.max(0, index - 2), index)
    const after = plain.slice(index + mark.length, index + mark.length + 2)
    return belongs(mark, before, after) ? mark : ""
  })
}

/**
 * The URL in a text; undefined if it is none. `URL.canParse` will not do: in Node 20 and 22 it refuses every text with a letter
 * such as ü as soon as the engine has optimized the caller.
 */
export const parseUrl = (text: string): URL | undefined => Result.getOrUndefined(Result.try(() => new URL(text)))

/** A text as it is compared: providers change line ends and white space at the edges. */
export const comparable = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim()

/** The text with percent-encoded UTF-8 decoded once, or undefined if a sequence is invalid. */
export const decodePercent = (text: string): string | undefined =>
  text.includes("%") ? Result.getOrUndefined(Result.try(() => decodeURIComponent(text))) : text

/** Whether a host of a URL or a setting is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|\[::1\]|::1|127(?:\.[0-9]{1,3}){3})$/i.test(host)
