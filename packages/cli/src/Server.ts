/**
 * `svc dev` and `svc serve`: the service on a port until it is told to stop.
 *
 * Source: contract 2 (ready line, dev block), 4 (owner of an embedded folder), 7 (SIGTERM; memory prints its key).
 */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type Failure, fail } from "@svc/core/Failure"
import { version } from "@svc/core/Version"
import { Authentication } from "@svc/core/workspace/Authentication"
import { bootstrap } from "@svc/core/workspace/Provisioning"
import * as Composition from "@svc/embed/Composition"
import { mcpPath } from "@svc/embed/mcpRoutes"
import { plantSample } from "@svc/embed/Sample"
import type { GatewayName, Settings } from "@svc/embed/Settings"
import { ExtraRoutes } from "@svc/http/HttpApp"
import { metricsRoute } from "@svc/http/metricsRoute"
import { serve } from "@svc/http/NodeServer"
import { Database } from "@svc/postgres/Database"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { devKey, devKeyFile } from "./devKey.ts"
import { out, outJson } from "./Output.ts"
import { operatorRoute } from "./operatorRoute.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"

/** How to serve. */
export interface ServerOptions {
  readonly kind: "dev" | "serve"
  readonly settings: Settings
  readonly worker: boolean
  /** Plant the sample data, unless it is there. */
  readonly sample: boolean
  readonly json: boolean
}

/** Databases as ready lines name them. */
export const backends = { Postgres: "postgres", Pglite: "pglite", Memory: "memory" } as const

const sendingLines: Readonly<Record<GatewayName, string>> = {
  simulator: "simulated: nothing leaves this machine",
  manual: "by hand: people send what was approved and settle it with linkedin.queue.resolve",
  unipile: "through Unipile",
  http: "through the HTTP bridge"
}

/** How messages leave, for people. */
export const sendingLine = (gateway: GatewayName): string => sendingLines[gateway]

const gatewayOf = ({ kind, settings }: ServerOptions): GatewayName =>
  settings.linkedinGateway ?? (kind === "dev" ? "simulator" : "manual")

/** Names that agents may use for this process: any, where it listens on every address and no one has said its own. */
const mcpHosts = ({ host, publicUrl }: Settings): ReadonlyArray<string> | undefined => {
  if (publicUrl !== undefined) return [new URL(publicUrl).hostname.toLowerCase(), shownHost(host)]
  return host === "0.0.0.0" || host === "::" ? undefined : [shownHost(host)]
}

const shownHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

/** What a newcomer is given: a key, and the organization where that must be said. */
interface FirstKey {
  readonly text: string
  readonly organizationId: string
}

/** The key of the first organization where this start makes one: a given key, `memory:`, or `svc dev`. */
const firstKey = Effect.fnUntraced(function* ({ kind, settings }: ServerOptions) {
  const given = settings.bootstrapKey
  const made =
    given !== undefined
      ? yield* bootstrap("default", Redacted.value(given))
      : settings.databaseUrl._tag === "Memory"
        ? yield* bootstrap(kind)
        : undefined
  if (made !== undefined) return { text: made.text, organizationId: made.organization.id }
  if (kind === "serve") return undefined
  const text = yield* devKey
  const { organizationId } = yield* (yield* Authentication).authenticate(text)
  return { text, organizationId }
})

const readyLine = ({ settings }: ServerOptions, url: string, key: FirstKey | undefined): unknown => ({
  event: "ready",
  url,
  database: backends[settings.databaseUrl._tag],
  version,
  ...(settings.databaseUrl._tag === "Memory" && key !== undefined
    ? { organization_id: key.organizationId, api_key: key.text }
    : {})
})

const block = (options: ServerOptions, url: string, key: FirstKey | undefined): string => {
  const { databaseUrl } = options.settings
  const where = databaseUrl._tag === "Pglite" ? `${resolve(databaseUrl.directory)} (embedded)` : databaseUrl.label
  const lines: ReadonlyArray<readonly [string, string]> = [
    ["API", `${url}/api/v1`],
    ["Docs", `${url}/docs`],
    ["MCP", `${url}${mcpPath}`],
    ...(key === undefined ? [] : [["Key", key.text] as const]),
    ["Data", where],
    ["Sending", sendingLine(gatewayOf(options))],
    ...(options.kind === "serve"
      ? []
      : ([
          [
            "Next",
            databaseUrl._tag === "Memory"
              ? `export SVC_API_KEY=${key?.text ?? ""}`
              : `export SVC_API_KEY_FILE=${devKeyFile}`
          ],
          ["", `${databaseUrl._tag === "Memory" ? `export SVC_BASE_URL=${url}; ` : ""}npx svc commands list`],
          ["", "npx svc resources read svc://status"]
        ] as const))
  ]
  return `svc ${version} is ready.\n\n${lines.map(([name, text]) => `  ${name.padEnd(8)} ${text}`).join("\n")}\n`
}

/** Tells the folder's other users where this process listens. */
export const publish = (url: string, token: Redacted.Redacted<string>) =>
  Effect.flatMap(
    Effect.serviceOption(Database),
    Option.match({ onNone: () => Effect.void, onSome: (database) => database.publish({ url, token }) })
  )

/** A token for the operators' door. */
export const newToken = (): Redacted.Redacted<string> =>
  Redacted.make(randomBytes(32).toString("base64url"), { label: "operator token" })

/** The operators' door, where only this process can change the database. */
export const operatorDoors = (settings: Settings, token: Redacted.Redacted<string>) =>
  Layer.effect(
    ExtraRoutes,
    Effect.map(operatorRoute(token), (route) => (settings.databaseUrl._tag === "Pglite" ? [route] : []))
  )

/** What only a process of the product's own has beside the API: figures, and the operators' door where it is needed. */
const serverRoutes = (settings: Settings, token: Redacted.Redacted<string>) =>
  Layer.effect(
    ExtraRoutes,
    Effect.gen(function* () {
      return [...(yield* ExtraRoutes), yield* metricsRoute(version, settings.dbPool)]
    })
  ).pipe(Layer.provide(operatorDoors(settings, token)))

/** Serves until interrupted. Fails before it is ready when the database or the address cannot be had. */
export const runServer = (options: ServerOptions): Effect.Effect<never, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const { settings } = options
    const token = newToken()
    let url = ""
    const publicUrl = () => settings.publicUrl ?? url
    const services = Composition.fromSettings(settings, {
      worker: options.worker,
      publicUrl,
      // What only this machine can ask for may answer to this machine.
      loopbackTargets: options.kind === "dev" && isLoopback(settings.host),
      gateway: gatewayOf(options),
      routes: serverRoutes(settings, token),
      mcpHosts: () => mcpHosts(settings)
    })
    const opened = yield* ownerOrOpen(settings.databaseUrl, Layer.build(services))
    if (opened._tag === "Owner") return yield* fail("UNAVAILABLE", opened.owner.sentence)
    return yield* Effect.gen(function* () {
      const key = yield* firstKey(options)
      const port = yield* serve({ host: settings.host, port: settings.port })
      url = `http://${shownHost(settings.host)}:${port}`
      yield* publish(url, token)
      if (options.sample && key !== undefined) {
        yield* plantSample(yield* (yield* Authentication).authenticate(key.text))
      }
      yield* options.json ? outJson(readyLine(options, url, key), true) : out(block(options, url, key))
      return yield* Effect.never
    }).pipe(Effect.provideContext(opened.value))
  })
