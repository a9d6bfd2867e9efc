/** The slug of a public profile: `ada-lovelace` in `https://www.linkedin.com/in/ada-lovelace`. */
import { cleanPasted, decodePercent, hasForbiddenCharacter } from "../../kernel/schema/pastedText.ts"

// What LinkedIn shows in place of a slug: the viewer's own profile, people outside the network, and unset values.
const placeholders = new Set(["me", "unavailable", "unknown", "undefined", "null", "headless"])
const impossible = /[\s"#$%&,/:;<=>?@[\\\]^`{|}]/u
const substance = /[\p{L}\p{N}\p{S}]/u

/** Undoes percent-encoding once, and once more when %XX is left; undefined when a sequence is broken. */
export const decodeSegment = (segment: string): string | undefined => {
  const once = decodePercent(segment)
  const twice = once !== undefined && /%[0-9a-f]{2}/i.test(once) ? decodePercent(once) : once
  // Drops a subpage or query that was encoded together with the slug.
  return twice === undefined ? undefined : cleanPasted(twice.split(/[/?#]/, 1)[0] ?? "")
}

/**
 * The normal form of a decoded slug: NFC and lower case, since slugs are case-insensitive. Undefined when invalid: empty,
 * over 200 characters, with forbidden characters, or a placeholder such as `me`, which would match many people.
 */
export const normalizeSlug = (text: string): string | undefined => {
  if (text.length > 400) return undefined
  const slug = text.normalize("NFC").toLowerCase().normalize("NFC")
  if ([...slug].length > 200 || hasForbiddenCharacter(slug) || impossible.test(slug)) return undefined
  return substance.test(slug) && !placeholders.has(slug) ? slug : undefined
}

/** The canonical profile URL of a slug or token. */
export const profileUrl = (slugOrToken: string): string =>
  `https://www.linkedin.com/in/${encodeURIComponent(slugOrToken)}`
