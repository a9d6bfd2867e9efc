/**
 * The service that a client command talks to. Wherever it is, it is asked the same HTTP requests, so every answer is the
 * server's own. Source: contract 2.
 */
import { type Failure, fail } from "@svc/core/Failure"
import type { Settings } from "@svc/embed/Settings"
import type { FetchHandler } from "@svc/http/Hosts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { FoundKey } from "./ApiKey.ts"
import { type Ask, send, textOf } from "./ask.ts"

/** Where the service is: at an address, or in this process on a database. */
export interface Place {
  readonly kind: "server" | "owner" | "embedded"
  /** Safe to show. */
  readonly label: string
}

/** One answer, decoded. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** The `data` of an answer; nothing is known of its shape. */
export const dataOf = (reply: Reply): Readonly<Record<string, unknown>> => Object(Object(reply.body).data)

/** A service that was found. */
export interface Target {
  readonly place: Place
  readonly key: FoundKey | undefined
  /** Fails with UNAVAILABLE when nobody answers, or something that is not this service. */
  readonly ask: (ask: Ask) => Effect.Effect<Reply, Failure>
}

/** Sends a request with the headers of its caller, and answers the status and the text of the body. */
export type Send = (
  ask: Ask,
  signal: AbortSignal
) => Promise<{ readonly status: number; readonly text: () => Promise<string> }>

const refusesConnections = (error: unknown): boolean =>
  ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(String(Reflect.get(Object(error), "code")))

const unreachable = (label: string): Failure =>
  fail("UNAVAILABLE", `Nothing answers at ${label}. Start it with svc serve, or correct SVC_BASE_URL.`)

const brokeOff = (label: string): Failure =>
  fail("UNAVAILABLE", `The connection to ${label} broke off. Run the same command again: it goes on where it stopped.`)

/** The service behind `transport`, asked with the key. */
export const targetOf = (place: Place, key: FoundKey | undefined, transport: Send): Target => ({
  place,
  key,
  ask: ({ headers, ...ask }) =>
    Effect.tryPromise({
      try: (signal) =>
        transport(
          {
            ...ask,
            headers: {
              ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key.key)}` }),
              ...headers
            }
          },
          signal
        ),
      catch: (error) =>
        ask.body === undefined || refusesConnections(error) ? unreachable(place.label) : brokeOff(place.label)
    }).pipe(
      Effect.flatMap(({ status, text }) =>
        Effect.tryPromise({
          try: async (): Promise<Reply> => ({ status, body: JSON.parse(await text()) }),
          catch: () =>
            fail(
              "UNAVAILABLE",
              `What answers at ${place.label} (status ${status}) is not this service, or broke off. Correct SVC_BASE_URL, or try again.`
            )
        })
      )
    )
})

/** The service at an address. */
export const remote = (kind: "server" | "owner", base: string, key: FoundKey | undefined): Target =>
  targetOf({ kind, label: base }, key, async (ask, signal) => {
    const response = await (ask.body === undefined ? send(base, ask) : send(base, ask, undefined, signal))
    return { status: response.statusCode ?? 0, text: () => textOf(response) }
  })

/** An address without query and closing slash. Fails with INVALID_INPUT for what is none. */
export const address = (text: string): Effect.Effect<string, Failure> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
    : Effect.fail(fail("INVALID_INPUT", "SVC_BASE_URL (or --base-url) must be an http or https address."))
}

/** Opens a database in this process, and answers how to ask it. */
export type Open = (settings: Settings) => Effect.Effect<FetchHandler, Failure, Scope.Scope>
