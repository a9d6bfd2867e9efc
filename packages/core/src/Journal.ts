/**
 * What a run leaves behind beside its change: events, an audit row, and the outcome under its idempotency key.
 *
 * All three are written by one call, last in the transaction of the change, so they are there exactly when the change
 * is. Source: architecture, decision 1; contract sections 1.10 and 1.12.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ActorKind } from "./Actor.ts"
import type { ApprovalAsked } from "./ApprovalAsked.ts"
import type { Envelope } from "./Envelope.ts"
import type { StoredEvent, Subject } from "./Event.ts"
import type { Failure } from "./Failure.ts"

/** Who did it: an actor of the organization, or an operator from outside of it. */
export type AuditActorKind = ActorKind | "OPERATOR"

/** Who did what, and how it ended. `outcome` is `ok` or a failure code. */
export interface AuditEntry {
  readonly id: string
  readonly organizationId: string
  readonly actorKind: AuditActorKind
  readonly userId: string
  readonly keyId: string | null
  readonly commandId: string
  readonly commandHash: string
  readonly subject: Subject | null
  readonly outcome: string
  readonly createdAt: string
}

/** Where an idempotency key holds: one organization and one route, such as `command:lead.upsert`. */
export interface IdempotencyScope {
  readonly organizationId: string
  readonly route: string
  readonly key: string
}

/** The outcome kept under an idempotency key, at least 24 hours. `fingerprint` is the command hash of the request. */
export interface IdempotencyRecord extends IdempotencyScope {
  readonly fingerprint: string
  readonly envelope: Envelope<unknown>
  readonly createdAt: string
}

/** What one transaction adds. */
export interface JournalEntry {
  readonly events: ReadonlyArray<StoredEvent>
  readonly audit: AuditEntry | undefined
  readonly idempotency: IdempotencyRecord | undefined
}

/** What is known of an idempotency key. */
export type IdempotencyState =
  | { readonly _tag: "New" }
  | { readonly _tag: "Running"; readonly fingerprint: string; readonly since: string }
  | { readonly _tag: "Done"; readonly record: IdempotencyRecord }

/** Appends entries and keeps idempotency keys. */
export class Journal extends Context.Service<
  Journal,
  {
    /** Writes everything in one statement. Fails with IDEMPOTENCY_IN_PROGRESS when another run stored the key first. */
    readonly append: (entry: JournalEntry) => Effect.Effect<void, Failure>
    /**
     * Inside a transaction: takes the key for this transaction and says what is known of it. Fails with
     * IDEMPOTENCY_IN_PROGRESS when another transaction holds it right now.
     */
    readonly hold: (scope: IdempotencyScope) => Effect.Effect<IdempotencyState, Failure>
    /**
     * Marks the key as running from `now`, to be seen by everyone, for a run of several transactions. A mark older than
     * `staleBefore` belongs to a run that died and is taken over. Answers `New` when it is now ours.
     */
    readonly claim: (
      scope: IdempotencyScope,
      fingerprint: string,
      now: string,
      staleBefore: string
    ) => Effect.Effect<IdempotencyState, Failure>
    /**
     * Keeps a run that waits for a person, inside the transaction that answers it. Answers the id of the request: the one
     * given, or that of the same actor's open request for the same run, which is then kept for as long as the new one.
     */
    readonly ask: (asked: ApprovalAsked) => Effect.Effect<string, Failure>
    /** Removes a running mark that led to no outcome. */
    readonly release: (scope: IdempotencyScope) => Effect.Effect<void, Failure>
  }
>()("@svc/core/Journal") {}
