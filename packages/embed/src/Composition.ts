/**
 * Everything behind the surfaces, put together for one database and one gateway: the composition that servers, the
 * command line and host programs share.
 *
 * A host may replace any part by giving its own layer. Source: architecture, "Packages"; contract 5.
 */

import * as SealWorker from "@svc/core/audit/SealWorker"
import * as Catalog from "@svc/core/Catalog"
import type * as Command from "@svc/core/Command"
import { type Commands, commands, restCommands } from "@svc/core/commands"
import * as Dispatch from "@svc/core/Dispatch"
import * as EmailGateway from "@svc/core/email/EmailGateway"
import * as EmailWorker from "@svc/core/email/sending/EmailWorker"
import type { Failure } from "@svc/core/Failure"
import * as Ids from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import * as BridgeGateway from "@svc/core/linkedin/bridge/BridgeGateway"
import * as GatewayAdditions from "@svc/core/linkedin/bridge/GatewayAdditions"
import * as InboundReceiver from "@svc/core/linkedin/inbound/InboundReceiver"
import { WebhookSecret } from "@svc/core/linkedin/inbound/WebhookToken"
import type { LinkedInGateway } from "@svc/core/linkedin/LinkedInGateway"
import * as Ports from "@svc/core/linkedin/LinkedInPorts"
import * as ManualGateway from "@svc/core/linkedin/ManualGateway"
import { PublicAddress } from "@svc/core/linkedin/ProviderAccounts"
import { defaultSendOptions, SendOptions } from "@svc/core/linkedin/SendOptions"
import * as Worker from "@svc/core/linkedin/Worker"
import * as Memory from "@svc/core/memory"
import * as ResourceReader from "@svc/core/ResourceReader"
import { makeResources } from "@svc/core/resources"
import * as SimulatedEmail from "@svc/core/simulator/SimulatedEmail"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import { version } from "@svc/core/Version"
import * as DeliveryWorker from "@svc/core/webhooks/delivery/DeliveryWorker"
import { WebhookTargets } from "@svc/core/webhooks/index"
import * as Authentication from "@svc/core/workspace/Authentication"
import * as PolicyCache from "@svc/core/workspace/PolicyCache"
import * as Caller from "@svc/http/Caller"
import * as Hosts from "@svc/http/Hosts"
import * as HttpApp from "@svc/http/HttpApp"
import { HttpSettings } from "@svc/http/HttpSettings"
import { Readiness } from "@svc/http/Readiness"
import { conformanceFixtures } from "@svc/mcp/conformanceFixtures"
import * as Database from "@svc/postgres/Database"
import * as GrownTables from "@svc/postgres/GrownTables"
import { requireCurrent } from "@svc/postgres/Migrator"
import * as Repositories from "@svc/postgres/repositories"
import * as SmtpEmail from "@svc/smtp/SmtpEmail"
import * as Unipile from "@svc/unipile"
import * as HttpWebhookSender from "@svc/webhooks/HttpWebhookSender"
import * as Effect from "effect/Effect"
import { TracerDisabledWhen } from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Hooks from "./Hooks.ts"
import { mcpRoutes } from "./mcpRoutes.ts"
import { badSettings, type GatewayName, gatewayProblems, type Settings } from "./Settings.ts"

/** Every repository with its transactions, ids, and how to ask whether the store can be reached. */
export type Stores = Memory.Repositories | Ids.Ids | Readiness

/** The way to LinkedIn. */
export type Gateway = LinkedInGateway | GatewayAdditions.GatewayAdditions

/** What the surfaces and a host see. */
export type Services =
  | Stores
  | Gateway
  | Dispatch.Dispatch
  | ResourceReader.ResourceReader
  | Authentication.Authentication
  | HttpApp.HttpApp
  | Hosts.Hosts

const readiness: Layer.Layer<Readiness, never, SqlClient> = Layer.effect(
  Readiness,
  Effect.map(Effect.context<SqlClient>(), (context) => ({ check: Effect.provideContext(requireCurrent(), context) }))
)

