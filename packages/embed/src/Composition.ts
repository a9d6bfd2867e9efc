/**
 * The composition that servers, the command line and host programs share: everything behind the surfaces, for one database
 * and one gateway. A host may replace any part with its own layer.
 */

import { type Failure, idsLayer, version } from "@svc/core"
import type { EmailGateway, InboxGateway } from "@svc/core/email"
import { ImportRunner } from "@svc/core/imports"
import * as Internal from "@svc/core/internal"
import { type LinkedInGateway, manualGatewayLayer, LinkedInPorts as Ports, SendOptions } from "@svc/core/outreach"
import { type Authentication, recentRightsLayer } from "@svc/core/workspace"
import * as Http from "@svc/http"
import { Memory, SimulatedGateway } from "@svc/memory"
import * as Postgres from "@svc/postgres"
import { BridgeGateway } from "@svc/providers/bridge"
import * as Unipile from "@svc/providers/unipile"
import { HttpClientDocuments } from "@svc/providers/webhooks"
import * as Effect from "effect/Effect"
import { TracerDisabledWhen } from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { catalogueLayer, type HostCommand, type HostResource } from "./catalogueLayer.ts"
import type { Hooks } from "./Hooks.ts"
import { emailLayer, type MailboxToken, mailLayer } from "./mailLayers.ts"
import { mcpRoutes } from "./mcpRoutes.ts"
import { badSettings, type GatewayName, gatewayProblems, type Settings } from "./Settings.ts"
import type { HttpOptions } from "./SvcOptions.ts"
import { providerOf } from "./settingValues.ts"
import { simulatorRoutes } from "./simulatorRoutes.ts"
import { type Services, type Stores, workersLayer } from "./workers.ts"

const readiness: Layer.Layer<Http.Readiness, never, SqlClient> = Layer.effect(
  Http.Readiness,
  Effect.map(Effect.context<SqlClient>(), (context) => ({
    check: Effect.provideContext(Postgres.requireReady, context),
    failures: Postgres.recentOutages
  }))
)

/** Where the tables are, as a host says it. */
export interface DatabasePlace {
  /** The host's own connections, instead of those of `SVC_DATABASE_URL`. */
  readonly connections?: Postgres.HostConnections | undefined
  /** The schema of the tables; by default the first that has them, of the search path or `svc`. */
  readonly schema?: string | undefined
  /** The schema of new tables where none is named; by default the first of the search path. */
  readonly newSchema?: string
}

/**
 * The stores of a database, after waiting for it up to some seconds and migrating it. Fails with UNAVAILABLE or
 * WRONG_STATE.
 */
export const storesLayer = (
  settings: Settings,
  { connections, waitSeconds = 0, ...schemas }: DatabasePlace & { readonly waitSeconds?: number } = {}
): Layer.Layer<Stores, Failure> => {
  const { databaseUrl } = settings
  const source: Postgres.HostDatabase | typeof databaseUrl =
    connections === undefined ? databaseUrl : { _tag: "Host", client: connections, label: "of the host" }
  if (source._tag === "Memory") {
    return Layer.mergeAll(
      Memory.layer,
      idsLayer,
      Layer.succeed(Http.Readiness, { check: Effect.void, failures: Effect.succeed([]) })
    )
  }
  return Layer.mergeAll(
    Postgres.Repositories.layer,
    idsLayer,
    readiness,
    Postgres.AutoAnalyze.layer,
    Postgres.SendingHoldPg.layer(settings.heartbeatGapSeconds, settings.onFailover)
  ).pipe(
    Layer.provide(Postgres.DeploymentKeys.layer(settings.deploymentKeys)),
    Layer.provideMerge(
      Postgres.databaseLayer(source, {
        ...schemas,
        migrate: true,
        maxConnections: settings.dbPool,
        share: settings.dbShare,
        statementSeconds: settings.statementTimeoutSeconds,
        searchSeconds: settings.searchTimeoutSeconds,
        waitSeconds
      })
    )
  )
}

