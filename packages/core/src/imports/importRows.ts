/**
 * Writing rows of an import: each one a lead of the mission, all of them and the run's progress in one transaction.
 *
 * A row that is refused is counted with its reason and spoils no other row. Source: G20 (counts), G21.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../Actor.ts"
import { emit } from "../Execution.ts"
import { type Failure, type FailureCode, fail } from "../Failure.ts"
import { type MeantLead, type UpsertedRow, upsertLeads } from "../leads/index.ts"
import { MissionsRepo } from "../missions/index.ts"
import { changedAt, now } from "../Time.ts"
import { type ImportRow, type ImportRun, type ImportState, isRefused, unchanged } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** A row to import: a lead and whom it means, or why there is none in it. */
export type SourceRow = Result.Result<MeantLead, Failure>

/** Where a run stands after some rows. `reason` says why it failed or was interrupted. */
export interface Standing {
  readonly cursor: string | null
  readonly state: ImportState
  readonly reason: string | null
}

/** How a row ended, with the refusal if there was one, and whether it brought the mission a new lead. */
export interface RowVerdict {
  readonly row: ImportRow
  readonly failure: Failure | undefined
  readonly linked: boolean
}

// What a row can be blamed for. Anything else (no store, a defect) concerns the whole import.
const invalidCodes = new Set<FailureCode>([
  "INVALID_INPUT",
  "UNKNOWN_FIELD",
  "INVALID_EMAIL",
  "NOT_A_PROFILE_URL",
  "IDENTIFIER_REQUIRED",
  "NOT_FOUND"
])
const skippedCodes = new Set<FailureCode>([
  "IDENTITY_CONFLICT",
  "LEAD_SUPPRESSED",
  "DUPLICATE_CUSTOM_ID",
  "WRONG_STATE"
])

/** The cells or fields of a row by its index among those that are imported; null where they are not kept. */
export type CellsOf = (index: number) => Readonly<Record<string, string>> | null

const keepsNoCells: CellsOf = () => null

const verdictOf = (
  run: ImportRun,
  position: number,
  written: Result.Result<UpsertedRow, Failure>,
  cells: () => ImportRow["source"]
): Result.Result<RowVerdict, Failure> => {
  const verdict = (
    outcome: ImportRow["outcome"],
    reason: string | null,
    leadId: string | null,
    failure?: Failure
  ): RowVerdict => ({
    row: {
      importId: run.id,
      position,
      outcome,
      reason,
      leadId,
      // Of a person who is not to be contacted nothing is kept that was not known.
      source: isRefused({ outcome, reason }) && reason !== "LEAD_SUPPRESSED" ? cells() : null
    },
    failure,
    linked: Result.isSuccess(written) && written.success.linked
  })
  if (Result.isSuccess(written)) {
    const { change, leadId } = written.success
    return Result.succeed(
      change === "unchanged" ? verdict("skipped", unchanged, leadId) : verdict(change, null, leadId)
    )
  }
  const { failure } = written
  if (invalidCodes.has(failure.code)) return Result.succeed(verdict("invalid", failure.code, null, failure))
  if (skippedCodes.has(failure.code)) return Result.succeed(verdict("skipped", failure.code, null, failure))
  return Result.fail(failure)
}

/**
 * Imports rows, the first of them at `position`, inside a transaction. Fails as a whole where no row is to blame. What
 * there is to say of a single row is in its verdict, so rows add no warnings. `onLocked` as in `upsertLeads`.
 */
export const importRows = Effect.fnUntraced(function* (
  run: ImportRun,
  position: number,
  sources: ReadonlyArray<SourceRow>,
  cellsOf: CellsOf = keepsNoCells,
  onLocked?: Effect.Effect<unknown>
) {
  const meant = sources.flatMap((source) => (Result.isSuccess(source) ? [source.success] : []))
  const written = yield* upsertLeads(meant, { source: "import", mission: run.missionId }, onLocked)
  const verdicts: Array<RowVerdict> = []
  let next = 0
  for (const [index, source] of sources.entries()) {
    const ended = Result.isFailure(source) ? Result.fail(source.failure) : written[next++]
    if (ended === undefined) throw new Error("a row of an import has no outcome")
    const verdict = verdictOf(run, position + index, ended, () => cellsOf(index))
    if (Result.isFailure(verdict)) return yield* verdict.failure
    verdicts.push(verdict.success)
  }
  return verdicts
})

/** Why a run that was not stopped by its runner takes no rows any more. */
const whyStopped = (stored: ImportRun | undefined, run: ImportRun): Failure => {
  const isOurs = stored?.attempt === run.attempt
  if (isOurs && stored.state === "paused") return fail("WRONG_STATE", "The import was paused.")
  if (isOurs && (stored.state === "cancelled" || stored.state === "undone"))
    return fail("WRONG_STATE", "The import was cancelled.")
  return fail("VERSION_CONFLICT", "Another runner has taken this import over.")
}

/**
 * Stores verdicts and where the run stands, and says so in events; answers the run as it is then. Fails, which undoes the
 * rows too, with WRONG_STATE when the run was paused or cancelled, and with VERSION_CONFLICT when another runner has taken
 * it over.
 */
export const recordRows = Effect.fnUntraced(function* (
  run: ImportRun,
  verdicts: ReadonlyArray<RowVerdict>,
  standing: Standing
) {
  const { organizationId } = yield* Actor
  const at = changedAt(run.updatedAt, yield* now)
  const repo = yield* ImportsRepo
  const rows = verdicts.map(({ row }) => row)
  const advanced = yield* repo.advance({
    organizationId,
    importId: run.id,
    attempt: run.attempt,
    rows,
    ...standing,
    at
  })
  if (advanced === undefined) return yield* whyStopped((yield* repo.outcome(organizationId, run.id, 0))?.run, run)
  const added = verdicts.filter(({ linked }) => linked).length
  if (added > 0) {
    yield* (yield* MissionsRepo).touch(organizationId, run.missionId, at)
    yield* emit({
      type: "mission.leads_added",
      subject: { type: "mission", id: run.missionId },
      data: { import_id: run.id, count: added }
    })
  }
  return advanced
})
