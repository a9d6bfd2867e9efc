/** How the calls of a host run: as Promises on the service's runtime, or in the host's own fiber. */
import type { CallOptions as RemoteOptions } from "@svc/client"
import {
  type ActorIdentity,
  type CommandResult,
  type Dispatch,
  type Failure,
  failureEnvelope,
  inputHash,
  parseOptions,
  publicId
} from "@svc/core"
import { failureOf } from "@svc/core/failures"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import type { HostActor } from "./HostActor.ts"
import type { Life } from "./life.ts"
import type { Services } from "./Services.ts"
import { svcErrorOf } from "./svcErrorOf.ts"
import type { HostTransactions, Inside } from "./transaction.ts"

/** Options of one call. */
export interface CallOptions extends RemoteOptions {
  /** Who acts; default the workspace's own actor. */
  readonly actor?: HostActor
}

type Answer = Pick<CommandResult, "envelope" | "failure">

/** Runs a command; a failure is an envelope. */
type Run = (id: string, input: unknown, options?: CallOptions) => Promise<Answer>

/** What calls need. */
export interface CallParts {
  readonly life: Life
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
  readonly dispatch: Dispatch["Service"]
  readonly transactions: HostTransactions
  /** The transaction that the calls belong to, if the host has begun one for them. */
  readonly inside?: Inside
}

/** Runs until the signal aborts, and then rejects with its reason, as `fetch` does. */
const runUntil = async <A>(
  runtime: CallParts["runtime"],
  effect: Effect.Effect<A, Failure, Services>,
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
const refusal = ({ inside, life, transactions }: CallParts): Failure | undefined =>
  life.ended() ?? (inside === undefined ? transactions.misplaced() : inside.ended())

const started = <A>(
  { inside, life, runtime }: CallParts,
  effect: Effect.Effect<A, Failure, Services>,
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
  effect: Effect.Effect<A, Failure, Services>,
  signal?: AbortSignal
): Promise<A> => {
  const refused = refusal(parts)
  if (refused !== undefined) throw svcErrorOf(refused)
  const done = await started(parts, Effect.result(effect), signal)
  if (Result.isFailure(done)) throw svcErrorOf(done.failure)
  return done.success
}

const answerOf = (failure: Failure, { organizationId }: ActorIdentity, id: string, input: unknown): Answer => ({
  envelope: failureEnvelope(failure, inputHash(organizationId, id, input)),
  failure
})

const runEffect = (
  { dispatch }: CallParts,
  actor: ActorIdentity,
  id: string,
  input: unknown,
  options: CallOptions
): Effect.Effect<Answer> => {
  const parsed = parseOptions({
    response_profile: options.responseProfile,
    dry_run: options.dryRun,
    idempotency_key: options.idempotencyKey
  })
  return Result.isFailure(parsed)
    ? Effect.succeed(answerOf(parsed.failure, actor, id, input))
    : dispatch.run({ command: publicId(dispatch.catalog, id), input, actor, options: parsed.success })
}

type IdentityOf = (actor: HostActor | undefined) => ActorIdentity

/** Calls as Promises. */
export const runner =
  (parts: CallParts, identity: IdentityOf): Run =>
  async (id, input, options = {}) => {
    const actor = identity(options.actor)
    const refused = refusal(parts)
    if (refused !== undefined) return answerOf(refused, actor, id, input)
    return started(parts, runEffect(parts, actor, id, input, options), options.signal)
  }

/** Calls as Effects, which belong to the transaction of the fiber that runs them. */
export const effectApi = (parts: CallParts, identity: IdentityOf) => {
  const { life, runtime, transactions } = parts
  const run = (id: string, input: unknown, options: CallOptions = {}) =>
    Effect.flatMap(runtime.contextEffect, (services) =>
      transactions.joined(runEffect(parts, identity(options.actor), id, input, options)).pipe(
        Effect.provideContext(services),
        Effect.flatMap(({ envelope, failure }): Effect.Effect<unknown, Failure> => {
          if (envelope.ok) return Effect.succeed(envelope.data)
          const { error, meta } = envelope
          return Effect.fail(failure ?? failureOf(error.code, { message: error.message, warnings: meta.warnings }))
        })
      )
    )
  return {
    runtime,
    run: (id: string, input: unknown, options?: CallOptions) =>
      Effect.suspend(() => {
        const ended = life.ended()
        if (ended !== undefined) return Effect.fail(ended)
        return Effect.acquireUseRelease(
          Effect.sync(life.begin),
          () => run(id, input, options),
          (end) => Effect.sync(end)
        )
      })
  }
}
