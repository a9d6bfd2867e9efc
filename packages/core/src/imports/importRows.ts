/**
 * Writing rows of an import and the run's progress in one transaction, and stopping a run. A refused row is counted with
 * its reason and does not affect the others.
 */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor, commit, Execution, emit, warn } from "../kernel/command/Execution.ts"
import {
  Internal,
  InvalidInput,
  NotFound,
  Unavailable,
  VersionConflict,
  WrongState
} from "../kernel/failure/failures.ts"
import { changedAt, type ImportId, type LeadId, type MissionId, now } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import type { ItemRefusal, UpsertRefusal } from "../leads/failures.ts"
import type { IdentifiedLead } from "../leads/planUpsert.ts"
import { bulk, type UpsertedLead, upsertLeads } from "../leads/upsertLeads.ts"
import { MissionArchived } from "../missions/failures.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import {
  enrolled,
  type ImportRow,
  type ImportRun,
  type ImportState,
  isRefused,
  rowsSeen,
  unchanged
} from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { getImport, importEnded, importStarted } from "./readImport.ts"

/** The input fields. */
export const missionFields = {
  mission_id: Schema.optionalKey(nonEmptyLine(64, "The mission to add the leads to, by id or handle")),
  mission_handle: Schema.optionalKey(nonEmptyLine(64, "Alias of mission_id"))
}

/** Locks the mission of a run that is about to be stored. Fails with NOT_FOUND and MISSION_ARCHIVED. */
export const holdMissionOf = Effect.fnUntraced(function* ({ missionId, organizationId }: ImportRun) {
  const mission = yield* (yield* MissionsRepo).hold(organizationId, missionId)
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: missionId })
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
})

/** Finds the mission. Fails with INVALID_INPUT (none or two given), NOT_FOUND and MISSION_ARCHIVED. */
export const targetMission = Effect.fnUntraced(function* (input: {
  readonly mission_id?: MissionId
  readonly mission_handle?: string
}) {
  const { organizationId } = yield* Actor
  const named = input.mission_id ?? input.mission_handle
  if (named === undefined) {
    return yield* new InvalidInput({
      message: "mission_id or mission_handle is required. Find a mission with mission.list."
    })
  }
  const mission = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, named)
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: named })
  const other = input.mission_handle
  if (other !== undefined && other !== mission.id && other !== mission.handle) {
    return yield* new InvalidInput({
      message: "mission_id and mission_handle name different missions. Send one of them."
    })
  }
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
  return mission
})

/** A row to import: a lead, or why it is invalid. */
export type SourceRow = Result.Result<IdentifiedLead, ItemRefusal>

/** Why a row is refused; an archived mission stops the whole import. */
type RowRefusal = ItemRefusal | Exclude<UpsertRefusal, MissionArchived>

/** State of a run after some rows. `reason` says why it stopped. */
interface RunState {
  readonly cursor: string | null
  readonly state: ImportState
  readonly reason: string | null
}

/** The outcome of a row, its refusal, and whether it added a lead to the mission. */
export interface RowVerdict {
  readonly row: ImportRow
  readonly failure: RowRefusal | undefined
  readonly linked: boolean
}

/** The outcome by refusal. */
const refusalOutcomes: { readonly [Tag in RowRefusal["_tag"]]: "invalid" | "skipped" } = {
  IdentifierRequired: "invalid",
  IdentityConflict: "skipped",
  InvalidEmail: "invalid",
  InvalidInput: "invalid",
  LastIdentifier: "invalid",
  LeadSuppressed: "skipped",
  NotAProfileUrl: "invalid",
  NotFound: "invalid",
  UnknownField: "invalid"
}

/** The cells of a row by its index; null when they are not stored. */
type CellsOf = (index: number) => Readonly<Record<string, string>> | null

const noCells: CellsOf = () => null

const verdictOf = (
  run: ImportRun,
  position: number,
  written: Result.Result<UpsertedLead, ItemRefusal | UpsertRefusal>,
  cells: () => ImportRow["source"]
): Result.Result<RowVerdict, MissionArchived> => {
  const verdict = (
    outcome: ImportRow["outcome"],
    reason: string | null,
    leadId: LeadId | null,
    failure?: RowRefusal
  ): RowVerdict => ({
    row: {
      importId: run.id,
      position,
      outcome,
      reason,
      leadId,
      // No new data about suppressed people is stored.
      source: isRefused({ outcome, reason }) && reason !== "LEAD_SUPPRESSED" ? cells() : null
    },
    failure,
    linked: Result.isSuccess(written) && written.success.linked
  })
  if (Result.isSuccess(written)) {
    const { change, leadId, linked } = written.success
    if (change === "created") return Result.succeed(verdict(change, null, leadId))
    if (change === "updated") return Result.succeed(verdict(change, linked ? enrolled : null, leadId))
    return Result.succeed(verdict("skipped", linked ? enrolled : unchanged, leadId))
  }
  const { failure } = written
  return failure instanceof MissionArchived
    ? Result.fail(failure)
    : Result.succeed(verdict(refusalOutcomes[failure._tag], failure.code, null, failure))
}

