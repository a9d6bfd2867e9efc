/** Starting the service inside a host program. */

import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Dispatch, type Failure, NotFound, quote, ResourceReader, type Scope, scopes, Transaction } from "@svc/core"
import type { EmailGateway } from "@svc/core/email"
import { ensureOrganization } from "@svc/core/internal"
import type { LinkedInGateway } from "@svc/core/outreach"
import { Workspaces } from "@svc/core/workspace"
import { HttpHandlers } from "@svc/http"
import { Database, type HostConnections } from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as Composition from "./Composition.ts"
import { type CallerOf, callerLayer } from "./callerOf.ts"
import { type CommandOf, type OwnCommand, type OwnResource, ownParts } from "./catalogueLayer.ts"
import { currentOptions, type HttpOptions, optionProblem, warnOfOldNames } from "./checkOptions.ts"
import { type DatabaseOption, databaseOf } from "./databaseOption.ts"
import type { GatewayDefinition } from "./define/defineGateway.ts"
import { warnOfOtherEffect } from "./effectCopies.ts"
import { functionGateway, isGatewayDefinition } from "./functionGateway.ts"
import type { Hooks } from "./Hooks.ts"
import { type HostActor, identityOf } from "./HostActor.ts"
import { orThrow, svcErrorOf } from "./hostFailure.ts"
import { makeLife } from "./life.ts"
import { loggingLayer } from "./logging.ts"
import { readHostSettings } from "./readHostSettings.ts"
import { seedSample } from "./Sample.ts"
import { makeSvc, type Svc } from "./Svc.ts"
import type { SvcSettings } from "./SvcSettings.ts"
import { hostTransactions } from "./transaction.ts"

// The folders of embedded databases that this process has open. A program that is loaded anew in the same process, as servers
// for development do, does not close what it had open, so whoever opens a folder closes the service that has it.

type Close = () => Promise<void>

/** By path: how to close the service that has the folder, when it is open; undefined if it could not be opened. */
type Folders = Map<string, Promise<Close | undefined>>

// Of the process, not of this copy of the module: whoever is loaded anew has another one.
const registry = Symbol.for("@svc/embed/folders")

const folders = (): Folders => {
  const known: unknown = Reflect.get(globalThis, registry)
  if (known instanceof Map) return known
  const made: Folders = new Map()
  Reflect.set(globalThis, registry, made)
  return made
}

const pathOf = (directory: string): string => {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}

/** A folder that is being opened: says how its service is closed, undefined if it could not be opened. */
interface TakenFolder {
  readonly opened: (close: Close | undefined) => void
  /** The service is closed. */
  readonly left: () => void
}

/** Takes a folder, one after the other, when the service of this process that has it is closed. */
const takeFolder = async (directory: string): Promise<TakenFolder> => {
  const path = pathOf(directory)
  const known = folders()
  const before = known.get(path)
  let opened: TakenFolder["opened"] = () => {}
  const own = new Promise<Close | undefined>((done) => {
    opened = done
  })
  known.set(path, own)
  const close = await before
  await close?.()
  return {
    opened,
    left: () => {
      if (known.get(path) === own) known.delete(path)
    }
  }
}

/** Options of a service; all have defaults, which apply to undefined as well. */
export interface SvcOptions<Extra extends OwnCommand = never> {
  /** Where everything is kept; default `SVC_DATABASE_URL`, then `pglite:./.svc/data`. */
  readonly database?: DatabaseOption | undefined
  /** @deprecated Use `database`. */
  readonly databaseUrl?: string | undefined
  /** Settings by name. An option of the same meaning goes first, the environment last. */
  readonly settings?: SvcSettings | undefined
  /**
   * Where settings come from that are given neither as an option nor in `settings`, by the names of `svc help settings`;
   * default `process.env`, without what only a server reads, such as SVC_PORT. `false`: nowhere, all have their defaults.
   */
  readonly env?: false | Readonly<Record<string, string | undefined>> | undefined
  /** Id of the organization that calls act in; default the first one, created if there is none. */
  readonly organization?: string | undefined
  /** The default actor of calls, with full rights unless it names scopes. */
  readonly actor?: HostActor | undefined
  /** The scopes of a caller of `auth` or `fetch` that names none; default none. */
  readonly defaultScopes?: ReadonlyArray<Scope> | undefined
  /** How messages are sent: a name, your own of `defineGateway`, or a layer; default `SVC_LINKEDIN_GATEWAY`, then the simulator. */
  readonly gateway?:
    | "simulator"
    | "manual"
    | "http"
    | "unipile"
    | Layer.Layer<LinkedInGateway>
    | GatewayDefinition
    | undefined
  /** How e-mail is sent: your own layer; default `SVC_SMTP_URL`, then simulated if LinkedIn is. */
  readonly email?: Layer.Layer<EmailGateway> | undefined
  /** Whether this process sends messages that are due; default true. */
  readonly worker?: boolean | undefined
  /** Your own commands, available on every surface: of `defineCommand`, or of `Command.make` with Effect. */
  readonly commands?: ReadonlyArray<Extra> | undefined
  /** Your own resources, readable on every surface: of `defineResource`, or of `Resource.make` with Effect. */
  readonly resources?: ReadonlyArray<OwnResource> | undefined
  readonly hooks?: Hooks | undefined
  /** @deprecated Use `auth: [callerOf]`. */
  readonly callerOf?: CallerOf | undefined
  /**
   * Ways to authenticate HTTP requests, tried in order: `["keys", callerOf]` lets agents with keys and the host's own users
   * share one mount. Default `["keys"]`.
   */
  readonly auth?: ReadonlyArray<"keys" | CallerOf> | undefined
  /** Origin in links; default `SVC_PUBLIC_URL`. */
  readonly publicUrl?: string | undefined
  /** What the HTTP surface serves, and where. */
  readonly http?: HttpOptions | undefined
  /** HTTP requests per minute and caller, 0 for no limit; default `SVC_RATE_LIMIT`, then 300. */
  readonly rateLimit?: number | undefined
  /** Actor kind over MCP: always AI agent, or that of the key; default `SVC_MCP_ACTOR_KIND`. */
  readonly mcpActorKind?: "AI_AGENT" | "key" | undefined
  /** Adds the sample data that examples refer to. */
  readonly sample?: boolean | undefined
  /** Replacements for services such as repositories, clock and loggers. */
  readonly layers?: Layer.Layer<never, Failure> | undefined
}

