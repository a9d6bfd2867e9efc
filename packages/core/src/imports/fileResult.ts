/** The result of importing a file: the spec's import result, with the column mapping and refused rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import { type Execution, warn } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { ImportResult, resultOf, shownUpdatedIds, warnOfEnrolled } from "./Import.ts"
import { type ImportRun, RowOutcome, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import type { FileOutcome } from "./importFile.ts"

/** Maximum number of refused rows in a result. */
const shownRefusals = 50

export const FileImportResult = Schema.Struct({
  ...ImportResult.fields,
  state: Schema.String.annotate({ description: "State of the import, as in import.get" }),
  mapping: Schema.Array(
    Schema.Struct({
      column: Schema.String,
      field: Schema.NullOr(Schema.String).annotate({ description: "Lead field the column is mapped to; null: ignored" })
    })
  ),
  refused_rows: Schema.Array(
    Schema.Struct({
      row: Schema.Int.annotate({ description: "Row number in the file, starting at 1, without the header" }),
      outcome: RowOutcome,
      reason: Schema.String.annotate({ description: "Failure code, see svc://errors" }),
      message: Schema.String
    })
  ).annotate({ description: `The first ${shownRefusals} rows rejected by this call; import.leads.list has all` })
})
export type FileImportResult = typeof FileImportResult.Type

const messageOf = (run: ImportRun, { alreadyExists, failure, seenBefore }: FileOutcome): string | null => {
  if (failure !== undefined) return failure.message
  if (run.state === "running") return "running"
  if (!alreadyExists) return null
  if (rowsSeen(run.counts) > seenBefore) return `Continued after row ${seenBefore}.`
  const when = (run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")
  return `This file was imported into the mission on ${when} UTC. Send again: true to import it again.`
}

/** The result for a file. The list of changed leads is cut, with a warning. */
export const fileImportResult = Effect.fnUntraced(function* (
  end: FileOutcome,
  mission: MissionRow
): Effect.fn.Return<FileImportResult, StoreFailure, Actor | Execution | ImportsRepo> {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).outcome(organizationId, end.run.id, shownUpdatedIds)
  const run = found?.run ?? end.run
  yield* warnOfEnrolled(run)
  const updatedIds = found?.updatedIds ?? []
  if (updatedIds.length === shownUpdatedIds) {
    yield* warn(`updated_ids holds the first ${shownUpdatedIds}; import.leads.list has all.`)
  }
  return {
    ...resultOf(run, { mission, updatedIds, alreadyExists: end.alreadyExists, message: messageOf(run, end) }),
    state: run.state,
    mapping: end.columns.map(({ field, name }) => ({ column: name, field })),
    refused_rows: end.refused.slice(0, shownRefusals).map(({ failure, row }) => ({
      row: row.position + 1,
      outcome: row.outcome,
      reason: row.reason ?? "",
      message: failure?.message ?? ""
    }))
  }
})
