/** How the calls of a host run: as Promises on the service's runtime, or in the host's own fiber. */

import type { CallOptions as RemoteOptions } from "@svc/client"
import * as Core from "@svc/core"
import { failureOf } from "@svc/core/failures"
import { failureResult, inputHash } from "@svc/core/internal"
import { type Check, callChecks, isOptions, readChecks } from "@svc/core/names"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { type HostActor, isActor } from "./HostActor.ts"
import { svcErrorOf } from "./hostFailure.ts"
import type { Life } from "./life.ts"
import type { HostTransactions, Inside } from "./transaction.ts"
import type { Services } from "./workers.ts"

/** Options of one call. */
export interface CallOptions extends RemoteOptions {
  /** Who acts; default the workspace's own actor. */
  readonly actor?: HostActor
}

type ReadOptions = Omit<CallOptions, "dryRun" | "idempotencyKey">

const isCall = isOptions<CallOptions>({ ...callChecks, actor: isActor })
const isRead = isOptions<ReadOptions>({ ...readChecks, actor: isActor })

/** Why the options of a call or of a read cannot be used, and the actor among them; undefined if they can. */
const callProblem = (options: unknown, check: Check): Core.Failure | undefined => {
  const message = check(options, "options", true)
  return message === undefined ? undefined : new Core.InvalidInput({ message })
}

type Answer = Pick<Core.CommandResult, "envelope" | "failure">

/** Runs a command; a failure is an envelope. */
type Run = (id: string, input: unknown, options?: CallOptions) => Promise<Answer>

/** What calls need. */
export interface CallParts {
  readonly life: Life
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Core.Failure>
  readonly dispatch: Core.Dispatch["Service"]
  readonly transactions: HostTransactions
  /** The transaction that the calls belong to, if the host has begun one for them. */
  readonly inside?: Inside
}

/** Runs until the signal aborts, and then rejects with its reason, as `fetch` does. */
const runUntil = async <A>(
  runtime: CallParts["runtime"],
  effect: Effect.Effect<A, Core.Failure, Services>,
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

/** Why nothing can be asked here: the service was closed, the transaction has ended, or it is the wrong one. */
const refusal = ({ inside, life, transactions }: CallParts): Core.Failure | undefined =>
  life.ended() ?? (inside === undefined ? transactions.misplaced() : inside.ended())

const started = <A>(
  { inside, life, runtime }: CallParts,
  effect: Effect.Effect<A, Core.Failure, Services>,
  signal?: AbortSignal
): Promise<A> =>
  life.during(() =>
    inside === undefined
      ? runUntil(runtime, effect, signal)
      : inside.during(() => runUntil(runtime, inside.run(effect), signal))
  )

/** Runs something of a service; rejects with {@link SvcError} if it fails, or after the service was closed. */
export const living = async <A>(
  parts: CallParts,
  effect: Effect.Effect<A, Core.Failure, Services>,
  signal?: AbortSignal
): Promise<A> => {
  const refused = refusal(parts)
  if (refused !== undefined) throw svcErrorOf(refused)
  const done = await started(parts, Effect.result(effect), signal)
  if (Result.isFailure(done)) throw svcErrorOf(done.failure)
  return done.success
}

const runEffect = (
  { dispatch }: CallParts,
  actor: Core.ActorIdentity,
  id: string,
  input: unknown,
  { dryRun = false, idempotencyKey, responseProfile = "full" }: CallOptions
) => {
  const command = Core.publicId(dispatch.catalog, id)
  return dispatch.run({ command, input, actor, options: { dryRun, idempotencyKey, responseProfile } })
}

/** The identity of an actor that was checked, or of the service's own. */
type IdentityOf = (actor?: HostActor) => Core.ActorIdentity

/** Calls as Promises. */
export const runner =
  (parts: CallParts, identity: IdentityOf): Run =>
  async (id, input, options = {}) => {
    const refused = callProblem(options, isCall) ?? refusal(parts)
    if (refused !== undefined) return failureResult(refused, inputHash(identity().organizationId, id, input))
    return started(parts, runEffect(parts, identity(options.actor), id, input, options), options.signal)
  }

/** Reads of resources as Promises. */
export const resourceReader =
  (parts: CallParts, { read }: Core.ResourceReader["Service"], identity: IdentityOf) =>
  async (uri: string, options: ReadOptions = {}) => {
    const problem = callProblem(options, isRead)
    if (problem !== undefined) throw svcErrorOf(problem)
    const { actor, responseProfile = "full", signal } = options
    return living(parts, read({ uri, actor: identity(actor), responseProfile }), signal)
  }

/** Calls as Effects, which belong to the transaction of the fiber that runs them. */
export const effectApi = (parts: CallParts, identity: IdentityOf) => {
  const { life, runtime, transactions } = parts
  const run = (id: string, input: unknown, options: CallOptions) =>
    Effect.flatMap(runtime.contextEffect, (services) =>
      transactions.joined(runEffect(parts, identity(options.actor), id, input, options)).pipe(
        Effect.provideContext(services),
        Effect.flatMap(({ envelope, failure }): Effect.Effect<unknown, Core.Failure> => {
          if (envelope.ok) return Effect.succeed(envelope.data)
          const { error, meta } = envelope
          return Effect.fail(failure ?? failureOf(error.code, { message: error.message, warnings: meta.warnings }))
        })
      )
    )
  return {
    runtime,
    run: (id: string, input: unknown, options: CallOptions = {}) =>
      Effect.suspend(() => {
        const refused = callProblem(options, isCall) ?? life.ended()
        if (refused !== undefined) return Effect.fail(refused)
        return Effect.acquireUseRelease(
          Effect.sync(life.begin),
          () => run(id, input, options),
          (end) => Effect.sync(end)
        )
      })
  }
}
