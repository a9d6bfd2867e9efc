/**
 * What every reader of pasted identifiers does first: drop what cannot be seen, undo percent-encoding, quote safely.
 *
 * Each function takes time linear in its input and never throws. Source: G13, G14, contract 7.
 */
import { quote } from "../../Quote.ts"

// Soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width and bidi controls, invisible operators, BOM.
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** The text without zero-width and bidi control characters, in NFC, without surrounding white space. */
export const cleanPasted = (input: string): string => input.replace(invisible, "").normalize("NFC").trim()

const wrapping = /[\s<>"']/

/** The text without the white space, quotes and angle brackets that mail programs put around an address. */
export const unwrap = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && wrapping.test(text.charAt(start))) start++
  while (end > start && wrapping.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Whether the text holds a control character or half of a surrogate pair, which no identifier may. */
export const hasForbiddenCharacter = (text: string): boolean => /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)

/** The text with its percent-encoded UTF-8 decoded once, or undefined when a sequence is broken. */
export const decodePercent = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** At most the first 100 characters of some input, in double quotes and escaped, for use in a message. */
export const excerpt = (input: string): string => quote(input, 99)
