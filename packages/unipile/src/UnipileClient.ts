/**
 * Calls of the provider's API: addresses, headers, patience; and how a call ended, for reads and for writes.
 *
 * A read is repeated twice after a 5xx. A write is never repeated. Nothing here fails or throws,
 * and nothing that leaves here holds the key.
 *
 * Source: mission research 5.2; contract 7 "Sending".
 */

import { callProvider, type ProviderAnswer, type ProviderBody } from "@svc/core/linkedin/bridge/ProviderCall"
import { jsonOrUndefined } from "@svc/core/linkedin/bridge/ProviderText"
import type { Confirmed, Refused, SendResult, Unavailable } from "@svc/core/linkedin/LinkedInGateway"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import { type UnipileOptions, usualTimeouts } from "./UnipileOptions.ts"
import { type Misconfigured, verdictOf } from "./UnipileRefusal.ts"

/** A query parameter; an undefined value leaves it out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** A call: the path under `/api/v1` in raw segments, so that no id can lead to another route. */
export interface UnipileCall {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: ReadonlyArray<string>
  readonly query?: Query
  readonly body?: ProviderBody
}

/** A read that was answered. `body` is JSON of any shape. */
export interface Found {
  readonly _tag: "Found"
  readonly body: unknown
}

/** The provider failed while it worked, or answered what nobody can read. A read may be tried again. */
export interface Broken {
  readonly _tag: "Broken"
  readonly detail: string
}

/** How a read ended. */
export type ReadEnd = Found | Refused | Unavailable | Misconfigured | Broken

/** The calls. */
export interface UnipileClient {
  readonly read: (call: UnipileCall, patience?: "read" | "search") => Effect.Effect<ReadEnd>
  /** `confirm` reads a 2xx body: undefined when it is not what the route answers, which leaves the end unknown. */
  readonly write: (call: UnipileCall, confirm: (body: unknown) => Confirmed | undefined) => Effect.Effect<SendResult>
}

/** What a person has to correct, said without the key. */
export const keyTrouble = (providerCode: string): string =>
  `The provider refuses our key (${providerCode}). Check SVC_UNIPILE_API_KEY and SVC_UNIPILE_DSN.`

// A URL drops the segments . and .. even where they are escaped, which would lead to another route.
const segment = (text: string): string =>
  text === "" || text === "." || text === ".." ? "-" : encodeURIComponent(text.toWellFormed())

const address = (base: string, { path, query = {} }: UnipileCall): string => {
  const url = `${base}/${path.map(segment).join("/")}`
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value))
  return parameters.size === 0 ? url : `${url}?${parameters}`
}

const readEnd = (answer: ProviderAnswer): ReadEnd => {
  if (answer._tag === "NotSent") return { _tag: "Unavailable", detail: answer.detail }
  if (answer._tag === "Lost") return { _tag: "Broken", detail: answer.detail }
  const body = jsonOrUndefined(answer.text)
  if (answer.status >= 200 && answer.status < 300) {
    return body === undefined
      ? { _tag: "Broken", detail: "The provider did not answer JSON." }
      : { _tag: "Found", body }
  }
  const verdict = verdictOf(answer.status, body, answer.headers["retry-after"])
  return verdict._tag === "Undecided"
    ? { _tag: "Broken", detail: `The provider failed (${verdict.providerCode}).` }
    : verdict
}

const isWorthRepeating = (answer: ProviderAnswer): boolean =>
  answer._tag === "Answered" && answer.status >= 500 && answer.status !== 501

const writeEnd = (answer: ProviderAnswer, confirm: (body: unknown) => Confirmed | undefined): SendResult => {
  if (answer._tag === "NotSent") return { _tag: "Unavailable", detail: answer.detail }
  if (answer._tag === "Lost") return { _tag: "Unknown", detail: answer.detail }
  const body = jsonOrUndefined(answer.text)
  if (answer.status >= 200 && answer.status < 300) {
    return (
      confirm(body) ?? { _tag: "Unknown", detail: `The provider's answer (${answer.status}) cannot be understood.` }
    )
  }
  const verdict = verdictOf(answer.status, body, answer.headers["retry-after"])
  switch (verdict._tag) {
    case "Undecided":
      return { _tag: "Unknown", detail: `The provider failed while it worked (${verdict.providerCode}).` }
    case "Misconfigured":
      return { _tag: "Unavailable", detail: keyTrouble(verdict.providerCode) }
    default:
      return verdict
  }
}

/** Makes the calls for a base address from {@link parseDsn}. */
export const makeClient = (
  base: string,
  { apiKey, timeouts: given }: UnipileOptions,
  http: HttpClient.HttpClient
): UnipileClient => {
  const timeouts = { ...usualTimeouts, ...given }
  const once = (call: UnipileCall, timeoutMillis: number): Effect.Effect<ProviderAnswer> =>
    Effect.suspend(() =>
      callProvider({
        method: call.method,
        url: address(base, call),
        headers: { "x-api-key": Redacted.value(apiKey), accept: "application/json" },
        body: call.body ?? { _tag: "Empty" },
        timeoutMillis
      })
    ).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call, patience = "read") =>
      Effect.gen(function* () {
        let answer = yield* once(call, timeouts[patience])
        for (const pause of timeouts.pauses) {
          if (!isWorthRepeating(answer)) break
          yield* Effect.sleep(pause)
          answer = yield* once(call, timeouts[patience])
        }
        return readEnd(answer)
      }),
    write: (call, confirm) => Effect.map(once(call, timeouts.write), (answer) => writeEnd(answer, confirm))
  }
}
