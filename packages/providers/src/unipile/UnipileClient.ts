/**
 * Calls to the provider's API: URLs, headers, timeouts, and the results of reads and writes.
 *
 * A read is retried twice after a 5xx; a write is never retried. Nothing here fails or throws, and no result holds the
 * key.
 */

import { Unavailable as UnavailableFailure } from "@svc/core"
import {
  type Confirmed,
  callProvider,
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  jsonOrUndefined,
  type ProviderAnswer,
  type ProviderBody,
  type ProviderFailure,
  type Refused,
  type SendResult,
  type Unavailable,
  UsageLimit
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import { type Misconfigured, readError } from "./UnipileRefusal.ts"

/** Timeouts in milliseconds for one request, including its whole response. */
export interface UnipileTimeouts {
  readonly read: number
  readonly write: number
  readonly search: number
  /** Pauses before the first and the second retry of a read. */
  readonly pauses: readonly [first: number, second: number]
}

/** `dsn` is checked when the layer is built. */
export interface UnipileOptions {
  readonly dsn: string
  readonly apiKey: Redacted.Redacted
  readonly timeouts?: Partial<UnipileTimeouts>
}

/** Shorter than the sending queue waits. */
export const defaultTimeouts: UnipileTimeouts = { read: 6_000, write: 14_000, search: 30_000, pauses: [200, 800] }

/** Query parameters; undefined values are left out. */
type Query = Readonly<Record<string, string | number | undefined>>

/** A call. `path` is below `/api/v1`, in raw segments, so that no id can lead to another route. */
export interface UnipileCall {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: ReadonlyArray<string>
  readonly query?: Query
  readonly body?: ProviderBody
}

/** A successful read. `body` is JSON of any shape. */
interface Found {
  readonly _tag: "Found"
  readonly body: unknown
}

/** The provider failed, or its response can't be read. The read may be retried. */
interface Broken {
  readonly _tag: "Broken"
  readonly detail: string
}

/** The result of a read. */
type ReadResult = Found | Refused | Unavailable | Misconfigured | Broken

/** The calls. */
export interface UnipileClient {
  readonly read: (call: UnipileCall, timeout?: "read" | "search") => Effect.Effect<ReadResult>
  /** `confirm` reads a 2xx body; undefined when it is not what the route returns, which leaves the outcome unknown. */
  readonly write: (call: UnipileCall, confirm: (body: unknown) => Confirmed | undefined) => Effect.Effect<SendResult>
}

/** Why our key was refused and what to check, without the key itself. */
const keyRefused = (providerCode: string): string =>
  `The provider rejected our key (${providerCode}). Check SVC_UNIPILE_API_KEY and SVC_UNIPILE_DSN.`

// URLs drop the segments . and .. even when escaped, which would lead to another route.
const segment = (text: string): string =>
  text === "" || text === "." || text === ".." ? "-" : encodeURIComponent(text.toWellFormed())

const urlOf = (base: string, { path, query = {} }: UnipileCall): string => {
  const url = `${base}/${path.map(segment).join("/")}`
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value))
  return parameters.size === 0 ? url : `${url}?${parameters}`
}

const toReadResult = (response: ProviderAnswer): ReadResult => {
  if (response._tag === "NotSent") return { _tag: "Unavailable", detail: response.detail }
  if (response._tag === "Lost") return { _tag: "Broken", detail: response.detail }
  const body = jsonOrUndefined(response.text)
  if (response.status >= 200 && response.status < 300) {
    return body === undefined
      ? { _tag: "Broken", detail: "The provider's response is not JSON." }
      : { _tag: "Found", body }
  }
  const meaning = readError(response.status, body, response.headers["retry-after"])
  return meaning._tag === "Undecided"
    ? { _tag: "Broken", detail: `The provider failed (${meaning.providerCode}).` }
    : meaning
}

