/**
 * Responses whose text stays the same while the service runs: encoded once, compressed for clients that take that, with an
 * entity tag, so that clients that have it are told so (304; RFC 9110, sections 8.8.3 and 13.1.2).
 */
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The encodings that a request accepts (RFC 9110, section 12.5.3): those named without `q=0`. */
export const acceptedEncodings = (header = ""): ReadonlySet<string> => {
  const parts = header.toLowerCase().split(",")
  return new Set(
    parts.flatMap((part) => {
      const [name = "", ...parameters] = part.split(";").map((word) => word.trim())
      return parameters.some((word) => /^q=0(\.0*)?$/.test(word)) ? [] : [name]
    })
  )
}

interface Encoded {
  readonly etag: string
  readonly notChanged: HttpServerResponse.HttpServerResponse
  readonly whole: HttpServerResponse.HttpServerResponse
}

/** Bytes in one encoding, with the headers of both responses. */
export const encodedAs = (
  bytes: Uint8Array,
  contentType: string,
  etag: string,
  more: Readonly<Record<string, string>>
): Encoded => {
  const headers = { etag, vary: "accept-encoding", ...more }
  return {
    etag,
    notChanged: HttpServerResponse.empty({ status: 304, headers }),
    whole: HttpServerResponse.uint8Array(bytes, { contentType, headers })
  }
}

/** The response with an encoding, for a client that may have it. */
export const respondWith = ({ etag, notChanged, whole }: Encoded, { headers }: Pick<HttpServerRequest, "headers">) =>
  isKnown(headers["if-none-match"], etag) ? notChanged : whole

/** A text as it is, and compressed when the first client that takes that asks for it. */
interface Forms {
  readonly plain: Encoded
  readonly compressed: () => Encoded
}

/** Texts shorter than this, in bytes, are not compressed. */
const shortText = 2_048

/** How many variants of a text are kept, such as one for each name of the server that it contains. */
const usualVariants = 16

/** Whether an If-None-Match names the tag. Compared weakly, as the standard demands. */
const isKnown = (given: string | undefined, etag: string): boolean =>
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
  const variants = new Map<string, Forms>()
  const encode = (bytes: Uint8Array, etag: string, encoding: Readonly<Record<string, string>> = {}) =>
    encodedAs(bytes, contentType, etag, { "cache-control": "private, no-cache", ...more, ...encoding })
  const formsOf = (variant: string): Forms => {
    const bytes = Buffer.from(make(variant))
    const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
    const plain = encode(bytes, `"${tag}"`)
    let compressed = bytes.length < shortText ? plain : undefined
    return {
      plain,
      compressed: () => {
        compressed ??= encode(gzipSync(bytes), `"${tag}-gzip"`, { "content-encoding": "gzip" })
        return compressed
      }
    }
  }
  return (request, variant = "") => {
    let forms = variants.get(variant)
    if (forms === undefined) {
      if (variants.size >= maxVariants) variants.clear()
      forms = formsOf(variant)
      variants.set(variant, forms)
    }
    const isSmall = acceptedEncodings(request.headers["accept-encoding"]).has("gzip")
    return respondWith(isSmall ? forms.compressed() : forms.plain, request)
  }
}
