/** Starting the service inside a host program. Source: contract 5. */
import type { Commands } from "@svc/core/commands"
import { Dispatch } from "@svc/core/Dispatch"
import type { EmailGateway } from "@svc/core/email/EmailGateway"
import { type Failure, fail } from "@svc/core/Failure"
import type { LinkedInGateway } from "@svc/core/linkedin/LinkedInGateway"
import { quote } from "@svc/core/Quote"
import { ResourceReader } from "@svc/core/ResourceReader"
import { oldestOrCreated } from "@svc/core/workspace/Provisioning"
import { Workspaces } from "@svc/core/workspace/Workspaces"
import { Hosts } from "@svc/http/Hosts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Composition from "./Composition.ts"
import { type CallerOf, callerLayer } from "./callerOf.ts"
import type { Hooks } from "./Hooks.ts"
import { type HostActor, identityOf } from "./HostActor.ts"
import { loggingLayer } from "./logging.ts"
import { plantSample } from "./Sample.ts"
import { type GatewayName, readSettings } from "./Settings.ts"
import { makeSvc, type Svc } from "./Svc.ts"

/** What a host may decide; everything has a default. */
export interface SvcOptions<Extra extends Composition.HostCommand = never> {
  /** `pglite:FOLDER`, `postgres://…` or `memory:`; else `SVC_DATABASE_URL`, else `pglite:./.svc/data`. */
  readonly databaseUrl?: string
  /** Id of the organization that calls act in; else the first one, which is made when there is none. */
  readonly organization?: string
  /** Who acts in calls that do not say. */
  readonly actor?: HostActor
  /** How messages leave: a name, or a layer of your own; else `SVC_LINKEDIN_GATEWAY`, else the simulator. */
  readonly gateway?: GatewayName | Layer.Layer<LinkedInGateway>
  /** How e-mail leaves: a layer of your own; else `SVC_SMTP_URL`, else as simulated as LinkedIn is. */
  readonly email?: Layer.Layer<EmailGateway>
  /** Whether approved messages are sent from here when they are due; default true. */
  readonly worker?: boolean
  /** Commands of your own: on every surface, like the product's. */
  readonly commands?: ReadonlyArray<Extra>
  readonly hooks?: Hooks
  /** Who calls over HTTP, when the host knows its users itself; else bearer keys. */
  readonly callerOf?: CallerOf
  /** Origin in links; else `SVC_PUBLIC_URL`. */
  readonly publicUrl?: string
  /** Requests a minute for each caller of the HTTP surface; else `SVC_RATE_LIMIT`, else 300. 0 is no limit. */
  readonly rateLimit?: number
  /** Plant the sample data that examples refer to. */
  readonly sample?: boolean
  /** Layers in place of those that would be made: repositories, clock, loggers. */
  readonly layers?: Layer.Layer<never, Failure>
}

const organizationIn = (id: string | undefined) =>
  Effect.gen(function* () {
    if (id === undefined) return (yield* oldestOrCreated("default")).id
    const found = yield* (yield* Workspaces).findOrganization(id)
    return found?.id ?? (yield* fail("NOT_FOUND", `There is no organization ${quote(id)} in this database.`))
  })

/**
 * Starts the service. Without options it works on the embedded database in `./.svc`.
 *
 * Rejects with a {@link Failure} when a setting is bad, the database cannot be opened (the message names who has its
 * folder), or the organization does not exist. Call `close()` at the end: what runs is finished first.
 */
export const createSvc = async <Extra extends Composition.HostCommand = never>(
  options: SvcOptions<Extra> = {}
): Promise<Svc<Commands | Extra>> => {
  const { databaseUrl: SVC_DATABASE_URL, publicUrl: SVC_PUBLIC_URL } = options
  const read = readSettings({
    ...process.env,
    ...(SVC_DATABASE_URL === undefined ? {} : { SVC_DATABASE_URL, SVC_DATABASE_URL_FILE: undefined }),
    ...(SVC_PUBLIC_URL === undefined ? {} : { SVC_PUBLIC_URL })
  })
  if (Result.isFailure(read)) throw read.failure
  const { callerOf, commands, email, gateway, hooks, layers, organization, rateLimit, worker = true } = options
  let organizationId = organization ?? ""
  const runtime = ManagedRuntime.make(
    Composition.fromSettings(read.success, {
      worker,
      ...(gateway === undefined ? {} : { gateway }),
      ...(email === undefined ? {} : { email }),
      ...(commands === undefined ? {} : { commands }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(layers === undefined ? {} : { replace: layers }),
      ...(callerOf === undefined ? {} : { caller: callerLayer(callerOf, () => organizationId) })
    }).pipe(Layer.provideMerge(loggingLayer(process.env)))
  )
  try {
    organizationId = await runtime.runPromise(organizationIn(organization))
    const actor = options.actor ?? {}
    if (options.sample === true) await runtime.runPromise(plantSample(identityOf(actor, organizationId)))
    const parts = await runtime.runPromise(Effect.all({ dispatch: Dispatch, reader: ResourceReader, hosts: Hosts }))
    return makeSvc<Commands | Extra>({ ...parts, runtime, organizationId, actor })
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
