/**
 * What a run records along with its change: events, an audit row, and the outcome under its idempotency key.
 *
 * One call writes all three, last in the transaction of the change, so they exist exactly when the change does.
 */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ActorKind } from "../command/Actor.ts"
import type { ApprovalRequest } from "../command/ApprovalRequest.ts"
import type { Envelope } from "../command/Envelope.ts"
import type { IdempotencyInProgress, StoreFailure } from "../failure/failures.ts"
import type { CommandId, InstantText, KeyId, OrganizationId, UserId } from "../schema/RecordIds.ts"
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
    /** Writes entries in one statement. Fails with IDEMPOTENCY_IN_PROGRESS if another run stored one of the keys first. */
    readonly append: (entries: ReadonlyArray<JournalEntry>) => Effect.Effect<void, JournalFailure>
    /**
     * Inside a transaction: locks keys until it ends and returns the state of each; undefined for one that another transaction
     * holds, or that was given before.
     */
    readonly hold: (
      scopes: ReadonlyArray<IdempotencyScope>
    ) => Effect.Effect<ReadonlyArray<IdempotencyState | undefined>, StoreFailure>
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
    ) => Effect.Effect<{ readonly id: string; readonly replaced: ReadonlyArray<string> }, StoreFailure>
    /** The outcome stored under a key, as long as it is kept; undefined if there is none. */
    readonly find: (scope: IdempotencyScope) => Effect.Effect<Envelope<unknown> | undefined, StoreFailure>
    /** Removes the running mark of a run without an outcome. */
    readonly release: (scope: IdempotencyScope) => Effect.Effect<void, StoreFailure>
  }
>()("@svc/core/Journal") {}
