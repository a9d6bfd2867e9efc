/// <reference lib="esnext.disposable" />
/** The service inside a host program: one call, plain promises, no Effect type needed. */
import { type Client, type FailureOf, type CallOptions as RemoteOptions, SvcError } from "@svc/client"
import {
  type ActorIdentity,
  type AnyCommand,
  type CommandResult,
  type Dispatch,
  type Failure,
  failureEnvelope,
  type InputEncodedOf,
  inputHash,
  type OrganizationId,
  type OutputOf,
  parseOptions,
  publicId,
  type ResourceReader
} from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { failureOf } from "@svc/core/failures"
import type { HttpHandlers, NodeHandler } from "@svc/http"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { BackgroundWork, type WorkCounts } from "./BackgroundWork.ts"
import { clientOf } from "./clientOf.ts"
import { type HostActor, identityOf } from "./HostActor.ts"
import type { Life } from "./life.ts"
import { type ActingFetch, mounted } from "./mounted.ts"
import { type OperatorCalls, operatorCalls } from "./operatorCalls.ts"
import type { Services } from "./Services.ts"
import { type EventsApi, eventsApi, type ListEvents } from "./subscribe.ts"
import { svcErrorOf } from "./svcErrorOf.ts"

/** Options of one call. */
export interface CallOptions extends RemoteOptions {
  /** Who acts; default the workspace's own actor. */
  readonly actor?: HostActor
}

type Find<C extends AnyCommand, Id> = Extract<C, { readonly id: Id }>

/** The same commands as Effects, for hosts that use Effect. */
export interface EffectApi<C extends AnyCommand> {
  /**
   * Runs a command and succeeds with its output, or fails with its declared failures, for `Effect.catchTag`. It needs no
   * services.
   */
  readonly run: <Id extends C["id"]>(
    id: Id,
    input: InputEncodedOf<Find<C, Id>>,
    options?: CallOptions
  ) => Effect.Effect<OutputOf<Find<C, Id>>, FailureOf<C, Id>>
  /** The running services. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
}

/** A running service. Each command is also a method, as `svc.leads.upsert`; `Extra` are the host's own commands. */
export type Svc<Extra extends AnyCommand = never> = Omit<
  Client<Extra, CallOptions>,
  "effect" | "events" | "fetch" | "node" | "as" | "close" | "organization"
> & {
  readonly effect: EffectApi<Commands | Extra>
  readonly events: EventsApi
  /** The HTTP surface as a fetch handler; with an actor, no key and no `callerOf` is asked. */
  readonly fetch: ActingFetch
  /** The HTTP surface as a Node handler, for `node:http`, Express and Fastify, also behind a body parser. */
  readonly node: NodeHandler
  /** The same service with another actor. Closing either closes both. */
  readonly as: (actor: HostActor) => Svc<Extra>
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

interface Parts {
  readonly life: Life
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
  readonly dispatch: Dispatch["Service"]
  readonly reader: ResourceReader["Service"]
  readonly hosts: HttpHandlers["Service"]
  readonly organizationId: OrganizationId
  readonly actor: HostActor
}

/** Runs until the signal aborts, and then rejects with its reason, as `fetch` does. */
const runUntil = async <A>(
  runtime: Parts["runtime"],
  effect: Effect.Effect<A>,
  signal: AbortSignal | undefined
): Promise<A> => {
  if (signal === undefined) return runtime.runPromise(effect)
  signal.throwIfAborted()
  try {
    return await runtime.runPromise(effect, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

/** Runs something of a service, and rejects with {@link SvcError} after it was closed. */
const living = async <A>(life: Life, run: () => Promise<A>): Promise<A> => {
  const ended = life.ended()
  if (ended !== undefined) throw svcErrorOf(ended)
  return life.during(run)
}

type Run = (id: string, input: unknown, options?: CallOptions) => Promise<Pick<CommandResult, "envelope" | "failure">>

const runner =
  ({ dispatch, life, runtime }: Parts, identity: (actor: HostActor | undefined) => ActorIdentity): Run =>
  async (id, input, options = {}) => {
    const actor = identity(options.actor)
    const parsed = parseOptions({
      response_profile: options.responseProfile,
      dry_run: options.dryRun,
      idempotency_key: options.idempotencyKey
    })
    if (Result.isFailure(parsed)) {
      const failure = parsed.failure
      return { envelope: failureEnvelope(failure, inputHash(actor.organizationId, id, input)), failure }
    }
    const ended = life.ended()
    if (ended !== undefined) {
      return { envelope: failureEnvelope(ended, inputHash(actor.organizationId, id, input)), failure: ended }
    }
    const command = publicId(dispatch.catalog, id)
    return life.during(() =>
      runUntil(runtime, dispatch.run({ command, input, actor, options: parsed.success }), options.signal)
    )
  }

/** The facade over running services. */
export const makeSvc = <Extra extends AnyCommand>(parts: Parts): Svc<Extra> => {
  const { dispatch, hosts, life, organizationId, reader, runtime } = parts
  const identity = (actor: HostActor | undefined): ActorIdentity =>
    identityOf({ ...parts.actor, ...actor }, organizationId)
  const run = runner(parts, identity)
  const { commands, methods, output, resources } = clientOf<CallOptions>({
    catalog: dispatch.catalog,
    entries: reader.entries,
    run,
    read: (uri, { actor, responseProfile = "full", signal } = {}) =>
      living(life, () => runUntil(runtime, reader.read({ uri, actor: identity(actor), responseProfile }), signal))
  })
  const running = <A>(effect: Effect.Effect<A, Failure, Services>): Promise<A> =>
    living(life, async () => {
      const done = await runtime.runPromise(Effect.result(effect))
      if (Result.isFailure(done)) throw svcErrorOf(done.failure)
      return done.success
    })
  const asOperator = operatorCalls(running)
  const svc = {
    ...methods,
    ...asOperator,
    keys: { ...methods["keys"], ...asOperator.keys },
    commands,
    resources,
    effect: {
      runtime,
      run: (id: string, input: unknown, options?: CallOptions) =>
        Effect.flatMap(
          Effect.promise(() => run(id, input, options)),
          ({ envelope, failure }): Effect.Effect<unknown, Failure> => {
            if (envelope.ok) return Effect.succeed(envelope.data)
            const { error, meta } = envelope
            return Effect.fail(failure ?? failureOf(error.code, { message: error.message, warnings: meta.warnings }))
          }
        )
    },
    events: eventsApi(async (input) => (await output("event.list", input)) as OutputOf<ListEvents>, life),
    ...mounted(hosts, life),
    organization: { id: organizationId },
    as: (actor: HostActor) => makeSvc<Extra>({ ...parts, actor: { ...parts.actor, ...actor } }),
    work: () => running(Effect.flatMap(BackgroundWork, ({ run: work }) => work)),
    close: life.close,
    ...(Symbol.asyncDispose === undefined ? {} : { [Symbol.asyncDispose]: life.close })
  }
  // The object is built from the catalogue's ids at run time; its precise type is computed from the same ids.
  return svc as unknown as Svc<Extra>
}
