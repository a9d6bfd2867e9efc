/**
 * The service that a client command talks to. Wherever it is, it gets the same HTTP requests, so every response is the
 * server's own.
 */

import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { text as textOf } from "node:stream/consumers"
import { type Failure, parseUrl, type RawOptions, Unavailable } from "@svc/core"
import type { Settings } from "@svc/embed/composition"
import type { FetchHandler } from "@svc/http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { invalid, type Json, note, Refused } from "./Output.ts"
import type { FoundKey } from "./profiles.ts"

/** A request to a service. `json` is a body in JSON text; `body` one that is streamed. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly path: string
  readonly json?: string
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
}

/** A query of the fields that are given; empty if none is. */
export const queryOf = (fields: Readonly<Record<string, string | number | boolean | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? "" : `?${query}`
}

/** All headers of a request but the length of its body. */
export const headersOf = ({ headers, json }: ServiceRequest): Readonly<Record<string, string>> => ({
  accept: "application/json",
  ...(json === undefined ? {} : { "content-type": "application/json" }),
  ...headers
})

/** How long a response may take, in milliseconds; a streamed body has no limit. */
const timeout = 120_000

/**
 * Sends the request with Node's own client, as `fetch` takes longer to load than most requests take; resolves to the response
 * with its body unread. Redirects are not followed: they would send the key elsewhere. Rejects when nothing responds.
 */
export const sendRequest = (
  base: string,
  service: ServiceRequest,
  signal = service.body === undefined ? AbortSignal.timeout(timeout) : undefined
): Promise<IncomingMessage> => {
  const { body, json, method, path } = service
  const url = `${base}${path}`
  // An import of it would load Node's own fetch as well, which takes longer than most commands.
  const { request: begin } = process.getBuiltinModule(url.startsWith("https:") ? "node:https" : "node:http")
  return new Promise((resolve, reject) => {
    const length = json === undefined ? {} : { "content-length": Buffer.byteLength(json).toString() }
    const request = begin(url, { method, headers: { ...length, ...headersOf(service) }, signal })
    request.on("error", reject)
    if (body === undefined) {
      request.once("response", resolve)
      request.end(json)
      return
    }
    // A service may respond before it has read the whole body; the rest is not sent then.
    request.once("response", (response) => {
      resolve(response)
      response.once("end", () => {
        body.unpipe(request)
        request.destroy()
      })
    })
    body.once("error", (error) => request.destroy(error))
    body.pipe(request)
  })
}

/** Where the service is: at a URL, or in this process on a database. */
export interface Place {
  readonly kind: "server" | "owner" | "embedded"
  /** Safe to show. */
  readonly label: string
}

/** A response with its JSON body. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Seconds to wait before the next request, if a limit refused this one. */
  readonly retryAfter?: number | undefined
}

/** The `data` of a reply, whatever its shape. */
export const dataOf = (reply: Reply): Json => Object(Object(reply.body).data)

/** Reads a path. */
export const get = ({ send }: Target, path: string) => send({ method: "GET", path })

/** The objects of a list; none for anything else. */
export const objectsOf = (list: unknown): ReadonlyArray<Json> => (Array.isArray(list) ? list : [])

/** A service that was found. */
export interface Target {
  readonly place: Place
  readonly key: FoundKey | undefined
  /** Fails with UNAVAILABLE when nothing responds, or something that is not this service. */
  readonly send: (request: ServiceRequest) => Effect.Effect<Reply, Failure>
}

/** A response with its body unread. */
interface Received {
  readonly status: number
  readonly retryAfter: string | null | undefined
  readonly text: () => Promise<string>
}

/** Sends a request with the key. */
type Transport = (request: ServiceRequest, signal: AbortSignal) => Promise<Received>

const secondsOf = (text: string | null | undefined) =>
  text != null && /^\d{1,6}$/.test(text) ? Number(text) : undefined

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), "code"))

/** Codes of Node and OpenSSL for a certificate that is not trusted, such as DEPTH_ZERO_SELF_SIGNED_CERT. */
const certificateCode = /CERT|^UNABLE_TO_(GET|VERIFY)_|^ERR_TLS_/

const neverConnected = (code: string): boolean =>
  ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(code) || certificateCode.test(code)

const unreachable = (label: string, code: string): Failure =>
  new Unavailable({
    message: certificateCode.test(code)
      ? `Can't reach ${label}: its certificate is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file of its authority, or replace the certificate.`
      : `Can't reach ${label}. Is svc running? Start it with svc serve, or correct SVC_BASE_URL.`
  })

const connectionLost = (label: string): Failure =>
  new Unavailable({ message: `The connection to ${label} was lost. Run the same command again to resume.` })

