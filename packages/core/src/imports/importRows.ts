/**
 * Writing rows of an import and the run's progress in one transaction, and stopping a run. A refused row is counted with
 * its reason and does not affect the others.
 */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor, commit, Execution, emit, orNotFound, ownRecord, warn } from "../kernel/command/Execution.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { Internal, InvalidInput, Unavailable, VersionConflict, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, Ids, type ImportId, type InstantText, now } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import type { ItemRefusal, UpsertRefusal } from "../leads/failures.ts"
import { identityKey } from "../leads/identity/Identity.ts"
import type { IdentifiedLead } from "../leads/planUpsert.ts"
import { identifiersIn } from "../leads/privacy/mentions.ts"
import { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { bulk, type UpsertedLead, upsertLeads } from "../leads/upsertLeads.ts"
import { MissionArchived } from "../missions/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { getImport, importEnded, importStarted } from "./Import.ts"
import {
  enrolled,
  freshRun,
  type ImportRow,
  type ImportRun,
  type ImportState,
  isRefused,
  rowsSeen,
  unchanged
} from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** The input fields. */
export const missionFields = {
  mission_id: Schema.optionalKey(nonEmptyLine(64, "The mission to add the leads to, by id or handle")),
  mission_handle: Schema.optionalKey(nonEmptyLine(64, "Alias of mission_id"))
}

/** Locks the mission of a run that is about to be stored. Fails with NOT_FOUND and MISSION_ARCHIVED. */
export const holdMissionOf = Effect.fnUntraced(function* ({ missionId, organizationId }: ImportRun) {
  const { status } = yield* orNotFound("mission", missionId, (yield* MissionsRepo).hold(organizationId, missionId))
  yield* Effect.fromResult(refuseArchived(status, "import"))
})

/** Finds the mission. Fails with INVALID_INPUT (none or two given), NOT_FOUND and MISSION_ARCHIVED. */
export const targetMission = Effect.fnUntraced(function* (input: Schema.Struct.Type<typeof missionFields>) {
  const named = input.mission_id ?? input.mission_handle
  if (named === undefined) {
    const message = "mission_id or mission_handle is required. Find a mission with mission.list."
    return yield* new InvalidInput({ message })
  }
  const mission = yield* ownRecord("mission", named, (yield* MissionsRepo).findByIdOrHandle)
  const other = input.mission_handle
  if (other !== undefined && other !== mission.id && other !== mission.handle) {
    const message = "mission_id and mission_handle name different missions. Send one of them."
    return yield* new InvalidInput({ message })
  }
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
  return mission
})

/** A new run into a mission. `factsAt` says what it imports, at the instant when it is created. */
export const newRun = Effect.fnUntraced(function* (
  { id: missionId, organizationId }: MissionRow,
  factsAt: (at: InstantText) => Pick<ImportRun, "type" | "name"> & Partial<ImportRun>
) {
  const at = yield* now
  const id = yield* (yield* Ids).next("imp")
  const run: ImportRun = { ...freshRun, id, organizationId, missionId, createdAt: at, updatedAt: at, ...factsAt(at) }
  return run
})

/** A row to import: a lead, or why it is invalid. */
export type SourceRow = Result.Result<IdentifiedLead, ItemRefusal>

/** Why a row is refused. */
type RowRefusal = ItemRefusal | UpsertRefusal

/** The outcome of a row, its refusal, and whether it added a lead to the mission. */
export interface RowVerdict {
  readonly row: ImportRow
  readonly failure: RowRefusal | undefined
  readonly linked: boolean
}

/** Refusals of usable rows; all others make a row invalid. */
const skipped: ReadonlyArray<RowRefusal["_tag"]> = ["IdentityConflict", "LeadSuppressed"]

/** The outcome of a row without its cells. */
const outcomeOf = (
  written: Result.Result<UpsertedLead, RowRefusal>
): Pick<ImportRow, "outcome" | "reason" | "leadId"> => {
  if (Result.isFailure(written)) {
    const { _tag, code } = written.failure
    return { outcome: skipped.includes(_tag) ? "skipped" : "invalid", reason: code, leadId: null }
  }
  const { change, leadId, linked } = written.success
  if (change === "created") return { outcome: change, reason: null, leadId }
  return change === "updated"
    ? { outcome: change, reason: linked ? enrolled : null, leadId }
    : { outcome: "skipped", reason: linked ? enrolled : unchanged, leadId }
}

/** Rows without the cells that name somebody who was erased: nothing of that person is stored again. */
const withoutErased = Effect.fnUntraced(function* (run: ImportRun, verdicts: ReadonlyArray<RowVerdict>) {
  const columns = run.file?.columns ?? []
  const named = new Map(verdicts.map(({ row }) => [row, row.source === null ? [] : identifiersIn(row.source, columns)]))
  const all = new Map([...named.values()].flat().map((one) => [identityKey(one), one]))
  if (all.size === 0) return verdicts
  const found = yield* (yield* PrivacyRepo).findSuppressions(run.organizationId, [...all.values()])
  const erased = new Set(found.flatMap((match) => (match.entry.kind === "erased" ? [identityKey(match)] : [])))
  const isErased = ({ row }: RowVerdict) => named.get(row)?.some((one) => erased.has(identityKey(one))) === true
  return verdicts.map((one) => (isErased(one) ? { ...one, row: { ...one.row, source: null } } : one))
})

/**
 * Imports rows, the first at `position`, inside a transaction. Fails only for reasons that concern the whole import; rows
 * report through their verdicts. `cellsOf` are the cells of a row by its index, null when they are not stored; `onLocked` is
 * that of `upsertLeads`.
 */
export const importRows = Effect.fnUntraced(function* (
  run: ImportRun,
  position: number,
  sources: ReadonlyArray<SourceRow>,
  cellsOf: (index: number) => ImportRow["source"] = () => null,
  onLocked: Effect.Effect<unknown> = Effect.void
) {
  const options = { source: "import", mission: run.missionId, defaults: run.defaults } as const
  const items = sources.map(Result.map((lead) => ({ ...lead, options })))
  const execution = yield* Execution
  const written = yield* Effect.provideService(
    upsertLeads(items, { ...bulk, onLocked }),
    Execution,
    // Tells the import's own changes from those of others when it is undone.
    { ...execution, emit: (event) => execution.emit({ ...event, data: { ...event.data, import_id: run.id } }) }
  )
  const verdicts: Array<RowVerdict> = []
  for (const [index, ended] of written.entries()) {
    if (ended === undefined) return yield* Effect.die("an import leaves no row out")
    const failure = Result.isFailure(ended) ? ended.failure : undefined
    if (failure instanceof MissionArchived) return yield* failure
    const said = outcomeOf(ended)
    // No new data about suppressed people is stored.
    const source = isRefused(said) && said.reason !== "LEAD_SUPPRESSED" ? cellsOf(index) : null
    const row = { importId: run.id, position: position + index, ...said, source }
    verdicts.push({ row, failure, linked: Result.isSuccess(ended) && ended.success.linked })
  }
  return yield* withoutErased(run, verdicts)
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
  runState: Pick<ImportRun, "cursor" | "state" | "reason">
) {
  const { organizationId } = yield* Actor
  const at = changedAt(run.updatedAt, yield* now)
  const repo = yield* ImportsRepo
  const rows = verdicts.map(({ row }) => row)
  const { attempt, id: importId } = run
  const advanced = yield* repo.advance({ organizationId, importId, attempt, rows, ...runState, at })
  if (advanced === undefined) return yield* stoppedFailure((yield* repo.outcome(organizationId, run.id, 0))?.run, run)
  const added = verdicts.filter(({ linked }) => linked).length
  if (added > 0) {
    yield* (yield* MissionsRepo).touch(organizationId, run.missionId, at)
    const data = { import_id: run.id, count: added }
    yield* emit({ type: "mission.leads_added", subject: { type: "mission", id: run.missionId }, data })
  }
  return advanced
})

/** Resumes a run for so many more rows, by default for all; undefined when another call was faster. */
export const continueRun = Effect.fnUntraced(function* (
  earlier: ImportRun,
  moreRows: number | null,
  accountId: ImportRun["accountId"]
) {
  const at = changedAt(earlier.updatedAt, yield* now)
  const rowLimit = moreRows === null ? null : rowsSeen(earlier.counts) + moreRows
  const run = yield* (yield* ImportsRepo).resume(earlier, { rowLimit, accountId, at })
  if (run !== undefined) yield* importStarted(run)
  return run
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
  return yield* continueRun(earlier, fresh.rowLimit, fresh.accountId)
})

/** Ends an import in one of the states `from`; returns undefined in any other state. Its runner stops before the next rows. */
export const endRun = Effect.fnUntraced(function* (
  { id, organizationId, updatedAt }: Pick<ImportRun, "id" | "organizationId" | "updatedAt">,
  change: { readonly from: ReadonlyArray<ImportState>; readonly to: ImportState; readonly reason: string }
) {
  const at = changedAt(updatedAt, yield* now)
  const ended = yield* (yield* ImportsRepo).settle(organizationId, id, { ...change, at })
  if (ended !== undefined) yield* importEnded(ended)
  return ended
})

/** Stops an import in one of the states `from`. In any other state it is returned unchanged, with a warning. Fails with NOT_FOUND. */
export const stopImport = Effect.fnUntraced(function* (
  importId: ImportId,
  from: ReadonlyArray<ImportState>,
  to: "cancelled" | "paused"
) {
  const { organizationId } = yield* Actor
  const seen = yield* getImport(importId)
  const run = { id: importId, organizationId, updatedAt: seen.updated_at }
  const ended = yield* endRun(run, { from, to, reason: `It was ${to}.` })
  if (ended !== undefined) return { import: yield* getImport(importId) }
  yield* warn(`The import is already ${seen.state}; nothing was changed.`)
  return { import: seen }
})

/** How an import ended: its progress as last stored, and what stopped it early. */
export type RunEnd<P, E> = P & { readonly failure: E | Internal | Unavailable | undefined }

/**
 * Runs an import and stores how it ended, whatever happens. `read` passes on each stored progress; `stateAfter` is the state
 * after a failure. A run that another caller has stopped or taken over, or whose store is unreachable, stays as it is.
 */
export const runImport = <P extends { readonly run: ImportRun }, E extends Failure, R>(
  first: P,
  read: (at: (progress: P) => void) => Effect.Effect<P, E, R>,
  stateAfter: (failure: E) => ImportState
) => {
  let latest = first
  const stop = (state: ImportState, failure: E | Internal | Unavailable) => {
    const { run } = latest
    const end = recordRows(run, [], { cursor: run.cursor, state, reason: failure.message })
    return commit(Effect.tap(end, importEnded)).pipe(
      Effect.catch(() => Effect.succeed(run)),
      Effect.map((stored): RunEnd<P, E> => ({ ...latest, run: stored, failure }))
    )
  }
  return read((progress) => {
    latest = progress
  }).pipe(
    Effect.map((last): RunEnd<P, E> => ({ ...last, failure: undefined })),
    Effect.catch((failure) => stop(stateAfter(failure), failure)),
    Effect.onInterrupt(() =>
      stop("interrupted", new Unavailable({ message: "The service was stopped during the import." }))
    ),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const log = Effect.logError("Import failed unexpectedly", { importId: first.run.id }, cause)
      return Effect.andThen(log, stop("failed", new Internal({ message: "Unexpected error." })))
    })
  )
}
