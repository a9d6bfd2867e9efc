/**
 * Entity tags: the fingerprint of an object as it was read, so that a write can require that it has not changed.
 *
 * Source: RFC 9110, sections 8.8.3 and 13.1.
 */
import { canonicalJson, sha256Hex } from "../schema/Hash.ts"

/** The strong tag of an object in its full profile, with quotes. */
export const etagOf = (value: unknown): string => `"${sha256Hex(canonicalJson(value)).slice(0, 32)}"`

/** Whether an If-Match header matches the object: `*` matches any; a weak tag matches none. */
export const namesEtag = (header: string, value: unknown): boolean => {
  const tags = header.split(",").map((tag) => tag.trim())
  return tags.includes("*") || tags.includes(etagOf(value))
}
