/** What keys did, and undoing it: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ActorKind } from "../kernel/command/Actor.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { EventType, Subject } from "../kernel/journal/Event.ts"
import type {
  CommandId,
  EventId,
  InstantText,
  KeyId,
  LeadId,
  OrganizationId,
  UserId
} from "../kernel/schema/RecordIds.ts"

/** A key and a span of time: from `since` on, before `until`. */
export interface Span {
  readonly keyId: KeyId
  readonly since: InstantText
  readonly until: InstantText
}

/** A change that was neither undone nor undoes another. `position` is its place among all changes of the store. */
export interface Change {
  readonly id: EventId
  readonly position: number
  readonly type: EventType
  readonly subject: Subject
  /** The lead that it names besides its subject. */
  readonly leadId: LeadId | null
  /** What undoing it takes; null when it cannot be undone. */
  readonly former: object | null
  readonly createdAt: InstantText
}

/** What is asked about others: whether they touched some subjects of a kind, such as `lead`, after a change in a span. */
export interface TouchedBy {
  readonly change: Change
  readonly span: Span
  readonly kind: string
  readonly ids: ReadonlyArray<string>
}

/** A successful run of a command that changes something. */
export interface Activity {
  readonly keyId: KeyId
  readonly userId: UserId
  readonly actorKind: ActorKind
  readonly commandId: CommandId
  readonly createdAt: InstantText
}

/** Which runs; without a key, those of AI agents. */
export interface ActivityFilter {
  readonly keyId: KeyId | undefined
  readonly after: InstantText
  readonly before: InstantText
}

/** Changes that belong to an import and are undone with it, when nothing is stored to undo them by. */
export const partsOfImports: ReadonlyArray<EventType> = [
  "lead.created",
  "lead.updated",
  "mission.leads_added",
  "import.progress",
  "import.completed",
  "import.failed"
]

/** Reads and marks changes. Fails with UNAVAILABLE when the store cannot be reached. */
export class RunsRepo extends Context.Service<
  RunsRepo,
  {
    /** The latest successful runs, newest first, at most `limit`. */
    readonly activity: (
      organizationId: OrganizationId,
      filter: ActivityFilter,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreFailure>
    /** The latest changes of a span, newest first, at most `limit`; without those of an import's rows, which belong to it. */
    readonly changes: (
      organizationId: OrganizationId,
      span: Span,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Change>, StoreFailure>
    /**
     * Those of some subjects that somebody else, or the key after the span, touched after the change; of leads also where an
     * event names them. Leads that come and go are no touch of a mission. What was undone, and undoing, does not count.
     */
    readonly touched: (
      organizationId: OrganizationId,
      by: TouchedBy
    ) => Effect.Effect<ReadonlyArray<string>, StoreFailure>
    /** Inside a transaction: marks a change as undone and drops what undoing it took; false if it was marked before. */
    readonly markUndone: (
      organizationId: OrganizationId,
      eventId: EventId,
      at: InstantText
    ) => Effect.Effect<boolean, StoreFailure>
  }
>()("@svc/core/runs/RunsRepo") {}