const namedGateway = (name: GatewayName, settings: Settings): Layer.Layer<LinkedInGateway, Failure> => {
  const { bridgeSecret, bridgeUrl, unipileApiKey, unipileDsn } = settings
  const problems = gatewayProblems(name, settings)
  if (problems.length > 0) return Layer.effectContext(Effect.fail(badSettings(problems)))
  if (name === "unipile" && unipileDsn !== undefined && unipileApiKey !== undefined) {
    return Unipile.layer({ dsn: unipileDsn, apiKey: unipileApiKey })
  }
  if (name === "http" && bridgeUrl !== undefined && bridgeSecret !== undefined) {
    return BridgeGateway.layer({ url: bridgeUrl, secret: bridgeSecret })
  }
  return name === "simulator"
    ? SimulatedGateway.layer({ acceptSeconds: settings.simulatorAcceptSeconds })
    : manualGatewayLayer
}

/** A gateway by name, or a host's own. Fails with INVALID_INPUT when settings are missing. */
export const gatewayLayer = (gateway: GatewayName | Layer.Layer<LinkedInGateway>, settings: Settings) =>
  typeof gateway === "string" ? namedGateway(gateway, settings) : gateway

/** The page of `@svc/console`, loaded when somebody asks for it. */
const builtPage: Effect.Effect<Http.WebPage> = Effect.promise(async () => (await import("@svc/console")).page)

/** Options of a process. */
export interface CompositionOptions {
  /** Whether this process sends messages, webhooks and e-mails that are due. */
  readonly worker: boolean
  /** Whether it is a process of its own: it waits for its database, and may have an admin port. Default false. */
  readonly isService?: boolean
  /** Whether callers name organizations themselves, where keys would name only those that exist. Default false. */
  readonly isHost?: boolean
  readonly database?: DatabasePlace
  readonly gateway?: GatewayName | Layer.Layer<LinkedInGateway> | undefined
  /** Replaces the e-mail gateway of the settings. */
  readonly email?: Layer.Layer<EmailGateway> | undefined
  /** Replaces how mailboxes are read. */
  readonly inbox?: Layer.Layer<InboxGateway> | undefined
  readonly mailboxToken?: MailboxToken | undefined
  readonly publicUrl?: () => string
  /** What the HTTP surface serves, and where. */
  readonly http?: HttpOptions | undefined
  /** Replaces the review page. */
  readonly page?: Effect.Effect<Http.WebPage> | undefined
  /** Whether webhooks may reach this machine, if the settings do not say. */
  readonly loopbackTargets?: boolean
  /** Requests per minute and key; default that of the settings. */
  readonly rateLimit?: number | undefined
  readonly mcpActorKind?: Settings["mcpActorKind"] | undefined
  /** Additional commands. */
  readonly commands?: ReadonlyArray<HostCommand> | undefined
  /** Additional resources. */
  readonly resources?: ReadonlyArray<HostResource> | undefined
  readonly hooks?: Hooks | undefined
  /** Replaces authentication by bearer keys. */
  readonly caller?: Layer.Layer<Http.Caller, never, Authentication | Http.HttpSettings> | undefined
  /** Additional routes. */
  readonly routes?: Layer.Layer<never, never, Stores>
  /** Host names allowed at `/mcp`; undefined for any, in a host program that checks them itself. */
  readonly mcpHosts?: () => ReadonlyArray<string> | undefined
  /** Replacements for services such as repositories and clock. */
  readonly replace?: Layer.Layer<never, Failure, never> | undefined
}

/** Adds routes to those of the surface. */
const withRoutes = <R>(routes: Effect.Effect<ReadonlyArray<Http.Route>, never, R>) =>
  Layer.effect(
    Http.ExtraRoutes,
    Effect.zipWith(Http.ExtraRoutes, routes, (others, added) => [...others, ...added])
  )

/** Adds the routes for signing in, loaded only where the review page is served. */
const withSignIn = (settings: Settings) =>
  withRoutes(
    Effect.flatMap(
      Effect.promise(() => import("@svc/auth")),
      ({ signInRoutes }) => signInRoutes(providerOf(settings))
    )
  ).pipe(Layer.provide(HttpClientDocuments.layer))

/** Limits in Redis if configured, otherwise in this process. */
const limitsLayer = ({ redis }: Settings, requestsPerMinute: number) =>
  redis === undefined || requestsPerMinute === 0
    ? Http.httpAppLayerLimitsInProcess
    : Layer.unwrap(Effect.promise(async () => (await import("@svc/http/redis")).sharedLimitsLayer(redis)))

