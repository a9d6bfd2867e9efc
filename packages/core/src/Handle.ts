/**
 * Handles: the public names of missions and agents in paths, such as `autumn-outreach-2`. A handle never changes.
 *
 * Source: G31, G32.
 */
import * as Schema from "effect/Schema"

const maxLength = 64
const pattern = "^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"

/** A handle: 1 to 64 characters of `a-z`, `0-9` and `-`, neither beginning nor ending with `-`. */
export const Handle = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isHandle(text) ? undefined : "Expected 1 to 64 characters of a-z, 0-9 and -, neither beginning nor ending with -",
    { toJsonSchema: () => ({ maxLength, pattern }), description: "Handle: lower-case letters, digits and hyphens." }
  )
)

/** True for a text that {@link Handle} takes. */
export const isHandle = (text: string): boolean => text.length <= maxLength && new RegExp(pattern).test(text)

/** Latin letters that Unicode does not decompose into a base letter and marks. */
const undecomposed: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ŧ: "t"
}

/**
 * Makes a handle from a name: `Zoë & Łukasz's Offer` becomes `zoe-lukaszs-offer`. Text in other scripts leaves nothing; then
 * the handle is made from `fallback` (a short id), and from `unnamed` when that leaves nothing either. Always a handle.
 */
export const slugify = (name: string, fallback: string): string => slug(name) || slug(fallback) || "unnamed"

const slug = (text: string): string => {
  // Sixteen times the longest handle is more than enough text, and keeps the cost of NFKD small for any input.
  const plain = text
    .slice(0, maxLength * 16)
    .toLowerCase()
    .normalize("NFKD")
    .toLowerCase()
  const letters = plain.replace(/[\p{M}'’]/gu, "").replace(/[ßæœøđðþłħıŋŧ]/g, (letter) => undecomposed[letter] ?? "")
  return cut(letters.replace(/[^a-z0-9]+/g, "-").replace(/^-/, ""), maxLength)
}

/** The `n`-th name for a handle that is taken, `n` from 2 on: `offer` becomes `offer-2`; long handles are cut to stay within 64. */
export const withSuffix = (handle: string, n: number): string => {
  const suffix = `-${n}`
  return cut(handle, maxLength - suffix.length) + suffix
}

const cut = (text: string, length: number): string => {
  let end = Math.min(text.length, length)
  while (end > 0 && text.charAt(end - 1) === "-") end--
  return text.slice(0, end)
}
