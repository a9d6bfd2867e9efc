/** Idempotency: a repeated request returns the stored result of the first one with its key. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

import { IdempotencyInProgress, IdempotencyMismatch } from "../../failure/failures.ts"
import type { IdempotencyScope, IdempotencyState } from "../../journal/Journal.ts"
import { isoFromMillis } from "../../schema/Time.ts"
import type { Call, CommandResult } from "../Call.ts"
import type { AnyCommand } from "../Command.ts"
import { defaultOptions } from "../ExecutionOptions.ts"
import type { SessionFacts, SessionServices } from "../Session.ts"
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
const storedResult = (
  state: IdempotencyState,
  hash: string
): Result.Result<CommandResult | undefined, IdempotencyInProgress | IdempotencyMismatch> => {
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
  const held = idempotency && (yield* journal.hold(idempotency))
  return held && (yield* Effect.fromResult(storedResult(held, hash)))
})

/** Claims the key for a run of several transactions, or returns the result of an earlier request. */
export const claimKey = Effect.fnUntraced(function* (
  { journal }: SessionServices,
  idempotency: IdempotencyScope,
  hash: string
) {
  const millis = yield* Clock.currentTimeMillis
  const claimed = yield* journal.claim(idempotency, hash, isoFromMillis(millis), isoFromMillis(millis - claimLifetime))
  return yield* Effect.fromResult(storedResult(claimed, hash))
})
