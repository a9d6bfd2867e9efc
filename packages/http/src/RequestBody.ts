/**
 * The JSON body of a request, within its limit and never silently changed.
 *
 * Compressed bodies and other media types are refused; text must be UTF-8; a number that could only be kept rounded and
 * a name given twice are refused. A host's body parser that ran first is taken at its word. Source: contract 1.6 and 7 "HTTP"; G29.
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { parseJson } from "./JsonText.ts"

/** Largest ordinary body, in bytes. Source: G29. */
export const usualLimit = 1024 * 1024

/** How long a JSON body may take to come in. */
const patience = "60 seconds"

const tooSlow = (): Failure => fail("INVALID_JSON", "The body did not come in within 60 seconds. Send it again.")

const tooLarge = (limit: number): Failure =>
  fail(
    "PAYLOAD_TOO_LARGE",
    `The body is larger than ${limit / 1024} KiB, which is all this path takes. Send less at a time.`
  )

const checkHeaders = (request: HttpServerRequest, limit: number): Failure | undefined => {
  const encoding = request.headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return fail("UNSUPPORTED_MEDIA_TYPE", "Compressed bodies are not read here. Send the body uncompressed.")
  }
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "application/json").toLowerCase().split(";")
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="))
  const isJson = type.trim() === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type.trim())
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    return fail("UNSUPPORTED_MEDIA_TYPE", "The body must be JSON in UTF-8. Send Content-Type: application/json.")
  }
  const declared = Number(request.headers["content-length"] ?? "0")
  return declared > limit ? tooLarge(limit) : undefined
}

/** What a host's body parser left on the request; undefined when none ran. */
const parsedByHost = (request: HttpServerRequest): unknown => {
  const { source } = request
  const complete = Reflect.get(source, "readableEnded") === true || Reflect.get(source, "readableDidRead") === true
  return complete ? Reflect.get(source, "body") : undefined
}

/** Whether it is a Web request without a body, whose stream would fail instead of being empty. */
const isBodiless = ({ source }: HttpServerRequest): boolean =>
  !("readable" in source) && Reflect.get(source, "body") === null

const collect = (request: HttpServerRequest, limit: number): Effect.Effect<Uint8Array, Failure> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return request.stream.pipe(
      Stream.mapError(() => fail("INVALID_JSON", "The body broke off before its end. Send it again.")),
      Stream.runForEach((chunk) => {
        size += chunk.byteLength
        if (size > limit) return Effect.fail(tooLarge(limit))
        chunks.push(chunk)
        return Effect.void
      }),
      Effect.map(() => Buffer.concat(chunks)),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(tooSlow()) })
    )
  })

const decodeUtf8 = (bytes: Uint8Array): Result.Result<string, Failure> => {
  try {
    return Result.succeed(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return Result.fail(fail("INVALID_JSON", "The body is not UTF-8. Send JSON in UTF-8."))
  }
}

/**
 * The body as a JSON value; undefined when there is none. Fails with PAYLOAD_TOO_LARGE as soon as that is known,
 * UNSUPPORTED_MEDIA_TYPE, INVALID_JSON or INVALID_INPUT.
 */
export const readJson = (request: HttpServerRequest, limit = usualLimit): Effect.Effect<unknown, Failure> =>
  Effect.suspend((): Effect.Effect<unknown, Failure> => {
    const refused = checkHeaders(request, limit)
    if (refused !== undefined) return Effect.fail(refused)
    if (isBodiless(request)) return Effect.succeed(undefined)
    const parsed = parsedByHost(request)
    if (typeof parsed === "object" && parsed !== null && !(parsed instanceof Uint8Array)) return Effect.succeed(parsed)
    const bytes =
      typeof parsed === "string"
        ? Effect.succeed(Buffer.from(parsed))
        : parsed instanceof Uint8Array
          ? Effect.succeed(parsed)
          : collect(request, limit)
    return Effect.flatMap(bytes, (read) => {
      if (read.byteLength === 0) return Effect.succeed(undefined)
      return Effect.fromResult(Result.flatMap(decodeUtf8(read), parseJson))
    })
  })
