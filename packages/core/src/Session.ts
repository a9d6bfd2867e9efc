/**
 * One run of one command: collects its events and warnings, and writes them with its outcome.
 *
 * A step of a transaction may run several times, so what it said before it failed is forgotten when it starts again.
 */
import * as Effect from "effect/Effect"
import type { ActorIdentity } from "./Actor.ts"
import { type ApprovalAsked, askedEnvelope } from "./ApprovalAsked.ts"
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
  /** Fields of the output that only the first answer holds. */
  readonly shownOnce?: ReadonlyArray<string>
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
  /** Whether the outcome of a run of several transactions was stored. */
  readonly recorded: () => boolean
  /** Inside a transaction: keeps the run for a person to decide, and answers with that. */
  readonly ask: (asked: ApprovalAsked) => Effect.Effect<Envelope<unknown>, Failure>
  /**
   * After a rollback: writes the audit row of a change that was refused, where the refusal tells of an attempt. That it
   * cannot be written is logged and does not hide the refusal.
   */
  readonly noteRefusal: (failure: Failure) => Effect.Effect<void>
}

/** Refused by right, by state or by a provider; not what was never well formed, names nothing, or is simply repeated. */
const isAttempt = ({ entry }: Failure): boolean =>
  entry.kind === "Denied" || entry.kind === "Gateway" || (entry.kind === "Conflict" && !entry.retryable)

/** The output as it may be kept: what is shown once is gone. */
export const withoutShownOnce = (data: unknown, shownOnce: ReadonlyArray<string>): unknown =>
  shownOnce.length === 0 || typeof data !== "object" || data === null
    ? data
    : { ...data, ...Object.fromEntries(shownOnce.map((name) => [name, null])) }

/** Starts a session. */
export const make = (facts: SessionFacts, services: SessionServices): Session => {
  const { actor, commandId, dryRun, hash, idempotency, shownOnce = [] } = facts
  let warnings: ReadonlyArray<string> = dryRun ? ["dry_run"] : []
  let events: Array<NewEvent> = []
  let recorded = false

  const success = (data: unknown): Envelope<unknown> => ({
    ok: true,
    status: 200,
    data,
    meta: plainMeta(hash, warnings)
  })

  const auditOf = (outcome: string, subject: AuditEntry["subject"], createdAt: string): Effect.Effect<AuditEntry> =>
    Effect.map(services.ids.next("aud"), (id) => ({
      id,
      organizationId: actor.organizationId,
      actorKind: actor.kind,
      userId: actor.userId,
      keyId: actor.keyId,
      commandId,
      commandHash: hash,
      subject,
      outcome,
      createdAt
    }))

  const entryOf = (
    said: ReadonlyArray<NewEvent>,
    outcome: Envelope<unknown> | undefined
  ): Effect.Effect<JournalEntry> =>
    Effect.gen(function* () {
      const createdAt = yield* now
      const who = { kind: actor.kind, id: actor.userId }
      const makeId = yield* services.ids.maker
      const { organizationId } = actor
      const stored = said.map(({ data, subject, type }) => ({
        type,
        subject,
        data,
        id: makeId("evt"),
        organizationId,
        actor: who,
        createdAt
      }))
      if (outcome === undefined) return { events: stored, audit: undefined, idempotency: undefined }
      const audit = yield* auditOf(outcome.ok ? "ok" : outcome.error.code, said[0]?.subject ?? null, createdAt)
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
      const outcome =
        output instanceof Failure ? failureEnvelope(output, hash) : success(withoutShownOnce(output, shownOnce))
      if (!dryRun) yield* services.journal.append(yield* entryOf(events, outcome))
      return output
    })

  /** Runs a step of several, with an execution of its own, since two of them may run at the same time. */
  const commit = <A, R>(step: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
    services.transaction
      .run(
        Effect.gen(function* () {
          const said = { events: [] as NewEvent[], warnings: [] as string[] }
          const own = Execution.of({
            ...execution,
            emit: (event) => Effect.sync(() => void said.events.push(event)),
            warn: (warning) => Effect.sync(() => void said.warnings.push(warning))
          })
          const result = yield* Effect.provideService(step, Execution, own)
          if (!dryRun && said.events.length > 0) {
            yield* services.journal.append(yield* entryOf(said.events, undefined))
          }
          return { result, warnings: said.warnings }
        })
      )
      .pipe(
        Effect.map((done) => {
          warnings = [...warnings, ...done.warnings]
          return done.result
        })
      )

  const execution: Execution["Service"] = Execution.of({
    dryRun,
    emit: (event) =>
      Effect.sync(() => {
        events.push(event)
      }),
    warn: (warning) =>
      Effect.sync(() => {
        warnings = [...warnings, warning]
      }),
    commit,
    finish: <A, R>(step: Effect.Effect<A | Failure, Failure, R>) =>
      Effect.flatMap(services.transaction.run(conclude(step)), (output): Effect.Effect<A, Failure> => {
        recorded = true
        return output instanceof Failure ? Effect.fail(output) : Effect.succeed(output)
      })
  })

  const ask = (asked: ApprovalAsked) =>
    Effect.gen(function* () {
      const id = yield* services.journal.ask(asked)
      const envelope = askedEnvelope({ ...asked, id })
      const audit = yield* auditOf("approval_required", { type: "approval", id }, asked.createdAt)
      const record = idempotency && { ...idempotency, fingerprint: hash, envelope, createdAt: asked.createdAt }
      yield* services.journal.append({ events: [], audit, idempotency: record })
      return envelope
    })

  const noteRefusal = (failure: Failure) =>
    dryRun || recorded || !isAttempt(failure)
      ? Effect.void
      : Effect.gen(function* () {
          const audit = yield* auditOf(failure.code, null, yield* now)
          yield* services.journal.append({ events: [], audit, idempotency: undefined })
        }).pipe(Effect.catchCause((cause) => Effect.logWarning("a refusal was not noted", cause)))

  return { execution, conclude, success, recorded: () => recorded, ask, noteRefusal }
}

/** Runs an effect with everything it writes undone at the end. */
export const undone = <A, R>(
  effect: Effect.Effect<A, Failure, R>,
  transaction: Transaction["Service"]
): Effect.Effect<A, Failure, R> => Effect.provideService(rehearse(effect), Transaction, transaction)
