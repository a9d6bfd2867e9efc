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

/** A change that no command makes. `input` is only stored as a hash. */
interface RecordedChange
  extends Pick<AuditEntry, "organizationId" | "actorKind" | "userId" | "keyId" | "commandId" | "subject" | "outcome"> {
  readonly input: unknown
  readonly events: ReadonlyArray<NewEvent>
}

/** Writes the audit row and the events of a change, in its transaction. */
export const recordChange = Effect.fnUntraced(function* ({ events, input, ...facts }: RecordedChange) {
  const { actorKind, commandId, keyId, organizationId, userId } = facts
  const createdAt = yield* now
  const actor = { kind: actorKind === "OPERATOR" ? "SYSTEM" : actorKind, id: userId } as const
  const stamped = yield* stampEvents(events, { organizationId, actor, keyId, createdAt })
  const id = yield* (yield* Ids).next("aud")
  const audit = { ...facts, id, commandHash: commandHash(organizationId, commandId, input), createdAt }
  yield* (yield* Journal).append(organizationId, [{ events: stamped, audit, idempotency: undefined }])
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
    const { operation: commandId, ...given } = step
    const record = (change: Pick<RecordedChange, "outcome" | "events" | "subject">) =>
      recordChange({ ...given, ...change, actorKind: "OPERATOR", userId: "operator", keyId: null, commandId })
    const done = Effect.gen(function* () {
      const { result, events = [], isChanged = true, subject = step.subject } = yield* effect
      if (isChanged) yield* record({ outcome: "ok", events, subject })
      return result
    })
    return yield* Effect.tapError((yield* Transaction).run(done), (failure) =>
      isStoreDown(failure) ? Effect.void : record({ outcome: failure.code, events: [], subject: step.subject })
    )
  })
