/**
 * The JSON body of a request, within its size limit and never silently changed.
 *
 * Compressed bodies, other media types and encodings, duplicate names and numbers that would be rounded are rejected. The
 * result of a host's own body parser is used as it is.
 */
import { Readable } from "node:stream"
import { type Failure, InvalidInput, InvalidJson, PayloadTooLarge, quote, UnsupportedMediaType } from "@svc/core"
import { boundProblem, checkJson } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { maxBodyDepth, parseJson } from "./JsonText.ts"

/** Size limit of most bodies, in bytes. */
export const defaultBodyLimit = 1024 * 1024

/** How long a JSON body may take to arrive. */
const bodyTimeout = "60 seconds"

const tooSlow = (): Failure => new InvalidJson({ message: "The body was not received within 60 seconds. Retry." })

const tooLarge = (limit: number): Failure =>
  new PayloadTooLarge({
    message: `The body is larger than the ${limit / 1024} KiB allowed for this path. Send less data per request.`
  })

const isJson = (type: string): boolean => type === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type)

/** What a body may be. */
interface BodyKind {
  readonly what: string
  readonly usual: string
  readonly accepts: (type: string) => boolean
}

const jsonBody: BodyKind = { what: "JSON", usual: "application/json", accepts: isJson }

const formType = "application/x-www-form-urlencoded"

const formBody: BodyKind = { what: "a form", usual: formType, accepts: (type) => type === formType }

/** Why the headers of a body are not accepted. */
const checkHeaders = (
  request: HttpServerRequest,
  limit: number,
  { accepts, usual, what }: BodyKind
): Failure | undefined => {
  const encoding = request.headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return new UnsupportedMediaType({ message: "Compressed bodies are not supported. Send the body uncompressed." })
  }
  const [type = "", ...parameters] = (request.headers["content-type"] ?? usual).toLowerCase().split(";")
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="))
  if (!accepts(type.trim()) || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    return new UnsupportedMediaType({ message: `The body must be ${what} in UTF-8. Send Content-Type: ${usual}.` })
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

type Collected = Effect.Effect<Uint8Array, Failure>

const inTime = (collected: Collected): Collected =>
  Effect.timeoutOrElse(collected, { duration: bodyTimeout, orElse: () => Effect.fail(tooSlow()) })

/**
 * Reads what a Node server receives from its events, which costs less than a stream. Most bodies are complete in the turn of
 * the event loop that brought their headers, so only what comes later is timed.
 */
const collectFrom = (source: Readable, limit: number): Collected =>
  Effect.callback((first) => {
    const chunks = makeChunks(limit)
    let resume = first
    let outcome: Collected | undefined
    const stop = () => {
      clearImmediate(nextTurn)
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
    }
    const settle = (collected: Collected) => {
      stop()
      outcome = collected
      resume(collected)
    }
    const onData = (chunk: Uint8Array) => {
      if (chunks.add(chunk)) return
      source.pause()
      settle(Effect.fail(tooLarge(limit)))
    }
    const onEnd = () => settle(Effect.succeed(chunks.whole()))
    const onLost = () => settle(Effect.fail(endedEarly()))
    const rest: Collected = Effect.callback((again) => {
      if (outcome !== undefined) return again(outcome)
      resume = again
      return Effect.sync(stop)
    })
    const nextTurn = setImmediate(() => first(inTime(rest)))
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    if (source.destroyed) onLost()
    return Effect.sync(stop)
  })

const collectStream = (request: HttpServerRequest, limit: number): Collected =>
  Effect.suspend(() => {
    const chunks = makeChunks(limit)
    return request.stream.pipe(
      Stream.mapError(endedEarly),
      Stream.runForEach((chunk) => (chunks.add(chunk) ? Effect.void : Effect.fail(tooLarge(limit)))),
      Effect.map(chunks.whole),
      inTime
    )
  })

const collect = (request: HttpServerRequest, limit: number): Collected =>
  request.source instanceof Readable ? collectFrom(request.source, limit) : collectStream(request, limit)

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodeUtf8 = (bytes: Uint8Array): Result.Result<string, Failure> =>
  Result.try({
    try: () => utf8.decode(bytes),
    catch: () => new InvalidJson({ message: "The body is not UTF-8. Send JSON in UTF-8." })
  })

/** Size limit in bytes: at most `max`, and less where the parsed value allows less. */
export interface BodyLimit {
  readonly max: number
  readonly of: (value: unknown) => number
}

/** The bytes of a body, also those that a host's body parser kept, or what it made of them. */
const received = (request: HttpServerRequest, max: number, kind: BodyKind): Effect.Effect<object, Failure> =>
  Effect.suspend(() => {
    const problem = checkHeaders(request, max, kind)
    if (problem !== undefined) return Effect.fail(problem)
    if (isBodiless(request)) return Effect.succeed(new Uint8Array())
    const parsed = parsedByHost(request)
    if (typeof parsed === "string") return Effect.succeed(Buffer.from(parsed))
    return typeof parsed === "object" && parsed !== null ? Effect.succeed(parsed) : collect(request, max)
  })

/** The bytes of a body of a media type. Fails with PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or INVALID_INPUT. */
export const readBytes = Effect.fnUntraced(function* (request: HttpServerRequest, max: number, usual: string) {
  const body = yield* received(request, max, { what: usual, usual, accepts: (type) => type === usual })
  if (body instanceof Uint8Array) return body
  return yield* new InvalidInput({ message: "A body parser has changed the body. Leave this path out of it." })
})

/** The fields of a form, in order. A field that came twice is there twice. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** The fields of a form. Fails with PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or INVALID_JSON. */
export const readFields = Effect.fnUntraced(function* (request: HttpServerRequest, max: number) {
  const body = yield* received(request, max, formBody)
  if (body instanceof Uint8Array) return [...new URLSearchParams(yield* Effect.fromResult(decodeUtf8(body)))]
  return Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const))
})

/** Fields by name, none of which came twice. */
export type Form = ReadonlyMap<string, string>

/** Fields of a query or a form by name. Fails with INVALID_INPUT for one that came twice, and for too many. */
export const formOf = Effect.fnUntraced(function* (fields: Fields): Effect.fn.Return<Form, Failure> {
  const tooMany = boundProblem(fields.length, false)
  if (tooMany !== undefined) return yield* new InvalidInput({ message: `The form ${tooMany}.` })
  const form = new Map(fields)
  const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) < index)
  if (twice === undefined) return form
  return yield* new InvalidInput({ message: `${quote(twice[0])} appears twice. Send it once.` })
})

/**
 * The body as a JSON value; undefined when it is empty. Fails with PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON
 * or INVALID_INPUT.
 */
export const readJson = Effect.fnUntraced(function* (
  request: HttpServerRequest,
  limit: number | BodyLimit = defaultBodyLimit
): Effect.fn.Return<unknown, Failure> {
  const body = yield* received(request, typeof limit === "number" ? limit : limit.max, jsonBody)
  if (!(body instanceof Uint8Array)) return yield* Effect.fromResult(checkJson(body, maxBodyDepth))
  if (body.byteLength === 0) return undefined
  const value = yield* Effect.fromResult(Result.flatMap(decodeUtf8(body), parseJson))
  if (typeof limit !== "number" && body.byteLength > Math.max(defaultBodyLimit, limit.of(value))) {
    return yield* tooLarge(defaultBodyLimit)
  }
  return value
})