/** The stores of a database, its schema brought up to date. Fails with UNAVAILABLE or WRONG_STATE. */
export const storesLayer = ({
  databaseUrl,
  dbPool
}: Pick<Settings, "databaseUrl" | "dbPool">): Layer.Layer<Stores, Failure> => {
  if (databaseUrl._tag === "Memory") {
    return Layer.mergeAll(Memory.layer, Ids.layer, Layer.succeed(Readiness, { check: Effect.void }))
  }
  return Layer.mergeAll(Repositories.layer, Ids.layer, readiness, GrownTables.layer).pipe(
    Layer.provideMerge(Database.layer(databaseUrl, { migrate: true, maxConnections: dbPool }))
  )
}

const namedGateway = (name: GatewayName, settings: Settings): Layer.Layer<Gateway, Failure> => {
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
    : Layer.merge(ManualGateway.layer, GatewayAdditions.layerNone)
}

/** A gateway by its name, or a host's own, which may have the port alone. Fails with INVALID_INPUT when settings lack. */
export const gatewayLayer = (
  gateway: GatewayName | Layer.Layer<LinkedInGateway>,
  settings: Settings
): Layer.Layer<Gateway, Failure> =>
  typeof gateway === "string" ? namedGateway(gateway, settings) : Layer.merge(GatewayAdditions.layerNone, gateway)

/**
 * How e-mail leaves: over SMTP when a server is set; else simulated where LinkedIn is, and otherwise not at all, so that
 * nothing counts as sent that was not.
 */
export const emailLayer = (
  settings: Pick<Settings, "smtp">,
  gateway: GatewayName | Layer.Layer<LinkedInGateway>
): Layer.Layer<EmailGateway.EmailGateway> => {
  if (settings.smtp !== undefined) return SmtpEmail.layer(settings.smtp)
  return gateway === "simulator" ? SimulatedEmail.layer : EmailGateway.layerNone
}

/** What commands of a host may need: all that the product's own commands need. */
export type HostCommand = Command.Command<
  string,
  Command.AnySchema,
  Command.AnySchema,
  Command.Given | Command.RequirementsOf<Commands>
>

/** What differs from one process to the next. */
export interface CompositionOptions {
  /** Whether this process sends what is due: messages, webhooks and e-mails. */
  readonly worker: boolean
  readonly gateway?: GatewayName | Layer.Layer<LinkedInGateway>
  /** How e-mail leaves, in place of what the settings say. */
  readonly email?: Layer.Layer<EmailGateway.EmailGateway>
  readonly publicUrl?: () => string
  /** Whether webhooks may reach this machine, unless the settings say what they may reach. */
  readonly loopbackTargets?: boolean
  /** Requests a minute for each key, in place of the settings'. */
  readonly rateLimit?: number
  /** Commands beside the product's own. */
  readonly commands?: ReadonlyArray<HostCommand>
  readonly hooks?: Hooks.Hooks
  /** Who calls over HTTP, in place of bearer keys. */
  readonly caller?: Layer.Layer<Caller.Caller, never, Authentication.Authentication>
  /** Routes beside the surface's own. */
  readonly routes?: Layer.Layer<never, never, Stores>
  /** Names of hosts that agents may reach this process by; undefined where it is a host program's, which knows its own. */
  readonly mcpHosts?: () => ReadonlyArray<string> | undefined
  /** Services in place of the ones that would be made: repositories, clock. */
  readonly replace?: Layer.Layer<never, Failure, never>
}

/** Every command and resource, over the stores and the gateway. */
const dispatchLayer = <Extra extends Command.AnyCommand>(
  extra: ReadonlyArray<Extra>,
  hooks: Hooks.Hooks | undefined
) => {
  const listed: ReadonlyArray<Commands | Extra> = [...commands, ...extra]
  const resources = makeResources(listed)
  const catalog = Catalog.make([...listed, ...restCommands, ...resources.map(({ command }) => command)])
  const plain = Dispatch.layer(catalog)
  const hooked = hooks === undefined ? plain : Hooks.layer(hooks).pipe(Layer.provide(plain))
  return ResourceReader.layer(resources).pipe(Layer.provideMerge(hooked))
}

