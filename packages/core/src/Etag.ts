/**
 * Entity tags: the fingerprint of one object as a reader got it, so that a writer can insist on what it read.
 *
 * Source: issue "ETag on single objects"; RFC 9110, sections 8.8.3 and 13.1.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "./Failure.ts"
import { canonicalJson, sha256Hex } from "./Hash.ts"

/** The strong tag of an object in its full profile, quotes included. */
export const etagOf = (value: unknown): string => `"${sha256Hex(canonicalJson(value)).slice(0, 32)}"`

/** Input field of a REST write: the `If-Match` header as it was sent. */
export const IfMatch = Schema.optionalKey(
  Schema.String.annotate({ description: "Only if the object still has this ETag; taken from the header If-Match" })
)

/** Whether a header of tags names the object: `*` names any; a weak tag names none for a write. */
export const namesEtag = (header: string, value: unknown): boolean => {
  const tags = header.split(",").map((tag) => tag.trim())
  return tags.includes("*") || tags.includes(etagOf(value))
}

/** Fails with PRECONDITION_FAILED unless the object is what `If-Match` names. Nothing is asked without the header. */
export const requireMatch = (ifMatch: string | undefined, current: unknown): Effect.Effect<void, Failure> =>
  ifMatch === undefined || namesEtag(ifMatch, current) ? Effect.void : Effect.fail(fail("PRECONDITION_FAILED"))
