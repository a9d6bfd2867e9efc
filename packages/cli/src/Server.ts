/** `svc dev` and `svc serve`: the service on a port. `svc worker`: its worker without the server; any number share one PostgreSQL. */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type Failure, isLoopback, version, WrongState } from "@svc/core"
import { createSignInLink } from "@svc/core/internal"
import { SendingHold } from "@svc/core/outreach"
import { Authentication, bootstrap, Workspaces } from "@svc/core/workspace"
import { Composition, type GatewayName, mcpPath, type Settings, seedSample } from "@svc/embed/composition"
import { ExtraRoutes, metricsRoute } from "@svc/http"
import { serve } from "@svc/http/node"
import { Database } from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { loadHostConfig } from "./hostConfig.ts"
import { devKey, devKeyFile } from "./Operator.ts"
import { out, outJson } from "./Output.ts"
import { openAlone } from "./ownerOrOpen.ts"
import { operatorRoute } from "./runOperator.ts"
import { type ServiceKind, untilStopped } from "./serviceLogs.ts"

/** How to serve. */
export interface ServerOptions {
  readonly kind: Exclude<ServiceKind, "worker">
  readonly settings: Settings
  readonly worker: boolean
  /** Adds the sample data, unless it exists. */
  readonly sample: boolean
  readonly json: boolean
}

/** Names of databases in ready lines. */
const backends = { Postgres: "postgres", Pglite: "pglite", Memory: "memory" } as const

const sendingLines: Readonly<Record<GatewayName, string>> = {
  simulator: "simulated: nothing leaves this machine",
  manual: "manual: send approved messages yourself, then mark them with svc linkedin queue resolve",
  unipile: "through Unipile",
  http: "through the HTTP bridge"
}

/** How messages are sent, or why not, for people. */
const sendingLine = (gateway: GatewayName, ownName: string | undefined, worker = true) =>
  Effect.gen(function* () {
    const { hold } = yield* (yield* SendingHold).current
    if (hold !== undefined) return `held (${hold.reason}): nothing is sent; see svc sending status`
    const how = ownName === undefined ? sendingLines[gateway] : `through ${ownName}, of svc.config.js`
    return worker ? how : `${how}, by svc worker: this process has none (--no-worker)`
  })

const gatewayOf = ({ kind, settings }: ServerOptions): GatewayName =>
  settings.linkedinGateway ?? (kind === "dev" ? "simulator" : "manual")

/** Host names allowed at `/mcp`; undefined for any, if it listens on every address and has no public URL. */
const mcpHosts = ({ host, publicUrl }: Settings): ReadonlyArray<string> | undefined => {
  if (publicUrl !== undefined) return [new URL(publicUrl).hostname.toLowerCase(), shownHost(host)]
  return host === "0.0.0.0" || host === "::" ? undefined : [shownHost(host)]
}

const shownHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

/** Creates or finds the first key and its organization, for SVC_BOOTSTRAP_KEY, `memory:` and `svc dev`. */
const firstKey = Effect.fnUntraced(function* ({ kind, settings }: ServerOptions) {
  const given = settings.bootstrapKey
  const made =
    given !== undefined
      ? yield* bootstrap("default", Redacted.value(given))
      : settings.databaseUrl._tag === "Memory"
        ? yield* bootstrap(kind)
        : undefined
  if (made !== undefined) return { text: made.text, keyId: made.key.keyId, organizationId: made.organization.id }
  if (kind === "serve") return undefined
  const text = yield* devKey
  const { keyId, organizationId } = yield* (yield* Authentication).authenticate(text)
  return { text, keyId: keyId ?? "", organizationId }
})

type FirstKey = Effect.Success<ReturnType<typeof firstKey>>

