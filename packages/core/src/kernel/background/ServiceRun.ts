/**
 * Background work: transactions that the service runs on its own, with events in its own name.
 *
 * The rules of commands run here unchanged; warnings, which have no caller to go to, are dropped.
 */

import * as Effect from "effect/Effect"
import { Actor, Execution, succeedOrFail } from "../command/Execution.ts"
import type { Failure } from "../failure/Failure.ts"
import { type NewEvent, stampEvents } from "../journal/Event.ts"
import { Journal, type JournalFailure, Transaction } from "../journal/Journal.ts"
import { type Ids, now, type OrganizationId } from "../schema/IdsAndTime.ts"

/** The actor of the service's own events. */
export const dispatcher = { kind: "SYSTEM", id: "dispatcher" } as const

const executionOf = (emitted: Array<NewEvent>): Execution["Service"] => ({
  dryRun: false,
  emit: (event) => Effect.sync(() => void emitted.push(event)),
  warn: () => Effect.void,
  commit: (step) => step,
  finish: (step) => Effect.flatMap(step, succeedOrFail)
})

/** Runs an effect with the service itself as the actor, for rules that need one. */
export const asService = <A, E, R>(
  organizationId: OrganizationId,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Actor>> =>
  Effect.provideService(effect, Actor, {
    organizationId,
    userId: dispatcher.id,
    kind: "USER",
    mode: "full",
    scopes: [],
    keyId: null
  })

/** What a step run by {@link runAsService} needs from its caller. */
export type SystemNeeds<R> = Exclude<Exclude<R, Execution>, Actor> | Transaction | Journal | Ids

/** Runs a step in its own transaction, which also stores its events. */
export const runAsService = <A, E extends Failure, R>(
  organizationId: OrganizationId,
  step: Effect.Effect<A, E, R>
): Effect.Effect<A, E | JournalFailure, SystemNeeds<R>> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const journal = yield* Journal
    return yield* transaction.run(
      Effect.gen(function* () {
        const emitted: Array<NewEvent> = []
        const result = yield* asService(organizationId, Effect.provideService(step, Execution, executionOf(emitted)))
        const events = yield* stampEvents(emitted, {
          organizationId,
          actor: dispatcher,
          keyId: null,
          createdAt: yield* now
        })
        if (events.length > 0) yield* journal.append([{ events, audit: undefined, idempotency: undefined }])
        return result
      })
    )
  })