/** The service behind `transport`, called with the key. */
export const makeTarget = (place: Place, key: FoundKey | undefined, transport: Transport): Target => ({
  place,
  key,
  send: Effect.fnUntraced(function* ({ headers, ...request }) {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key.key)}` }
    const { retryAfter, status, text } = yield* Effect.tryPromise({
      try: (signal) => transport({ ...request, headers: { ...authorization, ...headers } }, signal),
      catch: (error) =>
        request.body === undefined || neverConnected(codeOf(error))
          ? unreachable(place.label, codeOf(error))
          : connectionLost(place.label)
    })
    const message = `Unexpected response from ${place.label} (status ${status}). Check SVC_BASE_URL, or retry.`
    return yield* Effect.tryPromise({
      try: async (): Promise<Reply> => ({ status, body: JSON.parse(await text()), retryAfter: secondsOf(retryAfter) }),
      catch: () => new Unavailable({ message })
    })
  })
})

/** The service at a URL. */
export const remoteTarget = (kind: "server" | "owner", base: string, key: FoundKey | undefined): Target =>
  makeTarget({ kind, label: base }, key, async (request, signal) => {
    const response = await sendRequest(base, request, request.body && signal)
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers["retry-after"],
      text: () => textOf(response)
    }
  })

/** The URL without query and trailing slash. Fails with INVALID_INPUT for anything but http and https. */
export const parseBaseUrl = (text: string): Effect.Effect<string, Failure> => {
  const url = parseUrl(text)
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
    : invalid("--base-url (or SVC_BASE_URL) must be an http or https URL.")
}

/** Opens a database in this process; the result handles requests to it. */
export type Open = (settings: Settings) => Effect.Effect<FetchHandler, Failure, Scope.Scope>

/** For checks, which open no database: requests to one fail as if nothing responded. */
export const openNothing: Open = () => Effect.succeed(() => Promise.reject(new Error("not opened for a check")))

/** Longest wait, in seconds; a limit that lasts longer is returned. */
const longestWait = 120

/** Tells the person at a terminal about a wait. */
export const noteWait = (seconds: number) => note(`svc: the rate limit is reached; continuing in ${seconds} s.`)

/** The target; a request that its rate limit refused is sent again after `Retry-After`. `onWait` tells the person. */
export const patientTarget = (target: Target, onWait: (seconds: number) => Effect.Effect<void>): Target => {
  const send: Target["send"] = Effect.fnUntraced(function* (request) {
    for (;;) {
      const reply = yield* target.send(request)
      const isLimited = reply.status === 429 && Object(Object(reply.body).error).code === "RATE_LIMITED"
      const seconds = reply.retryAfter ?? 1
      if (!isLimited || request.body !== undefined || seconds > longestWait) return reply
      yield* onWait(seconds)
      yield* Effect.sleep(seconds * 1_000)
    }
  })
  return { ...target, send }
}

/** The request for a command with JSON text as input. The options must be valid. */
export const commandRequest = (id: string, json: string, options: RawOptions = {}): ServiceRequest => {
  const { idempotency_key, ...query } = options
  return {
    method: "POST",
    path: `/api/v1/commands/${encodeURIComponent(id)}${queryOf(query)}`,
    json,
    headers: idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }
  }
}

/** Runs a command. An error is a reply too. */
export const sendCommand = (target: Target, id: string, input: object) =>
  target.send(commandRequest(id, JSON.stringify(input)))

/** The reply to a request. Fails with the error in it. */
export const orFail = <E, R>(sent: Effect.Effect<Reply, E, R>): Effect.Effect<Reply, E | Refused, R> =>
  Effect.flatMap(sent, (reply) => (reply.status >= 400 ? Effect.fail(new Refused(reply)) : Effect.succeed(reply)))

/** Reads a path and returns its data. Fails with its error. */
export const getData = (target: Target, path: string) => Effect.map(orFail(get(target, path)), dataOf)

/** Runs a command and returns its output. Fails with its error. */
export const callCommand = (target: Target, id: string, input: object) =>
  Effect.map(orFail(sendCommand(target, id, input)), dataOf)

/** First words in the number that help shows. Ids of commands have the singular. */
const plurals = ["event", "key", "webhook", "org"]
const singulars = "offer lead mission agent import email approval policy session review agent-run".split(" ")

/** The words that help shows, by those in the other number, which are accepted too. */
const shownWords: ReadonlyMap<string, string> = new Map([
  ...plurals.map((word) => [word, `${word}s`] as const),
  ...singulars.map((word) => [`${word.replace(/y$/, "ie")}s`, word] as const)
])

/** Arguments with the first word that help shows: `svc leads search` is `svc lead search`, `svc key list` is `svc keys list`. */
export const withShownWord = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === undefined ? [] : [shownWords.get(first) ?? first, ...rest]

/** `linkedin draft approve` for `linkedin.draft.approve`; `webhooks list` for `webhook.list`. */
export const commandWords = (id: string): ReadonlyArray<string> => withShownWord(id.split("."))