/** Lines of a name and a text for people, without those that have no text. */
const factsText = (title: string, lines: ReadonlyArray<readonly [string, string | undefined]>): string => {
  const shown = lines.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name.padEnd(8)} ${text}`]))
  return `svc ${version} ${title}.\n\n${shown.join("\n")}\n`
}

/** A server that is ready. `ownGateway` is the name of the host's own gateway. */
interface Ready {
  readonly url: string
  readonly adminUrl: string | undefined
  readonly key: FirstKey
  readonly ownGateway: string | undefined
}

const readyLine = ({ settings }: ServerOptions, { adminUrl, key, url }: Ready): unknown => ({
  event: "ready",
  url,
  database: backends[settings.databaseUrl._tag],
  version,
  admin_url: adminUrl,
  ...(settings.databaseUrl._tag === "Memory" && key !== undefined
    ? { organization_id: key.organizationId, api_key: key.text }
    : {})
})

/** What a developer does next; on a server without organizations, what an operator does. */
const nextSteps = ({ kind, settings }: ServerOptions, { key, url }: Ready, isEmpty: boolean): ReadonlyArray<string> => {
  if (kind === "serve") return isEmpty ? ['svc orgs create "My company"'] : []
  const isMemory = settings.databaseUrl._tag === "Memory"
  return [
    isMemory ? `export SVC_API_KEY=${key?.text ?? ""}` : `export SVC_API_KEY_FILE=${devKeyFile}`,
    `${isMemory ? `export SVC_BASE_URL=${url}; ` : ""}npx svc commands list`,
    "npx svc resources read svc://status"
  ]
}

const banner = Effect.fnUntraced(function* (
  options: ServerOptions,
  ready: Ready,
  reviewPath: string,
  isEmpty: boolean
) {
  const { databaseUrl, publicUrl } = options.settings
  const { adminUrl, key, ownGateway, url } = ready
  return factsText("is ready", [
    ["Review", `${url}${reviewPath}`],
    ["API", `${url}/api/v1`],
    ["Docs", `${url}/docs`],
    ["MCP", `${url}${mcpPath}`],
    ["Public", publicUrl],
    ["Admin", adminUrl],
    ["Key", key?.text],
    ["Data", databaseUrl._tag === "Pglite" ? `${resolve(databaseUrl.directory)} (embedded)` : databaseUrl.label],
    ["Sending", yield* sendingLine(gatewayOf(options), ownGateway, options.worker)],
    ...nextSteps(options, ready, isEmpty).map((text, index) => [index === 0 ? "Next" : "", text] as const)
  ])
})

/** The path of the review page; for `svc dev`, which prints its key as well, a one-time link. */
const reviewPath = ({ kind }: ServerOptions, key: FirstKey) =>
  kind === "serve" || key === undefined
    ? Effect.succeed("/review")
    : Effect.catch(createSignInLink(key.keyId), () => Effect.succeed("/review"))

/** Publishes the URL of this process to other users of the folder. */
export const publishUrl = Effect.fnUntraced(function* (url: string, token: Redacted.Redacted<string>) {
  const database = yield* Effect.serviceOption(Database)
  if (Option.isSome(database)) yield* database.value.publish({ url, token })
})

/** A token for the operator endpoint. */
export const newToken = () => Redacted.make(randomBytes(32).toString("base64url"), { label: "operator token" })

/** The operator endpoint, for an embedded database. */
export const operatorRoutes = (settings: Settings, token: Redacted.Redacted<string>) =>
  Layer.effect(
    ExtraRoutes,
    Effect.map(operatorRoute(token), (route) => (settings.databaseUrl._tag === "Pglite" ? [route] : []))
  )

/** The metrics of this process. */
const metricsRoutes = (settings: Settings) =>
  Layer.effect(
    ExtraRoutes,
    Effect.gen(function* () {
      return [...(yield* ExtraRoutes), yield* metricsRoute(version, settings.dbPool)]
    })
  )

/** Serves health and metrics on the admin port, if there is one, and returns its URL. */
const serveAdmin = ({ adminHost: host, adminPort: port }: Settings) =>
  port === undefined
    ? Effect.succeed(undefined)
    : Effect.map(serve({ host, port, isAdmin: true }), (found) => `http://${shownHost(host)}:${found}`)

/** Serves until interrupted. Fails if the database cannot be opened or it cannot listen. */
export const runServer = (options: ServerOptions): Effect.Effect<never, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const { settings } = options
    const token = newToken()
    const own = yield* loadHostConfig(process.env)
    let url = ""
    const publicUrl = () => settings.publicUrl ?? url
    const services = Composition.fromSettings(settings, {
      worker: options.worker,
      isService: true,
      publicUrl,
      // A service that only this machine can reach may send webhooks to this machine.
      loopbackTargets: options.kind === "dev" && isLoopback(settings.host),
      gateway: gatewayOf(options),
      routes: Layer.provide(metricsRoutes(settings), operatorRoutes(settings, token)),
      mcpHosts: () => mcpHosts(settings),
      ...own
    })
    const context = yield* openAlone(settings.databaseUrl, Layer.build(services))
    return yield* Effect.gen(function* () {
      const key = yield* firstKey(options)
      // Closed after the public port, so that it shows the end as well.
      const adminUrl = yield* serveAdmin(settings)
      const { host, port: wanted } = settings
      const port = yield* serve({
        host,
        port: wanted,
        drainSeconds: options.kind === "dev" ? 0 : settings.drainSeconds,
        keepAliveSeconds: settings.keepAliveSeconds
      })
      url = `http://${shownHost(settings.host)}:${port}`
      yield* publishUrl(url, token)
      if (options.sample && key !== undefined) {
        yield* seedSample(yield* (yield* Authentication).authenticate(key.text))
      }
      // Without an organization nobody has a key.
      const isEmpty = key === undefined && (yield* (yield* Workspaces).listOrganizations).length === 0
      const ready = { url, adminUrl, key, ownGateway: own.gatewayName }
      yield* options.json
        ? outJson(readyLine(options, ready), true)
        : out(yield* banner(options, ready, yield* reviewPath(options, key), isEmpty))
      const database = settings.databaseUrl.label
      return yield* untilStopped(options.kind, { url, adminUrl, database, worker: options.worker, version })
    }).pipe(Effect.provideContext(context))
  })

/**
 * Works until interrupted. Fails with WRONG_STATE for `memory:`, and with UNAVAILABLE if the database cannot be opened or
 * another process uses its folder.
 */
export const runWorker = Effect.fnUntraced(function* (settings: Settings, json: boolean) {
  const { databaseUrl } = settings
  if (databaseUrl._tag === "Memory") {
    return yield* new WrongState({
      message: "svc worker needs a persistent database. Set SVC_DATABASE_URL, or use svc dev."
    })
  }
  const own = yield* loadHostConfig(process.env)
  const named = settings.linkedinGateway ?? "manual"
  const gateway = own.gatewayName ?? named
  const routes = metricsRoutes(settings)
  const services = Composition.fromSettings(settings, { worker: true, isService: true, gateway: named, routes, ...own })
  const hint = " It already runs the worker; a separate worker needs PostgreSQL."
  const context = yield* openAlone(databaseUrl, Layer.build(services), hint)
  const adminUrl = yield* Effect.provideContext(serveAdmin(settings), context)
  const database = backends[databaseUrl._tag]
  yield* json
    ? outJson({ event: "ready", role: "worker", database, gateway, version, admin_url: adminUrl }, true)
    : out(
        factsText("worker is running", [
          ["Data", databaseUrl.label],
          ["Admin", adminUrl],
          ["Sending", yield* Effect.provideContext(sendingLine(named, own.gatewayName), context)]
        ])
      )
  return yield* untilStopped("worker", { adminUrl, database: databaseUrl.label, gateway, version })
})
