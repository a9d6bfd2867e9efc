/**
 * Responses whose text stays the same while the service runs: encoded once, with an entity tag, so that clients that have it
 * are told so (304; RFC 9110, sections 8.8.3 and 13.1.2).
 */
import { createHash } from "node:crypto"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

interface Encoded {
  readonly etag: string
  readonly notChanged: HttpServerResponse.HttpServerResponse
  readonly whole: HttpServerResponse.HttpServerResponse
}

/** How many variants of a text are kept, such as one for each name of the server that it contains. */
const usualVariants = 16

/** Whether an If-None-Match names the tag. Compared weakly, as the standard demands. */
export const isKnown = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given.trim() === "*" || given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))

/** A constant text of some media type, by what it depends on. */
export const constantText = (
  contentType: string,
  make: (variant: string) => string,
  {
    headers: more = {},
    maxVariants = usualVariants
  }: {
    readonly headers?: Readonly<Record<string, string>>
    readonly maxVariants?: number
  } = {}
): ((request: HttpServerRequest, variant?: string) => HttpServerResponse.HttpServerResponse) => {
  const variants = new Map<string, Encoded>()
  const encode = (variant: string): Encoded => {
    const bytes = Buffer.from(make(variant))
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
    const headers = { etag, "cache-control": "private, no-cache", ...more }
    return {
      etag,
      notChanged: HttpServerResponse.empty({ status: 304, headers }),
      whole: HttpServerResponse.uint8Array(bytes, { contentType, headers })
    }
  }
  return ({ headers }, variant = "") => {
    let known = variants.get(variant)
    if (known === undefined) {
      if (variants.size >= maxVariants) variants.clear()
      known = encode(variant)
      variants.set(variant, known)
    }
    return isKnown(headers["if-none-match"], known.etag) ? known.notChanged : known.whole
  }
}
