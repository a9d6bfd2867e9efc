/** Imports: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type {
  AccountId,
  ImportId,
  InstantText,
  LeadId,
  MissionId,
  OrganizationId
} from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { KeptReason } from "../leads/LeadRecords.ts"
import type { ImportType } from "../missions/MissionInput.ts"
import type { ImportMission, RefusedRow } from "./Import.ts"
import type { ImportRow, ImportRun, ImportState, RowOutcome } from "./ImportRun.ts"

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
interface Continuation {
  readonly rowLimit: number | null
  readonly accountId: AccountId | null
  readonly at: string
}

/** Rows of a run, and its state after them. */
export interface Progress {
  readonly organizationId: OrganizationId
  readonly importId: ImportId
  readonly attempt: number
  readonly rows: ReadonlyArray<ImportRow>
  readonly cursor: string | null
  readonly state: ImportState
  readonly reason: string | null
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
    readonly insert: (run: ImportRun) => Effect.Effect<ImportRun | undefined, StoreFailure>
    /**
     * Resumes a run with its next attempt and returns it. Returns undefined when it changed since `seen`, or when another
     * import of its source is running in the mission.
     */
    readonly resume: (seen: ImportRun, continuation: Continuation) => Effect.Effect<ImportRun | undefined, StoreFailure>
    /**
     * Stores rows and the new state, adds the rows to the counts and returns the run, in one statement. Stores nothing and
     * returns undefined when the attempt is not the current one or the run is no longer running.
     */
    readonly advance: (progress: Progress) => Effect.Effect<ImportRun | undefined, StoreFailure>
    /** The mission's latest import of a source. */
    readonly latest: (
      organizationId: OrganizationId,
      missionId: MissionId,
      fingerprint: string
    ) => Effect.Effect<ImportRun | undefined, StoreFailure>
    /** A run with the leads it updated, in row order, up to `limit`. */
    readonly outcome: (
      organizationId: OrganizationId,
      importId: ImportId,
      limit: number
    ) => Effect.Effect<
      { readonly run: ImportRun; readonly updatedIds: ReadonlyArray<string> } | undefined,
      StoreFailure
    >
    /** A run with its mission and its first `refused` refused rows. */
    readonly find: (
      organizationId: OrganizationId,
      importId: ImportId,
      refused: number
    ) => Effect.Effect<(ImportInMission & { readonly refused: ReadonlyArray<RefusedRow> }) | undefined, StoreFailure>
    /** A page of rows, in order. */
    readonly rows: (
      organizationId: OrganizationId,
      importId: ImportId,
      filter: RowFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ListedImportRow>, StoreFailure>
    /** Changes the state if it is one of `from` and returns the run; otherwise returns undefined. */
    readonly settle: (
      organizationId: OrganizationId,
      importId: ImportId,
      change: Settlement
    ) => Effect.Effect<ImportRun | undefined, StoreFailure>
    /** Newest first. */
    readonly list: (
      organizationId: OrganizationId,
      filter: ImportFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ImportInMission>, StoreFailure>
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
    ) => Effect.Effect<UndoneRows | undefined, StoreFailure>
  }
>()("@svc/core/imports/ImportsRepo") {}
