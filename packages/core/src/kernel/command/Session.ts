/**
 * One run of one command: collects its events and warnings, and writes them with its outcome.
 *
 * The store may rerun a transaction, so the events and warnings of an earlier try are discarded.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Failure } from "../failure/Failure.ts"
import { Unavailable } from "../failure/failures.ts"
import { type NewEvent, stampedEvents } from "../journal/Event.ts"
import type {
  AuditEntry,
  IdempotencyScope,
  Journal,
  JournalEntry,
  JournalFailure,
  Transaction
} from "../journal/Journal.ts"
import { type CommandId, type Ids, type InstantText, now } from "../schema/IdsAndTime.ts"
import { type ApprovalRequest, approvalEnvelope, approvalEvent } from "./ApprovalRequest.ts"
import type { CommandResult } from "./Delegation.ts"
import { failureResult } from "./dispatch/present.ts"
import { type Envelope, failureEnvelope, plainMeta } from "./Envelope.ts"
import { type ActorIdentity, Execution, succeedOrFail } from "./Execution.ts"

/** The facts of a run. `idempotency` is undefined without a key. */
export interface SessionFacts {
  readonly actor: ActorIdentity
  readonly commandId: CommandId
  readonly hash: string
  readonly dryRun: boolean
  readonly idempotency: IdempotencyScope | undefined
  /** Fields of the output that only the first response has. */
  readonly shownOnce?: ReadonlyArray<string>
  /** The shape in which a result is returned and stored. */
  readonly present?: (result: unknown) => unknown
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
  /** Discards the events and warnings of an earlier try; not for a run of several transactions. */
  readonly reset: () => void
  /** What is written about an output. */
  readonly entryOf: (output: unknown) => Effect.Effect<JournalEntry>
  /** Inside a transaction: runs the step and writes its outcome. */
  readonly conclude: <A, E extends Failure, R>(step: Effect.Effect<A, E, R>) => Effect.Effect<A, E | JournalFailure, R>
  /** The envelope of an output, with the warnings so far. */
  readonly success: (data: unknown) => Envelope<unknown>
  /** Whether the outcome of a run of several transactions was stored. */
  readonly recorded: () => boolean
  /** Inside a transaction: stores the run for a person to decide, and returns the envelope that says so. */
  readonly requestApproval: (asked: ApprovalRequest) => Effect.Effect<Envelope<unknown>, JournalFailure>
  /**
   * After a rollback: writes the audit row of a refused change, if the failure is of a kind that is audited. A failure to
   * write it is only logged.
   */
  readonly auditRefusal: (failure: Failure) => Effect.Effect<void>
}

/** Audited are failures of rights, state or provider; not invalid requests, unknown objects, or what a retry may fix. */
const isAudited = ({ entry }: Failure): boolean =>
  entry.kind === "Denied" || entry.kind === "Gateway" || (entry.kind === "Conflict" && !entry.retryable)

/** The output as it may be stored: without secrets that are shown once. */
export const withoutShownOnce = (data: unknown, shownOnce: ReadonlyArray<string>): unknown =>
  shownOnce.length === 0 || typeof data !== "object" || data === null
    ? data
    : { ...data, ...Object.fromEntries(shownOnce.map((name) => [name, null])) }

