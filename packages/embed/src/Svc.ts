/// <reference lib="esnext.disposable" />
/** The service inside a host program: one call, plain promises, no Effect type needed. */

import type { Client, FailureOf } from "@svc/client"
import * as Core from "@svc/core"
import type { Commands } from "@svc/core/commands"
import type { HttpHandlers, NodeHandler } from "@svc/http"
import type { HostClient } from "@svc/postgres/host"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import { type CallOptions, type CallParts, effectApi, living, resourceReader, runner } from "./calls.ts"
import { clientOf, derivedActor, type HostActor, identityOf, isActor } from "./HostActor.ts"
import { orThrow } from "./hostFailure.ts"
import { type ActingFetch, mounted } from "./mounted.ts"
import { type OperatorCalls, operatorCalls } from "./operatorCalls.ts"
import { type EventsApi, eventsApi, type ListEvents } from "./subscribe.ts"
import type { Inside, TransactionApi } from "./transaction.ts"
import { BackgroundWork, type Services, type WorkCounts } from "./workers.ts"

type Find<C extends Core.AnyCommand, Id> = Extract<C, { readonly id: Id }>

/** The same commands as Effects, for hosts that use Effect. */
export interface EffectApi<C extends Core.AnyCommand> {
  /**
   * Runs a command and succeeds with its output, or fails with its declared failures, for `Effect.catchTag`. It needs no
   * services.
   */
  readonly run: <Id extends C["id"]>(
    id: Id,
    input: Core.InputEncodedOf<Find<C, Id>>,
    options?: CallOptions
  ) => Effect.Effect<Core.OutputOf<Find<C, Id>>, FailureOf<C, Id>>
  /** The running services. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Core.Failure>
}

/** The methods of the commands, but for names that the service has for something else. */
type Methods<Extra extends Core.AnyCommand> = Omit<
  Client<Extra, CallOptions>,
  "effect" | "fetch" | "node" | "as" | "close" | "organization"
>

/** A running service inside a transaction of its database. Each command has a method, as in {@link Svc}. */
export type SvcTransaction<Extra extends Core.AnyCommand = never, C = HostClient> = Methods<Extra> &
  OperatorCalls &
  TransactionApi<C> & { readonly as: (actor: HostActor) => SvcTransaction<Extra, C> }

/** A running service. Each command is also a method, as `svc.leads.upsert`; `Extra` are the host's own commands. */
export type Svc<Extra extends Core.AnyCommand = never> = Methods<Extra> & {
  readonly effect: EffectApi<Commands | Extra>
  readonly events: EventsApi
  /** The HTTP surface as a fetch handler; with an actor, `auth` is not asked. */
  readonly fetch: ActingFetch
  /** The HTTP surface as a Node handler, for `node:http`, Express and Fastify, also behind a body parser. */
  readonly node: NodeHandler
  /**
   * The same service with another actor, which has the fields of this one that it does not name, scopes included. Closing
   * either closes both. Throws {@link SvcError} for an unknown field.
   */
  readonly as: (actor: HostActor) => Svc<Extra>
  /**
   * Runs a function in one transaction: what it does through its argument is kept together, events and audit included, or not
   * at all if it rejects; the result and the error are the function's own. Commands that act outside the database (sending,
   * imports) are refused there. `C` is the type of the host's client, if the service has the host's pool.
   */
  readonly transaction: <A, C = HostClient>(run: (tx: SvcTransaction<Extra, C>) => Promise<A>) => Promise<A>
  /**
   * The service inside a transaction that the host has begun on a client of `pg`, and ends itself. Needs PostgreSQL, and the
   * same database.
   */
  readonly join: <C extends HostClient>(client: C) => SvcTransaction<Extra, C>
  /** The default organization of calls. */
  readonly organization: { readonly id: string }
  /**
   * Does what the worker would do, until nothing is left to do now: sends what is due, reads conversations, delivers
   * webhooks. For a host with `worker: false` that decides itself when, such as with cron, and for tests; any number of
   * processes may work at the same time. Works for all organizations, whatever the actor.
   */
  readonly work: () => Promise<WorkCounts>
  /**
   * Lets calls and requests that were begun finish, for up to 10 seconds, then stops the service. Later ones reject with
   * UNAVAILABLE.
   */
  readonly close: () => Promise<void>
  /** As `close`, for `await using`; present where the runtime has it. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
} & OperatorCalls

interface Parts extends CallParts {
  readonly reader: Core.ResourceReader["Service"]
  readonly hosts: HttpHandlers["Service"]
  readonly organizationId: Core.OrganizationId
  readonly actor: HostActor
}

/** The facade over running services. */
export const makeSvc = <Extra extends Core.AnyCommand>(parts: Parts): Svc<Extra> => {
  const { dispatch, hosts, inside, life, organizationId, reader, transactions } = parts
  const identity = (actor?: HostActor): Core.ActorIdentity =>
    identityOf(derivedActor(parts.actor, actor), organizationId, Core.scopes)
  const { commands, methods, output, resources } = clientOf<CallOptions>({
    catalog: dispatch.catalog,
    entries: reader.entries,
    run: runner(parts, identity),
    read: resourceReader(parts, reader, identity)
  })
  const asOperator = operatorCalls((effect) => living(parts, effect))
  const within = (inside: Inside) => makeSvc<Extra>({ ...parts, inside }) as unknown as SvcTransaction<Extra>
  const svc = {
    ...methods,
    ...asOperator,
    keys: { ...methods["keys"], ...asOperator.keys },
    commands,
    resources,
    effect: effectApi(parts, identity),
    events: {
      ...methods["events"],
      ...eventsApi(async (input) => (await output("event.list", input)) as Core.OutputOf<ListEvents>, life)
    },
    ...mounted(hosts, life),
    organization: { id: organizationId },
    as: (actor: HostActor) => {
      orThrow(isActor(actor, "actor"))
      return makeSvc<Extra>({ ...parts, actor: derivedActor(parts.actor, actor) })
    },
    work: () =>
      living(
        parts,
        Effect.flatMap(BackgroundWork, ({ run: work }) => work)
      ),
    transaction: (begin: (tx: SvcTransaction<Extra>) => Promise<unknown>) =>
      transactions.run((inside) => begin(within(inside))),
    join: (client: HostClient) => within(transactions.join(client)),
    close: () => life.close(),
    ...(Symbol.asyncDispose === undefined ? {} : { [Symbol.asyncDispose]: () => life.close() })
  }
  // `client` of a transaction stays what it is asked for.
  const own = inside === undefined ? {} : Object.getOwnPropertyDescriptors(inside.api)
  // The object is built from the catalogue's ids at run time; its precise type is computed from the same ids.
  return Object.defineProperties(svc, own) as unknown as Svc<Extra>
}
