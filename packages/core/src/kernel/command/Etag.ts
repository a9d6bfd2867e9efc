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

/** An object that must be unchanged since the caller read it, checked in the transaction of the change. */
export interface Precondition {
  /** The command that reads the object, and its input, decoded. */
  readonly command: string
  readonly input: unknown
  /** Whether it is unchanged, from the result of the command's `perform` or its ETag. */
  readonly holds: (result: unknown, etag: string) => boolean
}

/** The precondition of a run that waits for approval: `etag` is that of the object when the run was requested. */
export interface StoredPrecondition extends Omit<Precondition, "holds"> {
  readonly etag: string
}
