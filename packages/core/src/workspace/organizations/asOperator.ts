/**
 * Changes by an operator, from outside the organization: with the command line on the host, or from a host program. Like
 * commands, they write an audit row and events in the transaction of the change.
 */

import * as Effect from "effect/Effect"
import { commandHash } from "../../kernel/command/Envelope.ts"
import { type Failure, isStoreDown } from "../../kernel/failure/Failure.ts"
import { type NewEvent, type Subject, stampEvents } from "../../kernel/journal/Event.ts"
import { type AuditEntry, Journal, Transaction } from "../../kernel/journal/Journal.ts"
import { Ids, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"

/** The facts of an operator's change. `input` is only stored as a hash. */
interface OperatorStep {
  readonly organizationId: OrganizationId
  /** Such as `operator.keys.create`. */
  readonly operation: string
  readonly input: unknown
  /** What is changed; null if the step creates it and returns it as the outcome's `subject`. */
  readonly subject: Subject | null
}

/** The outcome of a step: its result, what it created, and its events. */
interface OperatorOutcome<A> {
  readonly result: A
  readonly subject?: Subject
  readonly events?: ReadonlyArray<NewEvent>
  /** False if there was nothing to change, which is not audited. */
  readonly isChanged?: boolean
}

/** The actor of operators' events. */
const actor = { kind: "SYSTEM", id: "operator" } as const

const entryOf = Effect.fnUntraced(function* (
  { input, operation, organizationId }: OperatorStep,
  subject: Subject | null,
  outcome: string
) {
  const entry: AuditEntry = {
    id: yield* (yield* Ids).next("aud"),
    organizationId,
    actorKind: "OPERATOR",
    userId: actor.id,
    keyId: null,
    commandId: operation,
    commandHash: commandHash(organizationId, operation, input),
    subject,
    outcome,
    createdAt: yield* now
  }
  return entry
})

/** The services that running a step needs in addition to the step's own. */
export type OperatorNeeds = Ids | Journal | Transaction

/**
 * Runs a step in its own transaction, which also writes its audit row. A failure changes nothing and is audited too.
 */
export const asOperator = <A, R>(
  step: OperatorStep,
  effect: Effect.Effect<OperatorOutcome<A>, Failure, R>
): Effect.Effect<A, Failure, R | OperatorNeeds> =>
  Effect.gen(function* () {
    const journal = yield* Journal
    const { organizationId } = step
    const done = Effect.gen(function* () {
      const { result, events = [], isChanged = true, subject = step.subject } = yield* effect
      if (!isChanged) return result
      const stored = yield* stampEvents(events, { organizationId, actor, keyId: null, createdAt: yield* now })
      yield* journal.append(organizationId, [
        { events: stored, audit: yield* entryOf(step, subject, "ok"), idempotency: undefined }
      ])
      return result
    })
    return yield* Effect.tapError((yield* Transaction).run(done), (failure) =>
      isStoreDown(failure)
        ? Effect.void
        : Effect.flatMap(entryOf(step, step.subject, failure.code), (audit) =>
            journal.append(organizationId, [{ events: [], audit, idempotency: undefined }])
          )
    )
  })
