/**
 * Executes a command in the transactions that its kind needs.
 *
 * A read has none. A dry run is rolled back. A change has one, which also writes its events, its audit row and its result
 * under the idempotency key. An outward command commits its own steps, so its key is claimed first, and released if it
 * fails before an outcome is recorded.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Failure } from "../../failure/Failure.ts"
import { IdempotencyInProgress, IdempotencyMismatch } from "../../failure/failures.ts"
import { type IdempotencyScope, type IdempotencyState, Transaction, withRollback } from "../../journal/Journal.ts"
import { isoFromMillis } from "../../schema/IdsAndTime.ts"
import type { AnyCommand } from "../Command.ts"
import type { Call, CommandResult } from "../Delegation.ts"
import { inputHash } from "../Envelope.ts"
import { defaultOptions } from "../Execution.ts"
import type { HookCall, SessionFacts, SessionServices } from "../Session.ts"
import * as Session from "../Session.ts"
import { commandResult } from "./present.ts"

/** Age at which the claim of a run of several transactions counts as dead and is taken over, in milliseconds. */
const claimLifetime = 30_000

/** The key of a call with its route; undefined without a key, and for reads and dry runs, which have no effect. */
export const scopeOf = (command: AnyCommand, call: Call): IdempotencyScope | undefined => {
  const { dryRun, idempotencyKey } = call.options ?? defaultOptions
  if (idempotencyKey === undefined || command.risk === "read" || dryRun) return undefined
  return {
    organizationId: call.actor.organizationId,
    route: call.route ?? `command:${command.id}`,
    key: idempotencyKey
  }
}

/** The stored result; undefined for a new key. Fails with IDEMPOTENCY_MISMATCH and IDEMPOTENCY_IN_PROGRESS. */
export const storedResult = (
  state: IdempotencyState | undefined,
  hash: string
): Result.Result<CommandResult | undefined, IdempotencyInProgress | IdempotencyMismatch> => {
  if (state === undefined) return Result.fail(new IdempotencyInProgress({ retryAfterSeconds: 1 }))
  if (state._tag === "New") return Result.succeed(undefined)
  const fingerprint = state._tag === "Done" ? state.record.fingerprint : state.fingerprint
  if (fingerprint !== hash) return Result.fail(new IdempotencyMismatch())
  if (state._tag === "Running") return Result.fail(new IdempotencyInProgress({ retryAfterSeconds: 1 }))
  return Result.succeed(commandResult(state.record.envelope, true))
}

/** Inside a transaction: locks the key, and returns the result of an earlier request. */
export const earlierResult = Effect.fnUntraced(function* (
  { journal }: SessionServices,
  { hash, idempotency }: SessionFacts
) {
  if (idempotency === undefined) return undefined
  const [held] = yield* journal.hold([idempotency])
  return yield* Effect.fromResult(storedResult(held, hash))
})

/** Claims the key for a run of several transactions, or returns the result of an earlier request. */
const claimKey = Effect.fnUntraced(function* (
  { journal }: SessionServices,
  idempotency: IdempotencyScope,
  hash: string
) {
  const millis = yield* Clock.currentTimeMillis
  const claimed = yield* journal.claim(idempotency, hash, isoFromMillis(millis), isoFromMillis(millis - claimLifetime))
  return yield* Effect.fromResult(storedResult(claimed, hash))
})

/**
 * Runs the effect of a command and returns its result. A joined run belongs to another one, which a dry run rolls back. `join` may
 * run a change together with others.
 */
export const execute = Effect.fnUntraced(function* (
  command: AnyCommand,
  run: Effect.Effect<unknown, Failure>,
  services: Session.SessionServices,
  facts: Session.SessionFacts,
  session: Session.Session,
  isJoined: boolean,
  join: ((alone: Effect.Effect<CommandResult, Failure>) => Effect.Effect<CommandResult, Failure>) | undefined
) {
  const { dryRun, hash, idempotency } = facts
  if (command.risk === "read" && !command.outward) return commandResult(session.success(yield* run))
  if (dryRun) {
    const output = yield* isJoined ? run : Effect.provideService(withRollback(run), Transaction, services.transaction)
    return commandResult(session.success(Session.withoutShownOnce(output, command.shownOnce)))
  }
  if (!command.outward) {
    const concluded = Effect.map(session.conclude(run), (output) => commandResult(session.success(output)))
    const alone = services.transaction.run(
      Effect.flatMap(earlierResult(services, facts), (earlier) =>
        earlier === undefined ? concluded : Effect.succeed(earlier)
      )
    )
    return yield* command.runMany === undefined || join === undefined ? alone : join(alone)
  }
  if (idempotency === undefined) return commandResult(session.success(yield* run))
  const earlier = yield* claimKey(services, idempotency, hash)
  if (earlier !== undefined) return earlier
  const release = Effect.suspend(() => (session.recorded() ? Effect.void : services.journal.release(idempotency)))
  return commandResult(session.success(yield* Effect.onError(run, () => Effect.ignore(release))))
})

/** The call as hooks see it, and its hash once its input is decoded. */
export interface Known {
  call: HookCall
  hash: string | undefined
}

/** What is known before anything was checked. `within` is the run that makes the call. */
export const knownOf = (
  { actor, command, input, options = defaultOptions, requestId, route }: Call,
  within: HookCall["within"]
): Known => ({
  hash: undefined,
  call: {
    command,
    input,
    actor,
    dryRun: options.dryRun,
    ...(within === undefined ? {} : { within }),
    ...(within === undefined && route !== undefined ? { route } : {}),
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
    ...(requestId === undefined ? {} : { requestId })
  }
})

/** The hash of the decoded input, or of the given one. */
export const hashOf = ({ call: { actor, command, input }, hash }: Known): string =>
  hash ?? inputHash(actor.organizationId, command, input)