/**
 * Imports rows, the first at `position`, inside a transaction. Fails only for reasons that concern the whole import; rows
 * report through their verdicts. `onLocked` is that of `upsertLeads`.
 */
export const importRows = Effect.fnUntraced(function* (
  run: ImportRun,
  position: number,
  sources: ReadonlyArray<SourceRow>,
  cellsOf: CellsOf = noCells,
  onLocked: Effect.Effect<unknown> = Effect.void
) {
  const options = { source: "import", mission: run.missionId } as const
  const items = sources.map(Result.map((lead) => ({ ...lead, options })))
  const execution = yield* Execution
  const written = yield* Effect.provideService(
    upsertLeads(items, { ...bulk, onLocked }),
    Execution,
    // Tells the import's own changes from those of others when it is undone.
    {
      ...execution,
      emit: (event) => execution.emit({ ...event, data: { ...event.data, import_id: run.id } })
    }
  )
  const verdicts: Array<RowVerdict> = []
  for (const [index, ended] of written.entries()) {
    if (ended === undefined) return yield* Effect.die("an import leaves no row out")
    const verdict = verdictOf(run, position + index, ended, () => cellsOf(index))
    if (Result.isFailure(verdict)) return yield* verdict.failure
    verdicts.push(verdict.success)
  }
  return verdicts
})

/** Why a run no longer accepts rows from its runner. */
const stoppedFailure = (stored: ImportRun | undefined, run: ImportRun): VersionConflict | WrongState => {
  const isOurs = stored?.attempt === run.attempt
  if (isOurs && stored.state === "paused") return new WrongState({ message: "The import was paused." })
  if (isOurs && (stored.state === "cancelled" || stored.state === "undone"))
    return new WrongState({ message: "The import was cancelled." })
  return new VersionConflict({ message: "Another runner has taken over this import." })
}

/**
 * Stores verdicts and the state of the run, emits events and returns the run. Fails, rolling back the rows, with
 * WRONG_STATE when the run was paused or cancelled, and with VERSION_CONFLICT when another runner has taken over.
 */
export const recordRows = Effect.fnUntraced(function* (
  run: ImportRun,
  verdicts: ReadonlyArray<RowVerdict>,
  runState: RunState
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
    ...runState,
    at
  })
  if (advanced === undefined) return yield* stoppedFailure((yield* repo.outcome(organizationId, run.id, 0))?.run, run)
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

/** Starts `fresh`, or resumes `earlier` with its limits; undefined when another call was faster. */
export const beginRun = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const imports = yield* ImportsRepo
  if (earlier === undefined) {
    yield* holdMissionOf(fresh)
    if ((yield* imports.insert(fresh)) !== undefined) return undefined
    yield* importStarted(fresh)
    return fresh
  }
  const { accountId, rowLimit } = fresh
  const at = changedAt(earlier.updatedAt, fresh.createdAt)
  const more = rowLimit === null ? null : rowLimit + rowsSeen(earlier.counts)
  const run = yield* imports.resume(earlier, { rowLimit: more, accountId, at })
  if (run !== undefined) yield* importStarted(run)
  return run
})

/**
 * Stops an import in one of the states `from`; its runner stops before the next rows. In any other state it is returned
 * unchanged, with a warning. Fails with NOT_FOUND.
 */
export const stopImport = Effect.fnUntraced(function* (
  importId: ImportId,
  { from, reason, to }: { readonly from: ReadonlyArray<ImportState>; readonly to: ImportState; readonly reason: string }
) {
  const { organizationId } = yield* Actor
  const repo = yield* ImportsRepo
  const seen = yield* getImport(importId)
  const at = changedAt(seen.updated_at, yield* now)
  const settled = yield* repo.settle(organizationId, importId, { from, to, reason, at })
  if (settled === undefined) {
    yield* warn(`The import is already ${seen.state}; nothing was changed.`)
    return seen
  }
  yield* importEnded(settled)
  return yield* getImport(importId)
})

/** Stores the end of a run; one that another caller has stopped, or whose store is unreachable, stays as it is. */
export const settleImport = (run: ImportRun, end: RunState) =>
  commit(Effect.tap(recordRows(run, [], end), importEnded)).pipe(Effect.catch(() => Effect.succeed(run)))

/** Stops an import that is interrupted, or fails in a way that nobody expects. `latest` is the run as last stored. */
export const stopUnexpected =
  <A, R>(
    latest: () => ImportRun,
    stop: (state: "failed" | "interrupted", failure: Internal | Unavailable) => Effect.Effect<A, never, R>
  ) =>
  <B, R2>(running: Effect.Effect<B, never, R2>): Effect.Effect<A | B, never, R | R2> =>
    running.pipe(
      Effect.onInterrupt(() =>
        stop("interrupted", new Unavailable({ message: "The service was stopped during the import." }))
      ),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
        const log = Effect.logError("Import failed unexpectedly", { importId: latest().id }, cause)
        return Effect.andThen(log, stop("failed", new Internal({ message: "Unexpected error." })))
      })
    )
