/**
 * The run of an import: its states, its counts, and what another call for the same source does.
 *
 * Each row has exactly one of four outcomes, so the four counts add up to the rows seen. All functions are pure.
 */

import * as Schema from "effect/Schema"
import type * as Ids from "../kernel/schema/IdsAndTime.ts"
import type { LeadUpsertInput } from "../leads/Lead.ts"
import type { ImportType } from "../missions/MissionInput.ts"

/**
 * `running`: rows are being read. `completed`: everything requested was read. `failed`: stopped by the failure in `reason`.
 * `interrupted`: the process or the upload stopped. `paused`: stopped by import.pause or a usage limit; can be resumed.
 * `cancelled`: stopped permanently. In all of these states, imported rows stay. `undone`: the unused leads that it created
 * were deleted.
 */
export const ImportState = Schema.Literals([
  "running",
  "completed",
  "failed",
  "interrupted",
  "paused",
  "cancelled",
  "undone"
])
export type ImportState = typeof ImportState.Type

/** Outcome of a row. `skipped`: unchanged, suppressed or in conflict; `invalid`: cannot be decoded or identifies nobody. */
export const RowOutcome = Schema.Literals(["created", "updated", "skipped", "invalid"])
export type RowOutcome = typeof RowOutcome.Type

/** The mission of an import. */
export const ImportMission = Schema.Struct({ id: Schema.String, handle: Schema.String, name: Schema.String })
export type ImportMission = typeof ImportMission.Type

/** A row that was not imported. */
export const RefusedRow = Schema.Struct({
  position: Schema.Int.annotate({ description: "Position of the row in its source, starting at 0" }),
  outcome: RowOutcome,
  reason: Schema.String.annotate({ description: "Failure code, see svc://errors" })
})
export type RefusedRow = typeof RefusedRow.Type

/** Number of rows by outcome. */
type ImportCounts = Readonly<Record<RowOutcome, number>>

/** How an imported file was read. The file itself is not stored. */
export interface ImportFile {
  /** The columns in order, each with its lead field; null for an ignored column. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly field: string | null }>
  readonly delimiter: string
  /** SHA-256 of the content, in lower-case hexadecimal; absent when it was unknown at the start. */
  readonly digest?: string
}

/** Values for leads without. */
export type LeadDefaults = Pick<LeadUpsertInput, "source" | "lawful_basis">

/** One import. */
export interface ImportRun {
  readonly id: Ids.ImportId
  readonly organizationId: Ids.OrganizationId
  readonly missionId: Ids.MissionId
  readonly type: ImportType
  readonly name: string
  /** Hash of the source; null for posted leads. */
  readonly fingerprint: string | null
  readonly sourceUrl: string | null
  /** The caller's note about the import. */
  readonly context: string | null
  readonly state: ImportState
  /** Why it stopped, as a sentence; otherwise null. */
  readonly reason: string | null
  readonly counts: ImportCounts
  /** How many known leads it added to the mission. */
  readonly enrolled: number
  /** The provider's cursor after the last stored page; null before the first and after the last page. */
  readonly cursor: string | null
  readonly accountId: Ids.AccountId | null
  /** What leads get that have no such value, neither in their row nor known before. */
  readonly defaults: LeadDefaults
  /** Null when the source is not a file. */
  readonly file: ImportFile | null
  /** The attempt ends after this many rows of the run; null for sources of known length. */
  readonly rowLimit: number | null
  /** Counts the runners of this import; fences off an earlier one. */
  readonly attempt: number
  readonly createdAt: Ids.InstantText
  /** When rows or state last changed. */
  readonly updatedAt: Ids.InstantText
  readonly finishedAt: Ids.InstantText | null
  /** When its rows were deleted because they were old; null while it has them all. */
  readonly rowsDeletedAt: Ids.InstantText | null
}

/** One row of an import. `position` starts at 0, in the order in which rows were read. */
export interface ImportRow {
  readonly importId: Ids.ImportId
  readonly position: number
  readonly outcome: RowOutcome
  /** `ENROLLED` for a known lead, `UNCHANGED` or a failure code for a skipped or invalid row; otherwise null. */
  readonly reason: string | null
  readonly leadId: Ids.LeadId | null
  /** The cells of a refused row by name, for correction; otherwise null. */
  readonly source: Readonly<Record<string, string>> | null
}

