/**
 * One run of one command: collects its events and warnings, and writes them with its outcome.
 *
 * A step of a transaction may run several times, so what it said before it failed is forgotten when it starts again.
 */
import * as Effect from "effect/Effect"
import type { ActorIdentity } from "./Actor.ts"
import { type Envelope, failureEnvelope, plainMeta } from "./Envelope.ts"
import type { NewEvent } from "./Event.ts"
import { Execution } from "./Execution.ts"
import { Failure } from "./Failure.ts"
import type { Ids } from "./Ids.ts"
import type { AuditEntry, IdempotencyScope, Journal, JournalEntry } from "./Journal.ts"
import { now } from "./Time.ts"
import { rehearse, Transaction } from "./Transaction.ts"

/** What a session is about. `idempotency` is undefined without a key. */
export interface SessionFacts {
  readonly actor: ActorIdentity
  readonly commandId: string
  readonly hash: string
  readonly dryRun: boolean
  readonly idempotency: IdempotencyScope | undefined
}

/** The services a session writes with. */
export interface SessionServices {
  readonly journal: Journal["Service"]
  readonly transaction: Transaction["Service"]
  readonly ids: Ids["Service"]
}

/** A run in progress. */
export interface Session {
  readonly execution: Execution["Service"]
  /** Runs the effect and writes its outcome, inside a transaction that is already open. */
  readonly conclude: <A, R>(step: Effect.Effect<A, Failure, R>) => Effect.Effect<A, Failure, R>
  /** The envelope of an output, with the warnings so far. */
  readonly success: (data: unknown) => Envelope<unknown>
  /** Whether an outcome was stored under the idempotency key. */
  readonly recorded: () => boolean
}

/** Starts a session. */
export const make = (facts: SessionFacts, services: SessionServices): Session => {
  const { actor, commandId, dryRun, hash, idempotency } = facts
  let warnings: ReadonlyArray<string> = dryRun ? ["dry_run"] : []
  let events: ReadonlyArray<NewEvent> = []
  let recorded = false

  const success = (data: unknown): Envelope<unknown> => ({
    ok: true,
    status: 200,
    data,
    meta: plainMeta(hash, warnings)
  })

  const entryOf = (outcome: Envelope<unknown> | undefined): Effect.Effect<JournalEntry> =>
    Effect.gen(function* () {
      const createdAt = yield* now
      const who = { kind: actor.kind, id: actor.userId }
      const stored = yield* Effect.forEach(events, (event) =>
        Effect.map(services.ids.next("evt"), (id) => ({
          ...event,
          id,
          organizationId: actor.organizationId,
          actor: who,
          createdAt
        }))
      )
      if (outcome === undefined) return { events: stored, audit: undefined, idempotency: undefined }
      const audit: AuditEntry = {
        id: yield* services.ids.next("aud"),
        organizationId: actor.organizationId,
        actorKind: actor.kind,
        userId: actor.userId,
        keyId: actor.keyId,
        commandId,
        commandHash: hash,
        subject: events[0]?.subject ?? null,
        outcome: outcome.ok ? "ok" : outcome.error.code,
        createdAt
      }
      const record = idempotency && { ...idempotency, fingerprint: hash, envelope: outcome, createdAt }
      return { events: stored, audit, idempotency: record }
    })

  /** Forgets what an earlier try of the same step said. */
  const fresh = <A, R>(step: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> => {
    const before = warnings
    return Effect.suspend(() => {
      warnings = before
      events = []
      return step
    })
  }

  const conclude = <A, R>(step: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
    Effect.gen(function* () {
      const output = yield* fresh(step)
      const outcome = output instanceof Failure ? failureEnvelope(output, hash) : success(output)
      if (!dryRun) yield* services.journal.append(yield* entryOf(outcome))
      return output
    })

  const execution = Execution.of({
    dryRun,
    emit: (event) =>
      Effect.sync(() => {
        events = [...events, event]
      }),
    warn: (warning) =>
      Effect.sync(() => {
        warnings = [...warnings, warning]
      }),
    commit: (step) =>
      services.transaction.run(
        Effect.gen(function* () {
          const result = yield* fresh(step)
          if (!dryRun && events.length > 0) yield* services.journal.append(yield* entryOf(undefined))
          return result
        })
      ),
    finish: <A, R>(step: Effect.Effect<A | Failure, Failure, R>) =>
      Effect.flatMap(services.transaction.run(conclude(step)), (output): Effect.Effect<A, Failure> => {
        recorded = true
        return output instanceof Failure ? Effect.fail(output) : Effect.succeed(output)
      })
  })

  return { execution, conclude, success, recorded: () => recorded }
}

/** Runs an effect with everything it writes undone at the end. */
export const undone = <A, R>(
  effect: Effect.Effect<A, Failure, R>,
  transaction: Transaction["Service"]
): Effect.Effect<A, Failure, R> => Effect.provideService(rehearse(effect), Transaction, transaction)
