/**
 * The service that a client command talks to, found in this order: `--base-url`, `SVC_BASE_URL`, the process that owns
 * the embedded database's folder, and at last the database itself, opened in this process.
 *
 * Whichever it is, it is asked the same HTTP requests, so every answer is the server's own. Source: contract 2.
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Composition from "@svc/embed/Composition"
import { type Environment, readSettings, type Settings } from "@svc/embed/Settings"
import { Hosts } from "@svc/http/Hosts"
import { readOwner } from "@svc/postgres/FolderLock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { type FoundKey, findKey } from "./ApiKey.ts"

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

/** A request to the service. */
export interface Ask {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that was found. */
export interface Target {
  readonly place: Place
  readonly key: FoundKey | undefined
  /** Fails with UNAVAILABLE when nobody answers, GATEWAY_ERROR never: what is no JSON is UNAVAILABLE too. */
  readonly ask: (ask: Ask) => Effect.Effect<Reply, Failure>
}

const unreachable = (label: string): Failure =>
  fail("UNAVAILABLE", `Nothing answers at ${label}. Start it with svc serve, or correct SVC_BASE_URL.`)

const request = (base: string, { body, headers, method, path }: Ask, key: FoundKey | undefined): Request =>
  new Request(`${base}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key.key)}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(120_000)
  })

const talk =
  (send: (request: Request) => Promise<Response>, base: string, label: string, key: FoundKey | undefined) =>
  (ask: Ask): Effect.Effect<Reply, Failure> =>
    Effect.tryPromise({
      try: async () => {
        const response = await send(request(base, ask, key))
        const body: unknown = await response.json()
        return { status: response.status, body }
      },
      catch: () => unreachable(label)
    })

const address = (text: string): Effect.Effect<string, Failure> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
    : Effect.fail(fail("INVALID_INPUT", "SVC_BASE_URL (or --base-url) must be an http or https address."))
}

const embedded = (settings: Settings, key: FoundKey | undefined): Effect.Effect<Target, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Composition.fromSettings(settings, { worker: false, rateLimit: 0 }))
    const { fetch } = Context.get(context, Hosts)
    const { label } = settings.databaseUrl
    return {
      place: { kind: "embedded", label },
      key,
      ask: talk(fetch, "http://embedded.invalid", label, key)
    }
  })

/** The live owner of the settings' embedded folder, when it says where it listens. */
export const findOwner = (settings: Settings) =>
  settings.databaseUrl._tag === "Pglite"
    ? Effect.map(readOwner(settings.databaseUrl.directory), (owner) =>
        owner?.url == null ? undefined : { url: owner.url, token: owner.token }
      )
    : Effect.succeed(undefined)

/** Finds the service. Fails with INVALID_INPUT for bad settings, UNAVAILABLE when the database cannot be opened. */
export const findTarget = (
  environment: Environment,
  baseUrl: string | undefined
): Effect.Effect<Target, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const key = yield* findKey(environment)
    const chosen = baseUrl ?? environment["SVC_BASE_URL"]
    if (chosen !== undefined && chosen !== "") {
      const base = yield* address(chosen)
      return { place: { kind: "server", label: base }, key, ask: talk(fetch, base, base, key) }
    }
    const settings = yield* Effect.fromResult(readSettings(environment))
    const owner = yield* findOwner(settings)
    if (owner === undefined) return yield* embedded(settings, key)
    return { place: { kind: "owner", label: owner.url }, key, ask: talk(fetch, owner.url, owner.url, key) }
  })