const isRetryable = (response: ProviderAnswer): boolean =>
  response._tag === "Answered" && response.status >= 500 && response.status !== 501

const toSendResult = (response: ProviderAnswer, confirm: (body: unknown) => Confirmed | undefined): SendResult => {
  if (response._tag === "NotSent") return { _tag: "Unavailable", detail: response.detail }
  if (response._tag === "Lost") return { _tag: "Unknown", detail: response.detail }
  const body = jsonOrUndefined(response.text)
  if (response.status >= 200 && response.status < 300) {
    return (
      confirm(body) ?? { _tag: "Unknown", detail: `The provider sent an unexpected response (${response.status}).` }
    )
  }
  const meaning = readError(response.status, body, response.headers["retry-after"])
  switch (meaning._tag) {
    case "Undecided":
      return { _tag: "Unknown", detail: `The provider failed (${meaning.providerCode}).` }
    case "Misconfigured":
      return { _tag: "Unavailable", detail: keyRefused(meaning.providerCode) }
    default:
      return meaning
  }
}

/** Makes the client for a base URL from {@link parseDsn}. */
export const makeClient = (
  base: string,
  { apiKey, timeouts: given }: UnipileOptions,
  http: HttpClient.HttpClient
): UnipileClient => {
  const timeouts = { ...defaultTimeouts, ...given }
  const once = (call: UnipileCall, timeoutMillis: number): Effect.Effect<ProviderAnswer> =>
    Effect.suspend(() =>
      callProvider({
        method: call.method,
        url: urlOf(base, call),
        headers: { "x-api-key": Redacted.value(apiKey), accept: "application/json" },
        body: call.body ?? { _tag: "Empty" },
        timeoutMillis
      })
    ).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call, timeout = "read") =>
      Effect.gen(function* () {
        let response = yield* once(call, timeouts[timeout])
        for (const pause of timeouts.pauses) {
          if (!isRetryable(response)) break
          yield* Effect.sleep(pause)
          response = yield* once(call, timeouts[timeout])
        }
        return toReadResult(response)
      }),
    write: (call, confirm) => Effect.map(once(call, timeouts.write), (response) => toSendResult(response, confirm))
  }
}

/** A read that returned nothing. */
export type FailedRead = Exclude<ReadResult, { readonly _tag: "Found" }>

/** The port's result: everything but a refusal by the provider counts as unavailable. */
export const asRefusal = (result: FailedRead): Refused | Unavailable => {
  switch (result._tag) {
    case "Misconfigured":
      return { _tag: "Unavailable", detail: keyRefused(result.providerCode) }
    case "Broken":
      return { _tag: "Unavailable", detail: result.detail }
    default:
      return result
  }
}

/** The failure of a command or an import that needed the response. */
export const asFailure = (result: FailedRead): ProviderFailure => {
  switch (result._tag) {
    case "Unavailable":
      return new UnavailableFailure({ message: `${result.detail} Try again in a few seconds.` })
    case "Misconfigured":
      return new GatewayUnconfigured({ message: keyRefused(result.providerCode) })
    case "Broken":
      return new GatewayError({ message: `${result.detail} Try again later.` })
    case "Refused":
      return refusal(result)
  }
}

const refusal = ({ kind, providerCode, retryAfterSeconds }: Refused): ProviderFailure => {
  switch (kind) {
    case "limit":
      return new UsageLimit({
        message: `LinkedIn account limit reached (${providerCode}). Wait, then try again.`,
        ...(retryAfterSeconds === null ? undefined : { retryAfterSeconds })
      })
    case "transient":
      return new GatewayError({
        message: `The provider sent an unexpected response (${providerCode}). Try again later.`
      })
    case "account_down":
    case "account_restricted":
      return new GatewayRejected({
        message: `The provider can't use this LinkedIn account (${providerCode}). Reconnect the account.`
      })
    default:
      return new GatewayRejected({ message: `The provider refused the request (${providerCode}). Check its input.` })
  }
}
