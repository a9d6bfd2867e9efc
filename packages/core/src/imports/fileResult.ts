/** What an import of a file answers: the spec's import result, with how the file was read. Source: G22; spec "Import result". */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { type Execution, warn } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import type { MissionRow } from "../missions/index.ts"
import { ImportResult, resultOf, shownUpdatedIds } from "./Import.ts"
import { type ImportRun, RowOutcome, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import type { FileEnd } from "./importFile.ts"

/** How many refused rows an answer holds. */
const shownRefusals = 50

/** An import result, with the columns of the file and the first rows that were refused. */
export const FileImportResult = Schema.Struct({
  ...ImportResult.fields,
  state: Schema.String.annotate({ description: "State of the import, as import.get has it" }),
  mapping: Schema.Array(
    Schema.Struct({
      column: Schema.String,
      field: Schema.NullOr(Schema.String).annotate({ description: "Lead field it was read as; null: left out" })
    })
  ),
  refused_rows: Schema.Array(
    Schema.Struct({
      row: Schema.Int.annotate({ description: "Number of the row in the file, from 1, the header not counted" }),
      outcome: RowOutcome,
      reason: Schema.String.annotate({ description: "Failure code, see svc://errors" }),
      message: Schema.String
    })
  ).annotate({ description: `The first ${shownRefusals} rows that this call refused; import.leads.list has all` })
})
export type FileImportResult = typeof FileImportResult.Type

const messageOf = (run: ImportRun, { alreadyExists, failure, seenBefore }: FileEnd): string | null => {
  if (failure !== undefined) return failure.message
  if (run.state === "running") return "running"
  if (!alreadyExists) return null
  if (rowsSeen(run.counts) > seenBefore) return `Went on after row ${seenBefore}.`
  const when = (run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")
  return `This file was imported into the mission on ${when} UTC. Send again: true to import it once more.`
}

/** The answer for what became of a file. Too many ids of changed leads are cut with a warning. */
export const answerFile = Effect.fnUntraced(function* (
  end: FileEnd,
  mission: MissionRow
): Effect.fn.Return<FileImportResult, Failure, Actor | Execution | ImportsRepo> {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).outcome(organizationId, end.run.id, shownUpdatedIds)
  const run = found?.run ?? end.run
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
