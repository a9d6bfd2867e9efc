/** Imports of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { LeadRow } from "../leads/index.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ImportMission, RefusedRow } from "./Import.ts"
import type { ImportRow, ImportRun, ImportState, ImportType, RowOutcome } from "./ImportRun.ts"

/** A run with the mission it belongs to. */
export interface ImportInMission {
  readonly run: ImportRun
  readonly mission: ImportMission
}

/**
 * Which imports of a list. `mission` is an id or a handle. `state` is the state as it is shown: a running import that
 * reported nothing since `staleBefore` counts as interrupted.
 */
export interface ImportFilter {
  readonly mission: string | undefined
  readonly type: ImportType | undefined
  readonly state: ImportState | undefined
  readonly staleBefore: string
}

/** Which rows of an import: all, those that ended in one way, or those that were refused. */
export type RowFilter = RowOutcome | "refused" | undefined

/** A row with the lead that it created or found, if that is still there. */
export interface ListedImportRow extends ImportRow {
  readonly lead: Pick<LeadRow, "id" | "name" | "jobTitle" | "company" | "status"> | null
}

/** How a run is ended from outside. */
export interface Settlement {
  readonly from: ReadonlyArray<ImportState>
  readonly to: ImportState
  readonly reason: string
  readonly at: string
}

/** What changes when a run is taken up again. */
export interface Continuation {
  readonly rowLimit: number | null
  readonly accountId: string | null
  readonly at: string
}

/** Some rows of a run and where the run stands after them. */
export interface Progress {
  readonly organizationId: string
  readonly importId: string
  readonly attempt: number
  readonly rows: ReadonlyArray<ImportRow>
  readonly cursor: string | null
  readonly state: ImportState
  readonly reason: string | null
  readonly at: string
}

/** Stores imports and their rows. Fails with UNAVAILABLE when the store cannot be reached. */
export class ImportsRepo extends Context.Service<
  ImportsRepo,
  {
    /**
     * Stores a new run. When the mission has a running import of the same audience nothing is stored and that one is
     * answered.
     */
    readonly insert: (run: ImportRun) => Effect.Effect<ImportRun | undefined, Failure>
    /**
     * Makes a run running again with its next attempt, unless it changed since `seen` or another import of its audience
     * is running in the mission: answers undefined then, and the run as it is stored now otherwise.
     */
    readonly resume: (seen: ImportRun, continuation: Continuation) => Effect.Effect<ImportRun | undefined, Failure>
    /**
     * Stores rows and the new state in one statement, adds the rows to the counts of the run, and answers it as it is
     * then. Answers undefined, and stores nothing, when the attempt is no longer the current one or the run does not run
     * any more.
     */
    readonly advance: (progress: Progress) => Effect.Effect<ImportRun | undefined, Failure>
    /** The mission's latest import of an audience. */
    readonly latest: (
      organizationId: string,
      missionId: string,
      fingerprint: string
    ) => Effect.Effect<ImportRun | undefined, Failure>
    /** A run with the leads it updated, in the order of its rows, at most `limit`. */
    readonly outcome: (
      organizationId: string,
      importId: string,
      limit: number
    ) => Effect.Effect<{ readonly run: ImportRun; readonly updatedIds: ReadonlyArray<string> } | undefined, Failure>
    /** A run with its mission and the first `refused` rows that are invalid, or skipped for another reason than `UNCHANGED`. */
    readonly find: (
      organizationId: string,
      importId: string,
      refused: number
    ) => Effect.Effect<(ImportInMission & { readonly refused: ReadonlyArray<RefusedRow> }) | undefined, Failure>
    /** A page of the rows of an import, in their order. */
    readonly rows: (
      organizationId: string,
      importId: string,
      filter: RowFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ListedImportRow>, Failure>
    /** Ends a run from outside, if its state is one of `from`: answers the run as it is then, undefined otherwise. */
    readonly settle: (
      organizationId: string,
      importId: string,
      change: Settlement
    ) => Effect.Effect<ImportRun | undefined, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: ImportFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ImportInMission>, Failure>
  }
>()("@svc/core/imports/ImportsRepo") {}
