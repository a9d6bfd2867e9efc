/**
 * Work that nobody asked for just now: transactions of the dispatcher, with their events in the service's own name.
 *
 * Rules that were written for commands run here as they are; what would be a warning to a caller is dropped.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import type { NewEvent } from "../../Event.ts"
import { Execution } from "../../Execution.ts"
import { Failure } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { Journal } from "../../Journal.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"

/** How the service names itself in events. */
const dispatcher = { kind: "SYSTEM", id: "dispatcher" } as const

const recorder = (said: Array<NewEvent>): Execution["Service"] => ({
  dryRun: false,
  emit: (event) => Effect.sync(() => void said.push(event)),
  warn: () => Effect.void,
  commit: (step) => step,
  finish: <A, R>(step: Effect.Effect<A | Failure, Failure, R>) =>
    Effect.flatMap(
      step,
      (output): Effect.Effect<A, Failure> => (output instanceof Failure ? Effect.fail(output) : Effect.succeed(output))
    )
})

/** Gives an effect the service's own rights in one organization: for rules that ask who acts. */
export const asService = <A, E, R>(
  organizationId: string,
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

/** What a step needs of whoever runs it with {@link runAsService}. */
export type SystemNeeds<R> = Exclude<Exclude<R, Execution>, Actor> | Transaction | Journal | Ids

/** Runs a step in a transaction of its own and stores its events with it. */
export const runAsService = <A, R>(
  organizationId: string,
  step: Effect.Effect<A, Failure, R>
): Effect.Effect<A, Failure, SystemNeeds<R>> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const journal = yield* Journal
    const ids = yield* Ids
    return yield* transaction.run(
      Effect.gen(function* () {
        const said: Array<NewEvent> = []
        const result = yield* asService(organizationId, Effect.provideService(step, Execution, recorder(said)))
        const createdAt = yield* now
        const events = yield* Effect.forEach(said, (event) =>
          Effect.map(ids.next("evt"), (id) => ({ ...event, id, organizationId, actor: dispatcher, createdAt }))
        )
        if (events.length > 0) yield* journal.append({ events, audit: undefined, idempotency: undefined })
        return result
      })
    )
  })
