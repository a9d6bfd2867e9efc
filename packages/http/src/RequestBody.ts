/**
 * The JSON body of a request, within its size limit and never silently changed.
 *
 * Compressed bodies, other media types and encodings, duplicate names and numbers that would be rounded are rejected. The
 * result of a host's own body parser is used as it is.
 */
import { Readable } from "node:stream"
import { type Failure, InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "@svc/core"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { parseJson } from "./JsonText.ts"

/** Size limit of most bodies, in bytes. */
export const defaultBodyLimit = 1024 * 1024

/** How long a JSON body may take to arrive. */
const bodyTimeout = "60 seconds"

const tooSlow = (): Failure => new InvalidJson({ message: "The body was not received within 60 seconds. Retry." })

const tooLarge = (limit: number): Failure =>
  new PayloadTooLarge({
    message: `The body is larger than the ${limit / 1024} KiB allowed for this path. Send less data per request.`
  })

const checkHeaders = (request: HttpServerRequest, limit: number): Failure | undefined => {
  const encoding = request.headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return new UnsupportedMediaType({ message: "Compressed bodies are not supported. Send the body uncompressed." })
  }
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "application/json").toLowerCase().split(";")
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="))
  const isJson = type.trim() === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type.trim())
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    return new UnsupportedMediaType({ message: "The body must be JSON in UTF-8. Send Content-Type: application/json." })
  }
  const declared = Number(request.headers["content-length"] ?? "0")
  return declared > limit ? tooLarge(limit) : undefined
}

/** The result of a host's body parser; undefined if none ran. */
const parsedByHost = (request: HttpServerRequest): unknown => {
  const { source } = request
  const complete = Reflect.get(source, "readableEnded") === true || Reflect.get(source, "readableDidRead") === true
  return complete ? Reflect.get(source, "body") : undefined
}

/** Whether this is a Web request without a body. Its stream would fail instead of being empty. */
const isBodiless = ({ source }: HttpServerRequest): boolean =>
  !("readable" in source) && Reflect.get(source, "body") === null

const endedEarly = (): Failure => new InvalidJson({ message: "The body ended early. Send it again." })

/** The chunks of a body, until it is too large. */
const makeChunks = (limit: number) => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  return {
    /** Whether the chunk still fits. */
    add: (chunk: Uint8Array): boolean => {
      size += chunk.byteLength
      if (size <= limit) chunks.push(chunk)
      return size <= limit
    },
    whole: (): Uint8Array => (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
  }
}

/** Reads what a Node server receives from its events, which costs less than a stream. */
const collectFrom = (source: Readable, limit: number): Effect.Effect<Uint8Array, Failure> =>
  Effect.callback((resume) => {
    const chunks = makeChunks(limit)
    const stop = () => void source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
    const onData = (chunk: Uint8Array) => {
      if (chunks.add(chunk)) return
      stop()
      source.pause()
      resume(Effect.fail(tooLarge(limit)))
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(chunks.whole()))
    }
    const onLost = () => {
      stop()
      resume(Effect.fail(endedEarly()))
    }
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    if (source.destroyed) onLost()
    return Effect.sync(stop)
  })

const collectStream = (request: HttpServerRequest, limit: number): Effect.Effect<Uint8Array, Failure> =>
  Effect.suspend(() => {
    const chunks = makeChunks(limit)
    return request.stream.pipe(
      Stream.mapError(endedEarly),
      Stream.runForEach((chunk) => (chunks.add(chunk) ? Effect.void : Effect.fail(tooLarge(limit)))),
      Effect.map(chunks.whole)
    )
  })

const collect = (request: HttpServerRequest, limit: number): Effect.Effect<Uint8Array, Failure> =>
  Effect.timeoutOrElse(
    request.source instanceof Readable ? collectFrom(request.source, limit) : collectStream(request, limit),
    { duration: bodyTimeout, orElse: () => Effect.fail(tooSlow()) }
  )

const decodeUtf8 = (bytes: Uint8Array): Result.Result<string, Failure> => {
  try {
    return Result.succeed(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return Result.fail(new InvalidJson({ message: "The body is not UTF-8. Send JSON in UTF-8." }))
  }
}

/** Size limit in bytes: at most `max`, and less where the parsed value allows less. */
export interface BodyLimit {
  readonly max: number
  readonly of: (value: unknown) => number
}

/**
 * The body as a JSON value; undefined when it is empty. Fails with PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON
 * or INVALID_INPUT.
 */
export const readJson = (
  request: HttpServerRequest,
  limit: number | BodyLimit = defaultBodyLimit
): Effect.Effect<unknown, Failure> =>
  Effect.suspend((): Effect.Effect<unknown, Failure> => {
    const max = typeof limit === "number" ? limit : limit.max
    const headerProblem = checkHeaders(request, max)
    if (headerProblem !== undefined) return Effect.fail(headerProblem)
    if (isBodiless(request)) return Effect.succeed(undefined)
    const parsed = parsedByHost(request)
    if (typeof parsed === "object" && parsed !== null && !(parsed instanceof Uint8Array)) return Effect.succeed(parsed)
    const bytes =
      typeof parsed === "string"
        ? Effect.succeed(Buffer.from(parsed))
        : parsed instanceof Uint8Array
          ? Effect.succeed(parsed)
          : collect(request, max)
    return Effect.flatMap(bytes, (read) => {
      if (read.byteLength === 0) return Effect.succeed(undefined)
      return Effect.fromResult(Result.flatMap(decodeUtf8(read), parseJson)).pipe(
        Effect.filterOrFail(
          (value) => typeof limit === "number" || read.byteLength <= Math.max(defaultBodyLimit, limit.of(value)),
          () => tooLarge(defaultBodyLimit)
        )
      )
    })
  })