/** Whether a row was refused: invalid, or skipped for another reason than `UNCHANGED` and `ENROLLED`. */
export const isRefused = ({ outcome, reason }: Pick<ImportRow, "outcome" | "reason">): boolean =>
  outcome === "invalid" || (outcome === "skipped" && reason !== unchanged && reason !== enrolled)

/** Reason of a skipped row whose lead was known and needed no change. */
export const unchanged = "UNCHANGED"

/** Reason of an updated or skipped row whose lead was known and was added to the mission. */
export const enrolled = "ENROLLED"

/** How many rows added a known lead to the mission. */
export const countEnrolled = (rows: ReadonlyArray<Pick<ImportRow, "reason">>): number =>
  rows.filter(({ reason }) => reason === enrolled).length

/** Nothing counted. */
export const noCounts: ImportCounts = { created: 0, updated: 0, skipped: 0, invalid: 0 }

/** What a run holds at first, unless its source says otherwise. */
export const freshRun = {
  fingerprint: null,
  sourceUrl: null,
  context: null,
  state: "running",
  reason: null,
  counts: noCounts,
  enrolled: 0,
  cursor: null,
  accountId: null,
  defaults: {},
  file: null,
  rowLimit: null,
  attempt: 1,
  finishedAt: null,
  rowsDeletedAt: null
} as const

/** The sum of the four counts. */
export const rowsSeen = (counts: ImportCounts): number =>
  counts.created + counts.updated + counts.skipped + counts.invalid

/** Counts with more rows added. */
export const addOutcomes = (counts: ImportCounts, rows: ReadonlyArray<Pick<ImportRow, "outcome">>): ImportCounts => {
  const sum = { ...counts }
  for (const { outcome } of rows) sum[outcome] += 1
  return sum
}

/** A running import without progress for this long counts as interrupted, in milliseconds. */
export const staleAfterMillis = 120_000

/** Like {@link staleAfterMillis}, for files, which make progress every few seconds. */
const fileStaleAfterMillis = 15_000

/** What decides which state of a run is shown. */
type Shown = Pick<ImportRun, "state" | "updatedAt">

/** Whether a run is `running` but without progress for too long, as its process died. */
export const isStale = (run: Shown, nowMillis: number, afterMillis = staleAfterMillis): boolean =>
  run.state === "running" && nowMillis - Date.parse(run.updatedAt) > afterMillis

/** The state that callers see; a running import last updated before `staleBefore` is shown as interrupted. */
export const shownState = (run: Shown, staleBefore: Ids.InstantText): ImportState =>
  run.state === "running" && run.updatedAt < staleBefore ? "interrupted" : run.state

/** Start a new import, resume the existing one, or return it unchanged. */
type Decision = "start" | "continue" | "return"

type Latest = Pick<ImportRun, "state" | "updatedAt" | "counts">

/** One that runs is only returned, so that two callers never read the same source twice; `ended` decides for one that ended. */
const decideBy = (
  latest: Latest | undefined,
  nowMillis: number,
  staleMillis: number,
  ended: (latest: Latest) => Decision
): Decision => {
  if (latest === undefined || latest.state === "cancelled" || latest.state === "undone") return "start"
  if (latest.state === "running") return isStale(latest, nowMillis, staleMillis) ? "continue" : "return"
  return ended(latest)
}

/** Decides what a call for an audience does, given the mission's latest import of it. One without rows is resumed. */
export const decide = (latest: Latest | undefined, refresh: boolean, nowMillis: number): Decision =>
  decideBy(latest, nowMillis, staleAfterMillis, ({ counts }) =>
    refresh || rowsSeen(counts) === 0 ? "continue" : "return"
  )

/**
 * Like {@link decide}, for a file. An unfinished import is resumed; a completed one is returned, or imported again with
 * `again`. Without a digest, a completed import is never returned, as the file may be a different one.
 */
export const decideFile = (
  latest: Latest | undefined,
  { again, hasDigest }: { readonly again: boolean; readonly hasDigest: boolean },
  nowMillis: number
): Decision =>
  decideBy(latest, nowMillis, fileStaleAfterMillis, ({ state }) => {
    if (state !== "completed") return "continue"
    return again || !hasDigest ? "start" : "return"
  })