/** Starts a session. */
export const make = (facts: SessionFacts, services: SessionServices): Session => {
  const { actor, commandId, dryRun, hash, idempotency, present = (result) => result, shownOnce = [] } = facts
  const initialWarnings: ReadonlyArray<string> = dryRun ? ["dry_run"] : []
  let warnings = initialWarnings
  let events: Array<NewEvent> = []
  let recorded = false

  const success = (data: unknown): Envelope<unknown> => ({
    ok: true,
    status: 200,
    data,
    meta: plainMeta(hash, warnings)
  })

  const auditOf = (
    outcome: string,
    subject: AuditEntry["subject"],
    createdAt: InstantText,
    id: string
  ): AuditEntry => ({
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
  })

  const entryOf = (
    emitted: ReadonlyArray<NewEvent>,
    outcome: Envelope<unknown> | undefined
  ): Effect.Effect<JournalEntry> =>
    Effect.zipWith(now, services.ids.maker, (createdAt, makeId) => {
      const { keyId, kind, organizationId, userId } = actor
      const stamp = { organizationId, actor: { kind, id: userId }, keyId, createdAt }
      const events = stampedEvents(emitted, stamp, makeId)
      if (outcome === undefined) return { events, audit: undefined, idempotency: undefined }
      return {
        events,
        audit: auditOf(outcome.ok ? "ok" : outcome.error.code, emitted[0]?.subject ?? null, createdAt, makeId("aud")),
        idempotency: idempotency && { ...idempotency, fingerprint: hash, envelope: outcome, createdAt }
      }
    })

  const outcomeEntry = (output: unknown): Effect.Effect<JournalEntry> =>
    entryOf(
      events,
      output instanceof Failure ? failureEnvelope(output, hash) : success(withoutShownOnce(present(output), shownOnce))
    )

  const reset = (before = initialWarnings): void => {
    warnings = before
    events = []
  }

  /** Discards the events and warnings of an earlier try of the step. */
  const withReset = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const before = warnings
    return Effect.suspend(() => {
      reset(before)
      return step
    })
  }

  const conclude = <A, E extends Failure, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E | JournalFailure, R> =>
    Effect.flatMap(withReset(step), (output) => {
      if (dryRun) return Effect.succeed(output)
      return Effect.as(
        Effect.flatMap(outcomeEntry(output), (entry) => services.journal.append(actor.organizationId, [entry])),
        output
      )
    })

  /** Runs one of several steps, with its own events and warnings, since two steps may run at the same time. */
  const commit = <A, E extends Failure, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E | JournalFailure, R> =>
    services.transaction
      .run(
        Effect.gen(function* () {
          const emitted = { events: [] as NewEvent[], warnings: [] as string[] }
          const own = Execution.of({
            ...execution,
            emit: (event) => Effect.sync(() => void emitted.events.push(event)),
            warn: (warning) => Effect.sync(() => void emitted.warnings.push(warning))
          })
          const result = yield* Effect.provideService(step, Execution, own)
          if (!dryRun && emitted.events.length > 0) {
            yield* services.journal.append(actor.organizationId, [yield* entryOf(emitted.events, undefined)])
          }
          return { result, warnings: emitted.warnings }
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
    emit: (event) => Effect.sync(() => void events.push(event)),
    warn: (warning) =>
      Effect.sync(() => {
        warnings = [...warnings, warning]
      }),
    commit,
    finish: <A, E extends Failure, R>(step: Effect.Effect<A, E, R>) =>
      Effect.flatMap(services.transaction.run(conclude(step)), (output) => {
        recorded = true
        return succeedOrFail(output)
      })
  })

  const requestApproval = (request: ApprovalRequest) =>
    Effect.gen(function* () {
      const { id, replaced } = yield* services.journal.requestApproval(request)
      const envelope = approvalEnvelope({ ...request, id })
      const emitted = [
        ...replaced.map((old) => approvalEvent("approval.expired", { ...request, id: old }, { replaced_by: id })),
        ...(id === request.id ? [approvalEvent("approval.requested", request)] : [])
      ]
      const { events } = yield* entryOf(emitted, undefined)
      const auditId = yield* services.ids.next("aud")
      const audit = auditOf("approval_required", { type: "approval", id }, request.createdAt, auditId)
      const record = idempotency && { ...idempotency, fingerprint: hash, envelope, createdAt: request.createdAt }
      yield* services.journal.append(actor.organizationId, [{ events, audit, idempotency: record }])
      return envelope
    })

  const auditRefusal = (failure: Failure) =>
    dryRun || recorded || !isAudited(failure)
      ? Effect.void
      : Effect.gen(function* () {
          const audit = auditOf(failure.code, null, yield* now, yield* services.ids.next("aud"))
          yield* services.journal.append(actor.organizationId, [{ events: [], audit, idempotency: undefined }])
        }).pipe(Effect.catchCause((cause) => Effect.logWarning("Could not write the audit row of a refusal", cause)))

  return {
    execution,
    reset: () => reset(),
    entryOf: outcomeEntry,
    conclude,
    success,
    recorded: () => recorded,
    requestApproval,
    auditRefusal
  }
}

/** A run, as hooks see it. */
export interface HookCall {
  /** The command's id, the same on every surface. Reading a resource runs `resource.<name>`. */
  readonly command: CommandId
  /** The REST route that led to the command, such as `POST /api/v1/offers`; absent for every other way. */
  readonly route?: string
  /** The validated input in the command's own field names. Of a call that was refused before, the input as it was sent. */
  readonly input: unknown
  readonly actor: ActorIdentity
  readonly dryRun: boolean
  readonly idempotencyKey?: string
  /** Id of the HTTP request, as in the log; absent in process. */
  readonly requestId?: string
  /** The command that began this run: `approval.resolve` for a held one, or a command of the host that calls the service. */
  readonly within?: CommandId
}

/** What became of a run: its envelope, with `ok` and `data` or `error`. */
export type HookOutcome = Envelope<unknown> & {
  readonly durationMillis: number
  /** Whether it is the stored result of an earlier run with the same idempotency key. */
  readonly replayed: boolean
}

/** What is called around runs. */
export interface RunHooks {
  /** Called when the actor may run the command and its input is valid; a failure refuses the run. */
  readonly before: (call: HookCall) => Effect.Effect<void, Failure>
  /** Called once for every call of a known command, refused ones included. */
  readonly after: (call: HookCall, outcome: HookOutcome) => Effect.Effect<void>
}

/** The hooks of the host; by default none. */
export const RunHooks = Context.Reference<RunHooks | undefined>("@svc/core/RunHooks", {
  defaultValue: () => undefined
})

/** The outcome of a call that its caller cancelled before it had one. */
const cancelled = (): CommandResult => failureResult(new Unavailable({ message: "The caller cancelled the call." }), "")

/** How the end of a call is told to `after`, once, also if it is cancelled. */
interface Ending {
  readonly of: (run: Effect.Effect<CommandResult>) => Effect.Effect<CommandResult>
  readonly onCancel: <A, E>(step: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** The ending of a call that begins now. `call` is read at the end. */
export const endingOf = (hooks: RunHooks | undefined, call: () => HookCall): Ending => {
  if (hooks === undefined) return { of: (run) => run, onCancel: (step) => step }
  const began = performance.now()
  let isOver = false
  const tell = ({ envelope, replayed }: CommandResult) =>
    Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return hooks.after(call(), { ...envelope, durationMillis: performance.now() - began, replayed })
    })
  const onCancel: Ending["onCancel"] = (step) => Effect.onInterrupt(step, () => tell(cancelled()))
  return { onCancel, of: (run) => onCancel(Effect.tap(run, (result) => Effect.uninterruptible(tell(result)))) }
}