/** Routes of the agent protocol beside those that are there. */
const agentRoutes = (hosts: CompositionOptions["mcpHosts"], conformance: boolean) =>
  Layer.effect(
    HttpApp.ExtraRoutes,
    Effect.gen(function* () {
      const others = yield* HttpApp.ExtraRoutes
      const allowed = () => {
        const names = hosts?.()
        return { names: names ?? [], open: names === undefined }
      }
      return [...others, ...(yield* mcpRoutes(allowed, conformance ? conformanceFixtures : undefined))]
    })
  )

/** Limits counted in Redis where one is named, else in this process. The code for Redis is loaded only where it is used. */
const limitsLayer = ({ redis }: Settings, requestsPerMinute: number) =>
  redis === undefined || requestsPerMinute === 0
    ? HttpApp.layerLimitsInProcess
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("@svc/http/redis/sharedLimits")),
          ({ layer }) => layer(redis)
        )
      )

/** The surface makes a span for each request, which knows its route; a server must not make another around it. */
const ownSpans = Layer.succeed(TracerDisabledWhen, () => true)

/** Traces and figures go out where an endpoint is set; the code for it is loaded only then. */
const telemetryLayer = ({ otlp }: Settings): Layer.Layer<never> =>
  otlp === undefined
    ? Layer.empty
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./Telemetry.ts")),
          ({ layer }) => layer(otlp)
        )
      )

/** The whole service from its settings. Fails when the database cannot be opened. */
export const fromSettings = (settings: Settings, options: CompositionOptions): Layer.Layer<Services, Failure> => {
  const gateway = options.gateway ?? settings.linkedinGateway ?? "simulator"
  const base = Layer.mergeAll(
    storesLayer(settings),
    gatewayLayer(gateway, settings),
    Layer.succeed(SendOptions, {
      ...defaultSendOptions,
      holdSeconds: settings.sendHoldSeconds,
      pacing: settings.linkedinPacing === "on"
    }),
    Layer.succeed(PublicAddress, options.publicUrl ?? (() => settings.publicUrl)),
    Layer.succeed(WebhookSecret, settings.unipileWebhookSecret)
  )
  const stores = options.replace === undefined ? base : Layer.merge(base, options.replace)
  const requestsPerMinute = options.rateLimit ?? settings.rateLimit
  const http = Layer.succeed(HttpSettings, {
    version,
    requestsPerMinute,
    publicUrl: options.publicUrl ?? (() => settings.publicUrl ?? `http://${settings.host}:${settings.port}`)
  })
  const targets = Layer.succeed(WebhookTargets, {
    allowPrivate: settings.allowPrivateTargets === true,
    allowLoopback: options.loopbackTargets === true && settings.allowPrivateTargets === undefined
  })
  const deliveries = DeliveryWorker.layer.pipe(Layer.provide(HttpWebhookSender.layer))
  const sending = Worker.layer({ concurrency: settings.workers })
  const emails = EmailWorker.layer.pipe(Layer.provide(options.email ?? emailLayer(settings, gateway)))
  const workers = options.worker ? Layer.mergeAll(sending, deliveries, emails, SealWorker.layer) : Layer.empty
  return Layer.mergeAll(Hosts.layer, workers).pipe(
    Layer.provideMerge(HttpApp.layer),
    Layer.provide(InboundReceiver.layer),
    Layer.provide(agentRoutes(options.mcpHosts, settings.mcpConformance === "1")),
    Layer.provide(Layer.mergeAll(http, limitsLayer(settings, requestsPerMinute), options.routes ?? Layer.empty)),
    Layer.provide(options.caller ?? Caller.layerBearer),
    Layer.provideMerge(Layer.mergeAll(dispatchLayer(options.commands ?? [], options.hooks), Authentication.layer)),
    Layer.provide(ImportRunner.layer),
    Layer.provide(Ports.layer),
    Layer.provide(targets),
    Layer.provide(PolicyCache.layer),
    Layer.provideMerge(stores),
    Layer.provideMerge(Layer.merge(telemetryLayer(settings), ownSpans))
  )
}
