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
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { type FoundKey, findKey } from "./ApiKey.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"

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

/** A request to the service. `json` is a body, sent as it is written. */
export interface Ask {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that was found. */
export interface Target {
  readonly place: Place
  readonly key: FoundKey | undefined
  /** Fails with UNAVAILABLE when nobody answers, or something that is not this service. */
  readonly ask: (ask: Ask) => Effect.Effect<Reply, Failure>
}

const request = (base: string, { headers, json, method, path }: Ask, key: FoundKey | undefined): Request =>
  new Request(`${base}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key.key)}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(json === undefined ? {} : { body: json }),
    redirect: "manual",
    signal: AbortSignal.timeout(120_000)
  })

const talk =
  (send: (request: Request) => Promise<Response>, base: string, label: string, key: FoundKey | undefined) =>
  (ask: Ask): Effect.Effect<Reply, Failure> =>
    Effect.tryPromise({
      try: () => send(request(base, ask, key)),
      catch: () => fail("UNAVAILABLE", `Nothing answers at ${label}. Start it with svc serve, or correct SVC_BASE_URL.`)
    }).pipe(
      Effect.flatMap((response) =>
        Effect.tryPromise({
          try: async (): Promise<Reply> => ({ status: response.status, body: await response.json() }),
          catch: () =>
            fail(
              "UNAVAILABLE",
              `What answers at ${label} (status ${response.status}) is not this service, or broke off. Correct SVC_BASE_URL, or try again.`
            )
        })
      )
    )

const address = (text: string): Effect.Effect<string, Failure> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
    : Effect.fail(fail("INVALID_INPUT", "SVC_BASE_URL (or --base-url) must be an http or https address."))
}

/** The service on the database itself. A PostgreSQL is somebody's real workspace, where nothing is simulated unasked. */
const embedded = (settings: Settings): Effect.Effect<Context.Context<Hosts>, Failure, Scope.Scope> => {
  const gateway = settings.linkedinGateway ?? (settings.databaseUrl._tag === "Postgres" ? "manual" : "simulator")
  return Layer.build(Composition.fromSettings(settings, { worker: false, rateLimit: 0, gateway }))
}

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
    const { label } = settings.databaseUrl
    const found = yield* ownerOrOpen(settings.databaseUrl, embedded(settings))
    if (found._tag === "Owner") {
      const { url } = found.owner
      return { place: { kind: "owner", label: url }, key, ask: talk(fetch, url, url, key) }
    }
    const hosts = Context.get(found.value, Hosts)
    return { place: { kind: "embedded", label }, key, ask: talk(hosts.fetch, "http://embedded.invalid", label, key) }
  })
