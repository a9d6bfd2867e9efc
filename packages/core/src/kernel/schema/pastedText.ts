/**
 * Cleans up pasted identifiers: removes invisible characters, decodes percent-encoding, quotes safely.
 *
 * Each function is linear in its input and never throws.
 */
import { quote } from "./Quote.ts"

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

/** The text with percent-encoded UTF-8 decoded once, or undefined if a sequence is invalid. */
export const decodePercent = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The first 99 characters of an input, quoted and escaped, for a message. */
export const excerpt = (input: string): string => quote(input, 99)
