/**
 * Calls to the provider's API: URLs, headers, timeouts, and the results of reads and writes.
 *
 * A read is retried twice after a 5xx; a write is never retried. Nothing here fails or throws, and no result holds the
 * key.
 */

import { type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import { jsonOrUndefined } from "@svc/core/internal"
import type { Confirmed, ProviderBody, SendResult } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Answered, asFailure, decoded, type FailedRead, failed, respond, settled } from "../ProviderRead.ts"
import { readError } from "./UnipileRefusal.ts"

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

/** Query parameters; null and undefined values are left out. */
type Query = Readonly<Record<string, string | number | null | undefined>>

/** A call. `path` is below `/api/v1`, in raw segments, so that no id can lead to another route. */
export interface UnipileCall {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: ReadonlyArray<string>
  readonly query?: Query
  readonly body?: ProviderBody
}

/** A value as the body of a call. */
export const json = (value: unknown): ProviderBody => ({ _tag: "Json", text: JSON.stringify(value) })

/** What a failed read means for the caller of the gateway. */
export const failureOf = asFailure("The provider")

/** The calls. */
export interface UnipileClient {
  /** The decoded body of a read. */
  readonly read: <S extends Schema.ConstraintDecoder<unknown>>(
    call: UnipileCall,
    schema: S,
    timeout?: "read" | "search"
  ) => Effect.Effect<S["Type"], FailedRead>
  /** `confirm` reads a 2xx body; undefined when it is not what the route returns, which leaves the outcome unknown. */
  readonly write: (call: UnipileCall, confirm: (body: unknown) => Confirmed | undefined) => Effect.Effect<SendResult>
}

// URLs drop the segments . and .. even when escaped, which would lead to another route.
const segment = (text: string): string =>
  text === "" || text === "." || text === ".." ? "-" : encodeURIComponent(text.toWellFormed())

const urlOf = (base: string, { path, query = {} }: UnipileCall): string => {
  const url = `${base}/${path.map(segment).join("/")}`
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value != null) parameters.append(name, String(value))
  return parameters.size === 0 ? url : `${url}?${parameters}`
}

/** The JSON of a response of success; undefined for other texts. Fails with what an error response means. */
const successOf = ({ headers, status, text }: Answered) => {
  const body = jsonOrUndefined(text)
  return status >= 200 && status < 300
    ? Effect.succeed({ status, body })
    : Effect.fail(readError(status, body, headers["retry-after"]))
}

const isRetryable = ({ status }: Answered): boolean => status >= 500 && status !== 501

/** Makes the client for a base URL from {@link parseDsn}. */
export const makeClient = (
  base: string,
  { apiKey, timeouts: given }: UnipileOptions,
  http: HttpClient.HttpClient
): UnipileClient => {
  const timeouts = { ...defaultTimeouts, ...given }
  const once = (call: UnipileCall, timeoutMillis: number) =>
    Effect.suspend(() =>
      respond({
        method: call.method,
        url: urlOf(base, call),
        headers: { "x-api-key": Redacted.value(apiKey), accept: "application/json" },
        body: call.body ?? { _tag: "Empty" },
        timeoutMillis
      })
    ).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call, schema, timeout = "read") =>
      Effect.gen(function* () {
        let response = yield* once(call, timeouts[timeout])
        for (const pause of timeouts.pauses) {
          if (!isRetryable(response)) break
          yield* Effect.sleep(pause)
          response = yield* once(call, timeouts[timeout])
        }
        const { body } = yield* successOf(response)
        return yield* decoded(body, schema, "The provider")
      }),
    write: (call, confirm) =>
      settled(
        Effect.flatMap(once(call, timeouts.write), successOf),
        ({ body, status }) =>
          confirm(body) ?? { _tag: "Unknown", detail: `The provider sent an unexpected response (${status}).` }
      )
  }
}

/** The body of a list, which comes page by page. */
export const List = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** The cursor of the following page; null on the last one. */
export const nextOf = ({ cursor, items }: typeof List.Type): string | null =>
  cursor !== undefined && cursor !== null && cursor !== "" && cursor.length <= 8_000 && items.length > 0 ? cursor : null

const maxPages = 40

/** Reads a list until `visit` returns true or the list ends. More than 40 pages count as an unreadable response. */
export const readPages = (
  client: UnipileClient,
  path: UnipileCall["path"],
  query: Query,
  visit: (items: ReadonlyArray<unknown>) => boolean
) =>
  Effect.gen(function* () {
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const list = yield* client.read({ method: "GET", path, query: { ...query, cursor } }, List)
      const next = nextOf(list)
      if (visit(list.items) || next === null) return
      cursor = next
    }
    return yield* failed("Broken", "The provider sent an unexpected response.")
  })

const invalid = (reason: string): Result.Result<never, Failure> =>
  Result.fail(
    new InvalidInput({
      message:
        `SVC_UNIPILE_DSN: ${reason} Use the host from the provider's dashboard, e.g. api8.example.com:13851, or an https ` +
        "URL; http only works for 127.0.0.1, ::1 and localhost."
    })
  )

/**
 * The base URL of all routes without a trailing slash, e.g. `https://api8.example.com:13851/api/v1`. Fails with
 * INVALID_INPUT for anything that is not a host, has credentials, a query, a fragment or another path, or would send the
 * key unencrypted to another machine.
 */
export const parseDsn = (text: string): Result.Result<string, Failure> => {
  const given = text.trim()
  if (given === "") return invalid("It is empty.")
  if (given.length > 300) return invalid("It is longer than 300 characters.")
  const withScheme = given.includes("://") ? given : `https://${given}`
  const url = parseUrl(withScheme)
  if (url === undefined) return invalid("It is not a host or a URL.")
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid("Its scheme must be https or http.")
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return invalid("It would send the key unencrypted.")
  if (url.username !== "" || url.password !== "") return invalid("It must not contain a user name or password.")
  if (url.search !== "" || url.hash !== "" || !["/", "/api/v1", "/api/v1/"].includes(url.pathname)) {
    return invalid("It must not have a path, query or fragment.")
  }
  return Result.succeed(`${url.origin}/api/v1`)
}
