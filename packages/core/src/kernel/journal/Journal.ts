/**
 * What a run records along with its change: events, an audit row, and the outcome under its idempotency key.
 *
 * One call writes all three, last in the transaction of the change, so they exist exactly when the change does.
 */

import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ApprovalRequest } from "../command/ApprovalRequest.ts"
import type { Envelope } from "../command/Envelope.ts"
import type { ActorKind } from "../command/Permission.ts"
import type { IdempotencyInProgress, StoreEffect, StoreFailure } from "../failure/failures.ts"
import type { CommandId, InstantText, KeyId, OrganizationId, UserId } from "../schema/IdsAndTime.ts"
import type { Subject, WrittenEvent } from "./Event.ts"

/** An actor of the organization, or an operator from outside it. */
export type AuditActorKind = ActorKind | "OPERATOR"

/** Who did what, and how it ended. `outcome` is `ok`, `approval_required` or a failure code. */
export interface AuditEntry {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly actorKind: AuditActorKind
  readonly userId: UserId
  readonly keyId: KeyId | null
  readonly commandId: CommandId
  readonly commandHash: string
  readonly subject: Subject | null
  readonly outcome: string
  readonly createdAt: InstantText
}

/** An idempotency key, valid in one organization and for one route such as `command:lead.upsert`. */
export interface IdempotencyScope {
  readonly organizationId: OrganizationId
  readonly route: string
  readonly key: string
}

/** The outcome stored under an idempotency key, for at least 24 hours. `fingerprint` is the request's command hash. */
export interface IdempotencyRecord extends IdempotencyScope {
  readonly fingerprint: string
  readonly envelope: Envelope<unknown>
  readonly createdAt: InstantText
}

/** What one transaction appends. */
export interface JournalEntry {
  readonly events: ReadonlyArray<WrittenEvent>
  readonly audit: AuditEntry | undefined
  readonly idempotency: IdempotencyRecord | undefined
}

/** The state of an idempotency key. */
export type IdempotencyState =
  | { readonly _tag: "New" }
  | { readonly _tag: "Running"; readonly fingerprint: string; readonly since: string }
  | { readonly _tag: "Done"; readonly record: IdempotencyRecord }

/** How writing to the journal can fail. */
export type JournalFailure = StoreFailure | IdempotencyInProgress

/** Appends entries and stores idempotency keys. */
export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Writes entries of an organization in one statement, as the last one of its transaction: others who append wait for its end.
     * Fails with IDEMPOTENCY_IN_PROGRESS if another run stored one of the keys first.
     */
    readonly append: (
      organizationId: OrganizationId,
      entries: ReadonlyArray<JournalEntry>
    ) => Effect.Effect<void, JournalFailure>
    /**
     * Inside a transaction: locks keys of one organization until it ends and returns the state of each; undefined for one that another transaction
     * holds, or that was given before.
     */
    readonly hold: (scopes: ReadonlyArray<IdempotencyScope>) => StoreEffect<ReadonlyArray<IdempotencyState | undefined>>
    /**
     * For a run of several transactions: marks the key as running from `now`. A mark older than `staleBefore` was left by
     * a dead run and is taken over. Returns `New` if the key is now this run's.
     */
    readonly claim: (
      scope: IdempotencyScope,
      fingerprint: string,
      now: string,
      staleBefore: InstantText
    ) => Effect.Effect<IdempotencyState, JournalFailure>
    /**
     * Inside a transaction: stores a request for approval. If the same actor already has a pending request for the same
     * run of the same content, that one gets the new expiry and precondition instead. One that has expired, or whose content
     * has changed, expires: nobody can decide on it. Returns the id of the stored request, and those that expired.
     */
    readonly requestApproval: (
      asked: ApprovalRequest
    ) => StoreEffect<{ readonly id: string; readonly replaced: ReadonlyArray<string> }>
    /** The outcome stored under a key, as long as it is kept; undefined if there is none. */
    readonly find: (scope: IdempotencyScope) => StoreEffect<Envelope<unknown> | undefined>
    /** Removes the running mark of a run without an outcome. */
    readonly release: (scope: IdempotencyScope) => StoreEffect<void>
  }
>()("@svc/core/Journal") {}

// The unit of work of a store: all of its changes are made, or none. No provider or webhook is ever called inside a transaction.

/**
 * Runs effects atomically. The store may rerun the effect from the start (serialization failure, deadlock), so it must
 * change nothing outside the store. Fails with UNAVAILABLE when the store is unreachable. A nested transaction belongs to the
 * outer one. In one of the host ({@link JoinsTransaction}) nothing is rerun, one effect runs after the other, and one that fails
 * is undone by itself; UNAVAILABLE says that the host's transaction has ended or was aborted.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreFailure, R>
    /** Whether the caller is in a transaction of this store. */
    readonly isOpen: Effect.Effect<boolean>
  }
>()("@svc/core/Transaction") {}

/**
 * Whether a transaction reads the store as of one moment, and is rerun where it would change what others have changed since:
 * for a change that depends on an earlier read of the same transaction.
 */
export const IsSnapshot = Context.Reference<boolean>("@svc/core/IsSnapshot", { defaultValue: () => false })

/** Whether a run joins a transaction that the host has begun: it then commits or rolls back with the host. */
export const JoinsTransaction = Context.Reference<boolean>("@svc/core/JoinsTransaction", { defaultValue: () => false })

/** The organization that a fiber works for; undefined for the service's own work. Stores share their connections by it. */
export const Tenant = Context.Reference<OrganizationId | undefined>("@svc/core/Tenant", {
  defaultValue: () => undefined
})

const Endings = Context.Reference<Array<() => void> | undefined>("@svc/core/Endings", { defaultValue: () => undefined })

/** Calls a function when the open transaction of {@link withEndings} has ended, in whatever way; at once if there is none. */
export const afterTransaction = (call: () => void): Effect.Effect<void> =>
  Effect.map(Endings, (endings) => {
    if (endings === undefined) call()
    else endings.push(call)
  })

/** The transactions of a store, which at their end call what {@link afterTransaction} was given. */
export const withEndings = (transaction: Transaction["Service"]): Transaction["Service"] => ({
  ...transaction,
  run: (effect) =>
    Effect.flatMap(Endings, (open) => {
      if (open !== undefined) return transaction.run(effect)
      const endings: Array<() => void> = []
      return Effect.ensuring(
        transaction.run(Effect.provideService(effect, Endings, endings)),
        Effect.sync(() => {
          for (const call of endings) call()
        })
      )
    })
})

class RolledBack extends Data.TaggedError("RolledBack") {}

/** Runs the effect in a transaction that is always rolled back, and returns its result. */
export const withRollback = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StoreFailure, R | Transaction> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    let result: Exit.Exit<A, E> = Exit.die("the effect did not run")
    const run = Effect.flatMap(Effect.exit(effect), (exit) => {
      result = exit
      return Effect.fail(new RolledBack())
    })
    yield* transaction.run(run).pipe(Effect.catchTag("RolledBack", () => Effect.void))
    return yield* result
  })
