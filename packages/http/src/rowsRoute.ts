/**
 * GET /api/v1/imports/{importId}/rows.csv: the outcome of every row of an import, as CSV (RFC 4180).
 *
 * It is streamed a page of rows at a time, so memory does not grow with the import. Each page is a run of the command, with
 * its checks. If a later page fails, the connection is closed, so that an incomplete file never looks complete.
 */
import { type AnyCommand, Dispatch, type Failure, Relayed, type Representation } from "@svc/core"
import { csvLine, GetImport, ListImportedLeads } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { restForm } from "./RestForm.ts"
import { type KeyedCall, keyed, type Route } from "./Route.ts"

export const rowsPath = "/api/v1/imports/{importId}/rows.csv"

/** The command that reads the rows. */
export const rowsCommand = ListImportedLeads.id

const pageSize = 1_000

/** The command's input and output as this route spells them. */
export const rowsForm = restForm(ListImportedLeads, {
  only: ["import_id", "outcome", "cursor"],
  complete: (input) => ({ ...input, limit: pageSize }),
  output: { schema: ListImportedLeads.output, show: (page) => page }
})

const importForm = restForm(GetImport)

/** Columns before those of the imported file. */
const outcomeColumns = ["row", "outcome", "reason", "lead_id", "lead_name"]

type RowsPage = typeof ListImportedLeads.output.Type

const decodePage = Schema.decodeUnknownSync(ListImportedLeads.output)
const decodeImport = Schema.decodeUnknownSync(GetImport.output)

const linesOf = ({ leads, rows }: RowsPage, columns: ReadonlyArray<string>): string => {
  const names = new Map(leads.map(({ id, name }) => [id, name]))
  return rows
    .map(({ cells, lead_id, outcome, reason, row }) => {
      const own = [String(row), outcome, reason ?? "", lead_id ?? "", names.get(lead_id ?? "") ?? ""]
      return csvLine([...own, ...columns.map((name) => cells?.[name] ?? "")])
    })
    .join("")
}

/** The route. */
export const rowsRoute: Effect.Effect<Route, never, Dispatch> = Effect.map(Dispatch, (dispatch) => {
  const run = ({ actor, requestId }: KeyedCall, command: AnyCommand, form: Representation, input: object) =>
    Effect.flatMap(
      dispatch.run({ command: command.id, input, actor, route: `GET ${rowsPath}`, requestId, representation: form }),
      ({ envelope }): Effect.Effect<unknown, Failure> =>
        envelope.ok
          ? Effect.succeed(envelope.data)
          : Effect.fail(new Relayed(envelope.error.code, { message: envelope.error.message }))
    )

  const handle = Effect.fnUntraced(function* (call: KeyedCall) {
    const outcome = (yield* Effect.fromResult(call.query)).get("outcome")
    const input = { ...call.params, ...(outcome === undefined ? {} : { outcome }) }
    const pageOf = (cursor: object) =>
      Effect.map(run(call, ListImportedLeads, rowsForm, { ...input, ...cursor }), decodePage)
    const { columns } = decodeImport(yield* run(call, GetImport, importForm, call.params)).import
    const first = yield* pageOf({})
    const pages = Stream.paginate(first, (page: RowsPage) => {
      const text = linesOf(page, columns)
      return page.next_cursor === null
        ? Effect.succeed([[text], Option.none<RowsPage>()] as const)
        : Effect.map(pageOf({ cursor: page.next_cursor }), (next) => [[text], Option.some(next)] as const)
    })
    const header = csvLine([...outcomeColumns, ...columns])
    const headers = {
      "content-disposition": `attachment; filename="${(call.params["importId"] ?? "").replaceAll(/[^A-Za-z0-9_-]/g, "")}-rows.csv"`
    }
    const contentType = "text/csv; charset=utf-8; header=present"
    const body = Stream.concat(Stream.succeed(header), pages)
    return HttpServerResponse.stream(Stream.encodeText(body), { headers, contentType })
  })
  return keyed("GET", rowsPath, ["outcome"], handle)
})