/** The surface traces requests itself, with their routes; the server must not. */
const noServerSpans = Layer.succeed(TracerDisabledWhen, () => true)

/** Telemetry, loaded only if configured. */
const telemetryLayer = ({ otlp }: Settings): Layer.Layer<never> =>
  otlp === undefined
    ? Layer.empty
    : Layer.unwrap(Effect.promise(async () => (await import("./Telemetry.ts")).layer(otlp)))

/** The whole service. Fails when the database cannot be opened. */
export const fromSettings = (settings: Settings, options: CompositionOptions): Layer.Layer<Services, Failure> => {
  const gateway = options.gateway ?? settings.linkedinGateway ?? "simulator"
  const publicUrl = options.publicUrl ?? (() => settings.publicUrl)
  const base = Layer.mergeAll(
    // What a simulator sends may be sent again.
    storesLayer(gateway === "simulator" ? { ...settings, heartbeatGapSeconds: 0 } : settings, {
      ...options.database,
      waitSeconds: options.isService === true ? settings.databaseWaitSeconds : 0
    }),
    gatewayLayer(gateway, settings),
    Layer.succeed(SendOptions, {
      ...Internal.defaultSendOptions,
      holdSeconds: settings.sendHoldSeconds,
      pacing: settings.linkedinPacing === "on"
    }),
    Layer.succeed(Internal.PublicUrl, publicUrl),
    Layer.succeed(Internal.NoticeSender, settings.noticeFrom),
    Layer.succeed(Internal.WebhookSecret, settings.unipileWebhookSecret)
  )
  const stores = options.replace === undefined ? base : Layer.merge(base, options.replace)
  const requestsPerMinute = options.rateLimit ?? settings.rateLimit
  const hasReviewPage = options.http?.review !== false
  const allowedHosts = () => {
    const names = options.mcpHosts?.()
    return { names: names ?? [], open: names === undefined }
  }
  const http = Layer.succeed(Http.HttpSettings, {
    version,
    requestsPerMinute,
    trustedProxies: settings.trustedProxies,
    health: options.http?.health ?? !(options.isService === true && settings.adminPort !== undefined),
    docs: options.http?.docs ?? true,
    review: hasReviewPage ? { load: options.page ?? builtPage, fromRoot: options.isHost !== true } : undefined,
    mount: options.http?.mount ?? "",
    publicUrl
  })
  const targets = Layer.succeed(Internal.WebhookTargets, {
    allowPrivate: settings.allowPrivateTargets === true,
    allowLoopback: options.loopbackTargets === true && settings.allowPrivateTargets === undefined
  })
  const email = options.email ?? emailLayer(settings, gateway)
  const workers = workersLayer(settings, options.worker).pipe(Layer.provide(email))
  return Layer.mergeAll(Http.httpHandlersLayer, workers).pipe(
    Layer.provideMerge(Http.httpAppLayer),
    Layer.provide(
      gateway === "simulator"
        ? withRoutes(simulatorRoutes(settings.smtp !== undefined || options.email !== undefined))
        : Layer.empty
    ),
    Layer.provide(Layer.merge(Internal.inboundReceiverLayer, Internal.mailReceiverLayer)),
    Layer.provide(withRoutes(mcpRoutes(allowedHosts, options.mcpActorKind ?? settings.mcpActorKind))),
    Layer.provide(hasReviewPage ? withSignIn(settings) : Layer.empty),
    Layer.provide(options.caller ?? Http.callerLayerBearer),
    Layer.provide(Layer.mergeAll(http, limitsLayer(settings, requestsPerMinute), options.routes ?? Layer.empty)),
    Layer.provideMerge(
      Layer.mergeAll(
        catalogueLayer(options.commands ?? [], options.resources ?? [], options.hooks, options.isHost === true),
        Internal.authenticationLayer,
        Internal.grantsLayer,
        Internal.signInLayer
      )
    ),
    Layer.provide(ImportRunner.layer),
    Layer.provide(Ports.layer),
    Layer.provideMerge(mailLayer(settings, gateway === "simulator" && settings.smtp === undefined, options)),
    Layer.provide(targets),
    Layer.provideMerge(recentRightsLayer),
    Layer.provideMerge(stores),
    Layer.provideMerge(Layer.merge(telemetryLayer(settings), noServerSpans))
  )
}
