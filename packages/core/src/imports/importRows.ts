/**
 * Writing rows of an import: each one a lead of the mission, all of them and the run's progress in one transaction.
 *
 * A row that is refused is counted with its reason and spoils no other row. Source: G20 (counts), G21.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../Actor.ts"
import { Execution, emit } from "../Execution.ts"
import { type Failure, type FailureCode, fail } from "../Failure.ts"
import { type LeadUpsertInput, upsertLead } from "../leads/index.ts"
import { MissionsRepo } from "../missions/index.ts"
import { changedAt, now } from "../Time.ts"
import { addOutcomes, type ImportRow, type ImportRun, type ImportState } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** A row to import: a lead, or why there is none in it. */
export type SourceRow = Result.Result<LeadUpsertInput, Failure>

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

/** Reason of a skipped row whose lead was known and needed no change. */
export const unchanged = "UNCHANGED"

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

type Needs = Effect.Services<ReturnType<typeof upsertLead>>

const importRow = Effect.fnUntraced(function* (
  run: ImportRun,
  position: number,
  source: SourceRow
): Effect.fn.Return<RowVerdict, Failure, Needs> {
  const written = yield* Effect.result(
    Effect.flatMap(Effect.fromResult(source), (input) =>
      upsertLead(input, { source: "import", mission: run.missionId })
    )
  )
  const verdict = (outcome: ImportRow["outcome"], reason: string | null, leadId: string | null): ImportRow => ({
    importId: run.id,
    position,
    outcome,
    reason,
    leadId
  })
  if (Result.isSuccess(written)) {
    const { change, leadId, linked } = written.success
    const row = change === "unchanged" ? verdict("skipped", unchanged, leadId) : verdict(change, null, leadId)
    return { row, failure: undefined, linked }
  }
  const failure = written.failure
  if (invalidCodes.has(failure.code)) return { row: verdict("invalid", failure.code, null), failure, linked: false }
  if (skippedCodes.has(failure.code)) return { row: verdict("skipped", failure.code, null), failure, linked: false }
  return yield* failure
})

/**
 * Imports rows, the first of them at `position`, inside a transaction. Fails as a whole where no row is to blame. What
 * there is to say of a single row is in its verdict, so rows add no warnings.
 */
export const importRows = Effect.fnUntraced(function* (
  run: ImportRun,
  position: number,
  sources: ReadonlyArray<SourceRow>
) {
  const execution = yield* Execution
  return yield* Effect.forEach(sources, (source, index) => importRow(run, position + index, source)).pipe(
    Effect.provideService(Execution, { ...execution, warn: () => Effect.void })
  )
})

/**
 * Stores verdicts and where the run stands, and says so in events; answers the run as it is then. Fails with
 * VERSION_CONFLICT, which undoes the rows too, when another runner has taken the run over.
 */
export const recordRows = Effect.fnUntraced(function* (
  run: ImportRun,
  verdicts: ReadonlyArray<RowVerdict>,
  standing: Standing
) {
  const { organizationId } = yield* Actor
  const at = changedAt(run.updatedAt, yield* now)
  const counts = addOutcomes(
    run.counts,
    verdicts.map(({ row }) => row.outcome)
  )
  const stored = yield* (yield* ImportsRepo).advance({
    organizationId,
    importId: run.id,
    attempt: run.attempt,
    rows: verdicts.map(({ row }) => row),
    counts,
    ...standing,
    at
  })
  if (!stored) return yield* fail("VERSION_CONFLICT", "Another runner has taken this import over.")
  const added = verdicts.filter(({ linked }) => linked).length
  if (added > 0) {
    yield* (yield* MissionsRepo).touch(organizationId, run.missionId, at)
    yield* emit({
      type: "mission.leads_added",
      subject: { type: "mission", id: run.missionId },
      data: { import_id: run.id, count: added }
    })
  }
  const finishedAt = standing.state === "running" ? null : at
  return { ...run, ...standing, counts, updatedAt: at, finishedAt }
})
