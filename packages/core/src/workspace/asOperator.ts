/**
 * Changes that an operator makes from outside every organization: with the command line on the host, or from the program
 * that the service runs in. They leave what commands leave: an audit row and events, in the transaction of the change.
 *
 * Source: G35, G36; contract 2 (operator commands).
 */
import * as Effect from "effect/Effect"
import { commandHash } from "../Envelope.ts"
import type { NewEvent, Subject } from "../Event.ts"
import type { Failure } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { type AuditEntry, Journal } from "../Journal.ts"
import { now } from "../Time.ts"
import { Transaction } from "../Transaction.ts"

/** What is noted of a change: whose, which operation, and what was asked. `input` is hashed, never kept. */
export interface OperatorStep {
  readonly organizationId: string
  /** Such as `operator.keys.create`. */
  readonly operation: string
  readonly input: unknown
  /** What is changed; of what is only made by the step, what it answers says it. */
  readonly subject: Subject | null
}

/** What a step did: its answer, what it made, and what is to be told. */
export interface OperatorOutcome<A> {
  readonly answer: A
  readonly subject?: Subject
  readonly events?: ReadonlyArray<NewEvent>
}

/** How operators are named in audit rows and events. */
export const operatorId = "operator"

const entryOf = Effect.fnUntraced(function* (
  { input, operation, organizationId }: OperatorStep,
  subject: Subject | null,
  outcome: string
) {
  const entry: AuditEntry = {
    id: yield* (yield* Ids).next("aud"),
    organizationId,
    actorKind: "OPERATOR",
    userId: operatorId,
    keyId: null,
    commandId: operation,
    commandHash: commandHash(organizationId, operation, input),
    subject,
    outcome,
    createdAt: yield* now
  }
  return entry
})

/** What running a step needs beside the step's own needs. */
export type OperatorNeeds = Ids | Journal | Transaction

/**
 * Runs a step in a transaction of its own with its audit row. A refusal changes nothing and leaves a row with its code.
 */
export const asOperator = <A, R>(
  step: OperatorStep,
  effect: Effect.Effect<OperatorOutcome<A>, Failure, R>
): Effect.Effect<A, Failure, R | OperatorNeeds> =>
  Effect.gen(function* () {
    const journal = yield* Journal
    const ids = yield* Ids
    const done = Effect.gen(function* () {
      const { answer, events = [], subject = step.subject } = yield* effect
      const createdAt = yield* now
      const actor = { kind: "SYSTEM", id: operatorId } as const
      const stored = yield* Effect.forEach(events, (event) =>
        Effect.map(ids.next("evt"), (id) => ({
          ...event,
          id,
          organizationId: step.organizationId,
          actor,
          createdAt
        }))
      )
      yield* journal.append({ events: stored, audit: yield* entryOf(step, subject, "ok"), idempotency: undefined })
      return answer
    })
    return yield* Effect.tapError((yield* Transaction).run(done), (failure) =>
      failure.code === "UNAVAILABLE"
        ? Effect.void
        : Effect.flatMap(entryOf(step, step.subject, failure.code), (audit) =>
            journal.append({ events: [], audit, idempotency: undefined })
          )
    )
  })
