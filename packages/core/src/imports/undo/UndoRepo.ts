/** Undoing imports: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import type { KeptReason } from "../../leads/undo/UnusedLeads.ts"
import type { ImportRun } from "../ImportRun.ts"

/** Reason of a row whose lead was created and deleted again. */
export const undoneReason = "UNDONE"

/** What happened to some leads of an import, in row order. */
interface UndoneRows {
  readonly removed: ReadonlyArray<string>
  readonly kept: ReadonlyArray<{ readonly leadId: LeadId; readonly reason: KeptReason }>
  /** Position of the last processed row; undefined when there are no more rows. */
  readonly next: number | undefined
}

/** Deletes unused leads. Fails with UNAVAILABLE when the store is unreachable. */
export class UndoRepo extends Context.Service<
  UndoRepo,
  {
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
>()("@svc/core/imports/undo/UndoRepo") {}
