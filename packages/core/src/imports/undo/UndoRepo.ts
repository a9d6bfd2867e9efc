/** Taking back what an import created: the port. Every method sees one organization only. Source: catalogue 4.1 (import.undo). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../Failure.ts"
import type { ImportRun } from "../ImportRun.ts"

/**
 * Why a lead that an import created stays: it went into another lead or took one in (MERGED), messages went to and fro
 * or were about to (CONTACTED), a draft was written (DRAFTED), a note was left (NOTED), it must not be contacted, which
 * has to be remembered (SUPPRESSED), it is in another mission (IN_OTHER_MISSION), another import knows it
 * (IN_OTHER_IMPORT), or something of it was changed after the import (CHANGED). The first that is true is told.
 */
export const KeptReason = Schema.Literals([
  "MERGED",
  "CONTACTED",
  "DRAFTED",
  "NOTED",
  "SUPPRESSED",
  "IN_OTHER_MISSION",
  "IN_OTHER_IMPORT",
  "CHANGED"
])
export type KeptReason = typeof KeptReason.Type

/** Reason of a row whose lead was created and taken back. */
export const takenBack = "UNDONE"

/** What became of some of the leads that an import created, in the order of its rows. */
export interface TakenBack {
  readonly removed: ReadonlyArray<string>
  readonly kept: ReadonlyArray<{ readonly leadId: string; readonly reason: KeptReason }>
  /** Place of the last row that was looked at; undefined when there are no more rows. */
  readonly next: number | undefined
}

/** Removes leads that nobody has touched since. Fails with UNAVAILABLE when the store cannot be reached. */
export class UndoRepo extends Context.Service<
  UndoRepo,
  {
    /**
     * Removes the leads of the next `limit` rows that created one, after the row `after`, unless somebody has touched
     * them; `run.updatedAt` is the end of the import. Their rows keep their outcome, with the reason {@link takenBack}.
     * Undefined, and nothing is changed, when the run is not as it was seen any more. Belongs into a transaction.
     */
    readonly takeBack: (run: ImportRun, after: number, limit: number) => Effect.Effect<TakenBack | undefined, Failure>
  }
>()("@svc/core/imports/undo/UndoRepo") {}
