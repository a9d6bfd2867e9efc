/** Handles: the public names of missions and agents in paths, such as `autumn-outreach-2`. A handle never changes. */
import * as Schema from "effect/Schema"

const maxLength = 64
const pattern = "^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"

/** A handle: 1 to 64 characters of `a-z`, `0-9` and `-`, neither beginning nor ending with `-`. */
export const Handle = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isHandle(text) ? undefined : "Expected 1 to 64 characters of a-z, 0-9 and -, not starting or ending with -",
    { toJsonSchema: () => ({ maxLength, pattern }), description: "Handle: lower-case letters, digits and hyphens." }
  )
)

/** Whether {@link Handle} accepts the text. */
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
 * Makes a handle from a name: `Zoë & Łukasz's Offer` becomes `zoe-lukaszs-offer`. If nothing remains, as with other
 * scripts, it is made from `fallback` (a short id), and otherwise is `unnamed`. Always a valid handle.
 */
export const slugify = (name: string, fallback: string): string => slug(name) || slug(fallback) || "unnamed"

const slug = (text: string): string => {
  // Sixteen times the maximum is more than enough text, and bounds the cost of NFKD.
  const plain = text
    .slice(0, maxLength * 16)
    .toLowerCase()
    .normalize("NFKD")
    .toLowerCase()
  const letters = plain.replace(/[\p{M}'’]/gu, "").replace(/[ßæœøđðþłħıŋŧ]/g, (letter) => undecomposed[letter] ?? "")
  return cut(letters.replace(/[^a-z0-9]+/g, "-").replace(/^-/, ""), maxLength)
}

/** The `n`-th alternative to a taken handle, from 2 on: `offer` becomes `offer-2`; long handles are cut to 64 characters. */
export const withSuffix = (handle: string, n: number): string => {
  const suffix = `-${n}`
  return cut(handle, maxLength - suffix.length) + suffix
}

const cut = (text: string, length: number): string => text.slice(0, length).replace(/-+$/, "")
