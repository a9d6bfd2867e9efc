/** Starting the service inside a host program. */

import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Dispatch, NotFound, quote, ResourceReader, scopes, Transaction } from "@svc/core"
import { ensureOrganization } from "@svc/core/internal"
import { Workspaces } from "@svc/core/workspace"
import { HttpHandlers } from "@svc/http"
import { Database, databaseIdentity, type HostConnections } from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as Composition from "./Composition.ts"
import { callerLayer } from "./callerOf.ts"
import { type CommandOf, type OwnCommand, ownParts } from "./catalogueLayer.ts"
import { databaseOf } from "./databaseOption.ts"
import { warnOfOtherEffect } from "./effectCopies.ts"
import { functionGateway, isGatewayDefinition } from "./functionGateway.ts"
import { identityOf } from "./HostActor.ts"
import { orThrow, svcErrorOf } from "./hostFailure.ts"
import { makeLife } from "./life.ts"
import { loggingLayer } from "./logging.ts"
import { currentOptions, warnOfOldNames } from "./oldOptions.ts"
import { readHostSettings } from "./readHostSettings.ts"
import { seedSample } from "./Sample.ts"
import { makeSvc, type Svc } from "./Svc.ts"
import { optionProblem, type SvcOptions } from "./SvcOptions.ts"
import { hostTransactions } from "./transaction.ts"

export type { SvcOptions } from "./SvcOptions.ts"

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

const pathOf = (directory: string): string =>
  Result.getOrElse(
    Result.try(() => realpathSync(directory)),
    () => resolve(directory)
  )

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
  const { email, gateway, hooks, http, inbox, mailboxToken, mcpActorKind, organization, rateLimit } = options
  const own = ownParts(options.commands, options.resources)
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
      inbox,
      mailboxToken,
      ...own,
      hooks,
      http,
      rateLimit,
      mcpActorKind,
      replace: options.layers,
      caller: callerLayer(auth, () => organizationId, options.defaultScopes ?? [])
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
    const identity = isServer
      ? await runtime.runPromise(databaseIdentity as Effect.Effect<string | undefined>)
      : undefined
    const transactions = hostTransactions({ catalog, identity, life, runtime, transaction, sql, isServer })
    return makeSvc<CommandOf<Extra>>({ ...parts, runtime, organizationId, actor, life, transactions })
  } catch (error) {
    await runtime.dispose()
    folder?.opened(undefined)
    throw svcErrorOf(error)
  }
}
