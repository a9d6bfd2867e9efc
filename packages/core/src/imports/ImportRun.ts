/**
 * An import as a run over rows: its states, its counts, and what a second call for the same audience does.
 *
 * Every row ends in exactly one of four ways, so the four counts add up to the rows seen. All functions are pure.
 *
 * Source: G4 (types), G20 (counts, already_exists, refresh); contract 1.9 (a state is reported only when it is known).
 */
import * as Schema from "effect/Schema"

/** Where leads came from. The list grows; readers must tolerate values they do not know. Source: G4. */
export const ImportType = Schema.Literals([
  "CSV",
  "SALES_NAV_SEARCH",
  "SALES_NAV_FILTERS",
  "LINKEDIN_SEARCH",
  "LINKEDIN_POST_ENGAGERS",
  "LINKEDIN_GROUP",
  "LINKEDIN_PROFILE_VIEWERS",
  "LINKEDIN_COMPANY_VIEWERS",
  "API",
  "MANUAL"
])
export type ImportType = typeof ImportType.Type

/**
 * `running`: rows are being read. `completed`: everything asked for was read. `failed`: it stopped at a failure, named in
 * `reason`; what was imported before stays. `interrupted`: the process or the upload that fed it stopped. `paused`: it was
 * stopped by import.pause or by a limit of the account, to be gone on with. `cancelled`: it was stopped for good; its rows stay. `undone`: the leads
 * that it had created are gone, as far as nobody had used them.
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

/** How a row ended. `skipped`: known and unchanged, suppressed, or in conflict; `invalid`: no usable identity. */
export const RowOutcome = Schema.Literals(["created", "updated", "skipped", "invalid"])
export type RowOutcome = typeof RowOutcome.Type

/** How many rows ended how. */
export type ImportCounts = Readonly<Record<RowOutcome, number>>

/** What is kept of an imported file: how it was read. The file itself is not kept. */
export interface ImportFile {
  /** The columns in their order, and the lead field that each was read as; null for one that was left out. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly field: string | null }>
  readonly delimiter: string
  /** SHA-256 of the content, in lower-case hexadecimal; absent where it was not known before the end. */
  readonly digest?: string
}

/** One import. */
export interface ImportRun {
  readonly id: string
  readonly organizationId: string
  readonly missionId: string
  readonly type: ImportType
  readonly name: string
  /** Hash of the audience; null when the source has none, as posted leads. */
  readonly fingerprint: string | null
  readonly sourceUrl: string | null
  /** The caller's own words about the import. */
  readonly context: string | null
  readonly state: ImportState
  /** Why it is failed or interrupted, as a sentence; null otherwise. */
  readonly reason: string | null
  readonly counts: ImportCounts
  /** The provider's cursor after the last page that was stored; null before the first and after the last page. */
  readonly cursor: string | null
  readonly accountId: string | null
  /** How the file was read; null when the source is no file. */
  readonly file: ImportFile | null
  /** How many rows may have been seen when the current attempt ends; null for sources of known length. */
  readonly rowLimit: number | null
  /** Counts the runners of this import, so that one that was given up cannot write any more. */
  readonly attempt: number
  readonly createdAt: string
  /** When rows or state last changed. */
  readonly updatedAt: string
  readonly finishedAt: string | null
}

/** One row of an import. `position` counts from 0 in the order in which rows were seen. */
export interface ImportRow {
  readonly importId: string
  readonly position: number
  readonly outcome: RowOutcome
  /** Code of why it was skipped or is invalid: `UNCHANGED` or a failure code; null otherwise. */
  readonly reason: string | null
  readonly leadId: string | null
  /** The cells or fields of a row that was refused, by name, to be corrected and imported again; null otherwise. */
  readonly source: Readonly<Record<string, string>> | null
}

/** Whether a row was refused: it is invalid, or skipped for another reason than that it changed nothing. */
export const isRefused = ({ outcome, reason }: Pick<ImportRow, "outcome" | "reason">): boolean =>
  outcome === "invalid" || (outcome === "skipped" && reason !== unchanged)

/** Reason of a skipped row whose lead was known and needed no change. */
export const unchanged = "UNCHANGED"

/** Nothing counted. */
export const noCounts: ImportCounts = { created: 0, updated: 0, skipped: 0, invalid: 0 }

/** The sum of the four counts. */
export const rowsSeen = (counts: ImportCounts): number =>
  counts.created + counts.updated + counts.skipped + counts.invalid

/** Counts with more rows added. */
export const addOutcomes = (
  counts: ImportCounts,
  rows: ReadonlyArray<{ readonly outcome: RowOutcome }>
): ImportCounts => {
  const sum = { ...counts }
  for (const { outcome } of rows) sum[outcome] += 1
  return sum
}

/** How long a running import may show no progress before it counts as given up, in milliseconds. */
export const staleAfterMillis = 120_000

/** As {@link staleAfterMillis}, for a file: its rows come in chunks of seconds at most. */
export const fileStaleAfterMillis = 15_000

/** Whether a run says `running` although nothing has come from it for too long: its process died. */
export const isStale = (
  run: Pick<ImportRun, "state" | "updatedAt">,
  nowMillis: number,
  afterMillis = staleAfterMillis
): boolean => run.state === "running" && nowMillis - Date.parse(run.updatedAt) > afterMillis

/** The state that callers see, given the instant before which a silent run counts as given up. */
export const shownState = (run: Pick<ImportRun, "state" | "updatedAt">, staleBefore: string): ImportState =>
  run.state === "running" && run.updatedAt < staleBefore ? "interrupted" : run.state

/** What to do for a call: import anew, go on with the import there is, or answer it as it is. */
export type Decision = "start" | "continue" | "answer"

/**
 * Decides what a call for an audience does, given the mission's latest import of it. An import that never saw a row is
 * taken up again; a living one is only ever answered, so that two callers never read the same search twice.
 */
export const decide = (
  latest: Pick<ImportRun, "state" | "updatedAt" | "counts"> | undefined,
  refresh: boolean,
  nowMillis: number
): Decision => {
  if (latest === undefined) return "start"
  if (latest.state === "running") return isStale(latest, nowMillis) ? "continue" : "answer"
  if (latest.state === "cancelled" || latest.state === "undone") return "start"
  return refresh || rowsSeen(latest.counts) === 0 ? "continue" : "answer"
}

/**
 * As {@link decide}, for a file sent again. One that was not read to its end is gone on with; one that was is answered, or
 * imported anew with `again`. Without `isSure` files are only taken to be the same where that does no harm.
 */
export const decideFile = (
  latest: Pick<ImportRun, "state" | "updatedAt"> | undefined,
  { again, isSure }: { readonly again: boolean; readonly isSure: boolean },
  nowMillis: number
): Decision => {
  if (latest === undefined) return "start"
  switch (latest.state) {
    case "running":
      return isStale(latest, nowMillis, fileStaleAfterMillis) ? "continue" : "answer"
    case "failed":
    case "interrupted":
    case "paused":
      return "continue"
    case "completed":
      return again || !isSure ? "start" : "answer"
    case "cancelled":
    case "undone":
      return "start"
  }
}
