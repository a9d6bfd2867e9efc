/** Imports: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import type { ImportId, InstantText, LeadId, MissionId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { KeptReason, LeadRow } from "../leads/Lead.ts"
import type { ImportType } from "../missions/MissionInput.ts"
import type { ImportMission, ImportRow, ImportRun, ImportState, RefusedRow, RowOutcome } from "./ImportRun.ts"

/** A run with the mission it belongs to. */
interface ImportInMission {
  readonly run: ImportRun
  readonly mission: ImportMission
}

/**
 * A filter. `mission` is an id or a handle. `state` is the state as shown: a running import last updated before
 * `staleBefore` counts as interrupted.
 */
export interface ImportFilter {
  readonly mission: string | undefined
  readonly type: ImportType | undefined
  readonly state: ImportState | undefined
  readonly staleBefore: InstantText
}

/** Rows with one outcome, refused rows, or all. */
export type RowFilter = RowOutcome | "refused" | undefined

/** A row with the lead that it created or matched, if the lead still exists. */
export interface ListedImportRow extends ImportRow {
  readonly lead: Pick<LeadRow, "id" | "name" | "jobTitle" | "company" | "status"> | null
}

/** A change of state by somebody other than the runner. */
interface Settlement {
  readonly from: ReadonlyArray<ImportState>
  readonly to: ImportState
  readonly reason: string
  readonly at: string
}

/** What changes when a run is resumed. */
interface Continuation extends Pick<ImportRun, "rowLimit" | "accountId"> {
  readonly at: string
}

/** Rows of a run, and its state after them. */
export interface Progress extends Pick<ImportRun, "organizationId" | "attempt" | "cursor" | "state" | "reason"> {
  readonly importId: ImportId
  readonly rows: ReadonlyArray<ImportRow>
  readonly at: string
}

/** Reason of a row whose lead was created and deleted again. */
export const undoneReason = "UNDONE"

/** What happened to some leads of an import, in row order. */
interface UndoneRows {
  readonly removed: ReadonlyArray<string>
  readonly kept: ReadonlyArray<{ readonly leadId: LeadId; readonly reason: KeptReason }>
  /** Position of the last processed row; undefined when there are no more rows. */
  readonly next: number | undefined
}

/** Stores imports and their rows. Fails with UNAVAILABLE when the store cannot be reached. */
export class ImportsRepo extends Context.Service<
  ImportsRepo,
  {
    /**
     * Stores a new run, unless the mission has a running import of the same source; then returns that one.
     */
    readonly insert: (run: ImportRun) => StoreEffect<ImportRun | undefined>
    /**
     * Resumes a run with its next attempt and returns it. Returns undefined when it changed since `seen`, or when another
     * import of its source is running in the mission.
     */
    readonly resume: (seen: ImportRun, continuation: Continuation) => StoreEffect<ImportRun | undefined>
    /**
     * Stores rows and the new state, adds the rows to the counts and returns the run, in one statement. Stores nothing and
     * returns undefined when the attempt is not the current one or the run is no longer running.
     */
    readonly advance: (progress: Progress) => StoreEffect<ImportRun | undefined>
    /** The mission's latest import of a source. */
    readonly latest: StoreMethod<[missionId: MissionId, fingerprint: string], ImportRun | undefined>
    /** A run with the leads it updated, in row order, up to `limit`. */
    readonly outcome: StoreMethod<
      [importId: ImportId, limit: number],
      { readonly run: ImportRun; readonly updatedIds: ReadonlyArray<string> } | undefined
    >
    /** A run with its mission and its first `refused` refused rows. */
    readonly find: StoreMethod<
      [importId: ImportId, refused: number],
      (ImportInMission & { readonly refused: ReadonlyArray<RefusedRow> }) | undefined
    >
    /** A page of rows, in order. */
    readonly rows: StoreMethod<[importId: ImportId, filter: RowFilter, page: PageRequest], Page<ListedImportRow>>
    /** Changes the state if it is one of `from` and returns the run; otherwise returns undefined. */
    readonly settle: StoreMethod<[importId: ImportId, change: Settlement], ImportRun | undefined>
    /** Newest first. */
    readonly list: StoreMethod<[filter: ImportFilter, page: PageRequest], Page<ImportInMission>>
    /**
     * Removes the leads of the next `limit` rows that created one, after the row `after`, unless they are in use
     * or were changed by anything else. Their rows keep their outcome, with the reason {@link undoneReason}.
     * Undefined, and nothing is changed, when the run is no longer as it was seen. A lead with drafts stays, unless all are
     * cancelled and `cancelledDrafts` says that they go with it. Belongs into a transaction.
     */
    readonly undoRows: (
      run: ImportRun,
      after: number,
      limit: number,
      cancelledDrafts: boolean
    ) => StoreEffect<UndoneRows | undefined>
  }
>()("@svc/core/imports/ImportsRepo") {}