const organizationIn = Effect.fnUntraced(function* (id: string | undefined) {
  if (id === undefined) return (yield* ensureOrganization("default")).id
  const found = yield* (yield* Workspaces).findOrganization(id)
  return (
    found?.id ??
    (yield* new NotFound({
      kind: "organization",
      id,
      message: `Organization ${quote(id)} not found in this database.`
    }))
  )
})

/**
 * Starts the service, by default on the embedded database in `./.svc`. Call `close()` at the end.
 *
 * Rejects with {@link SvcError} when an option is unknown or a setting is invalid, the database cannot be opened (the message names the process
 * that uses its folder), or the organization does not exist.
 */
export const createSvc = async <Extra extends OwnCommand = never>(
  options: SvcOptions<Extra> = {}
): Promise<Svc<CommandOf<Extra>>> => {
  orThrow(optionProblem(options))
  const { auth, database } = currentOptions(options)
  const { connections, pool: dbPool, url: databaseUrl, ...schemas } = databaseOf(database)
  const read = readHostSettings({ ...options, databaseUrl, dbPool })
  if (Result.isFailure(read)) throw svcErrorOf(read.failure)
  const { environment, settings } = read.success
  const {
    commands,
    defaultScopes = [],
    email,
    gateway,
    hooks,
    http,
    mcpActorKind,
    organization,
    rateLimit,
    resources
  } = options
  const own = ownParts(commands, resources)
  const { databaseUrl: source } = settings
  const folder = connections === undefined && source._tag === "Pglite" ? await takeFolder(source.directory) : undefined
  let organizationId = organization ?? ""
  const runtime = ManagedRuntime.make(
    Composition.fromSettings(settings, {
      worker: options.worker ?? true,
      isHost: true,
      // A client that is no PgClient fails when it is opened.
      database: { ...schemas, connections: connections as HostConnections | undefined },
      gateway: isGatewayDefinition(gateway) ? functionGateway(gateway) : gateway,
      email,
      ...own,
      hooks,
      http,
      rateLimit,
      mcpActorKind,
      replace: options.layers,
      caller: callerLayer(auth, () => organizationId, defaultScopes)
    }).pipe(Layer.provideMerge(loggingLayer(environment)))
  )
  try {
    await runtime.runPromise(Effect.andThen(warnOfOtherEffect, warnOfOldNames(options)))
    organizationId = await runtime.runPromise(organizationIn(organization))
    const actor = options.actor ?? {}
    if (options.sample === true) await runtime.runPromise(seedSample(identityOf(actor, organizationId, scopes)))
    const { opened, sql, transaction, ...parts } = await runtime.runPromise(
      Effect.all({
        dispatch: Dispatch,
        reader: ResourceReader,
        hosts: HttpHandlers,
        transaction: Transaction,
        sql: Effect.serviceOption(SqlClient),
        opened: Effect.serviceOption(Database)
      })
    )
    const life = makeLife(() => runtime.dispose().finally(folder?.left))
    folder?.opened(() => life.close("Another createSvc() of this process has opened its folder."))
    const isServer = Option.isSome(opened) && opened.value.backend === "postgres"
    const { catalog } = parts.dispatch
    const transactions = hostTransactions({ catalog, life, runtime, transaction, sql, isServer })
    return makeSvc<CommandOf<Extra>>({ ...parts, runtime, organizationId, actor, life, transactions })
  } catch (error) {
    await runtime.dispose()
    folder?.opened(undefined)
    throw svcErrorOf(error)
  }
}
