/** What keys did, and undoing it: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { ActorKind } from "../kernel/command/Permission.ts"
import type { StoreMethod } from "../kernel/failure/failures.ts"
import type { FailureCode } from "../kernel/failure/failureTable.ts"
import type { EventType, StoredEvent } from "../kernel/journal/Event.ts"
import type { CommandId, EventId, InstantText, KeyId, UserId } from "../kernel/schema/IdsAndTime.ts"
import type { KeptReason } from "../leads/Lead.ts"

/** A key and a span of time: from `since` on, before `until`. */
export interface Span {
  readonly keyId: KeyId
  readonly since: InstantText
  readonly until: InstantText
}

/** A change that was neither undone nor undoes another. `position` is its place among all changes of the store. */
export interface Change extends Omit<StoredEvent, "organizationId"> {
  readonly position: number
}

/** What is asked about others: whether they touched some subjects of a kind, such as `lead`, after a change in a span. */
export interface TouchedBy {
  readonly change: Change
  readonly span: Span
  readonly kind: string
  readonly ids: ReadonlyArray<string>
}

/** Who changed something, and when. */
export type Authorship = Pick<StoredEvent, "actor" | "createdAt">

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

/** Events of an import besides its start, with which it is undone; those of its rows name it as `import_id`. */
export const partsOfImports: ReadonlyArray<EventType> = ["import.progress", "import.completed", "import.failed"]

/** Reads and marks changes. Fails with UNAVAILABLE when the store cannot be reached. */
export class RunsRepo extends Context.Service<
  RunsRepo,
  {
    /** The latest successful runs, newest first, at most `limit`. */
    readonly activity: StoreMethod<[filter: ActivityFilter, limit: number], ReadonlyArray<Activity>>
    /**
     * The latest changes of a span, newest first, at most `limit`, and only those before a position; without those of an
     * import's rows, which belong to it.
     */
    readonly changes: StoreMethod<[span: Span, before: number | undefined, limit: number], ReadonlyArray<Change>>
    /**
     * Those of some subjects that somebody else, or the key after the span, touched after the change; of leads also where an
     * event names them or they were merged, of missions where one names them. Leads that come and go are no touch of a mission.
     * What was undone, and undoing, does not count.
     */
    readonly touched: StoreMethod<[by: TouchedBy], ReadonlyArray<string>>
    /** For each change, the last earlier one of the same subject by anybody but the key; undefined where none is known. */
    readonly previous: StoreMethod<
      [keyId: KeyId, changes: ReadonlyArray<Change>],
      ReadonlyArray<Authorship | undefined>
    >
    /** Inside a transaction: marks changes as undone; false if the first was marked before. */
    readonly markUndone: StoreMethod<
      [eventIds: readonly [EventId, ...ReadonlyArray<EventId>], at: InstantText],
      boolean
    >
  }
>()("@svc/core/runs/RunsRepo") {}

/**
 * TOUCHED: somebody else changed or used it since. SENT: it was sent, or may have been. PROTECTED: it ends contact with a person.
 * CHANGED_VALUE: it changed what was there before. IN_USE: something else needs it, or stands in the way. GONE: it no longer
 * exists. FINAL: this kind of change cannot be undone.
 */
export const KeptChangeReason = Schema.Literals([
  "TOUCHED",
  "SENT",
  "PROTECTED",
  "CHANGED_VALUE",
  "IN_USE",
  "GONE",
  "FINAL"
])

export type KeptChangeReason = typeof KeptChangeReason.Type

const sent = /^(draft\.dispatch|invitation\.|message\.sent)/

const protective: ReadonlySet<EventType> = new Set(["lead.suppressed", "lead.unsuppressed", "lead.erased"])

const values = /^(lead\.(updated|status_changed)|(offer|mission|draft|email|conversation)\.)/

/** Why a change stays that is not taken back. */
export const reasonOfType = (type: EventType): KeptChangeReason => {
  if (sent.test(type)) return "SENT"
  if (protective.has(type)) return "PROTECTED"
  return values.test(type) ? "CHANGED_VALUE" : "FINAL"
}

const byCode: Partial<Record<FailureCode, KeptChangeReason>> = {
  CONTENT_CHANGED: "TOUCHED",
  VERSION_CONFLICT: "TOUCHED",
  NOT_FOUND: "GONE",
  DRAFT_FINAL: "SENT",
  DRAFT_IN_FLIGHT: "SENT",
  SEND_OUTCOME_UNKNOWN: "SENT"
}

/** What keeps something that is unsent no longer, or decided. */
const byKind: Readonly<Record<string, KeptChangeReason>> = { email: "SENT", invitation: "SENT", approval: "FINAL" }

/** Why a change stays whose undoing was refused. */
export const refusedReason = (code: FailureCode, type: EventType): KeptChangeReason =>
  byCode[code] ?? byKind[type.split(".")[0] ?? ""] ?? "IN_USE"

/** Why a lead stays that an import created. */
export const importReasons: Readonly<Record<KeptReason, KeptChangeReason>> = {
  MERGED: "FINAL",
  CONTACTED: "SENT",
  DRAFTED: "IN_USE",
  NOTED: "IN_USE",
  SUPPRESSED: "PROTECTED",
  IN_OTHER_MISSION: "IN_USE",
  IN_OTHER_IMPORT: "IN_USE",
  AWAITING_APPROVAL: "IN_USE",
  CHANGED: "TOUCHED"
}
