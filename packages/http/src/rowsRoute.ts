/**
 * GET /api/v1/imports/{importId}/rows.csv: how every row of an import ended, as a file.
 *
 * It is written while it is read, a page of rows at a time, so an import of a million rows takes no more memory than one
 * of a thousand. Each page is a run of the command behind it, with its checks of scope and organization; when a later page
 * fails, the connection breaks off rather than end a file that is not whole. Source: issue 3 "Imports at scale"; RFC 4180.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import { Dispatch } from "@svc/core/Dispatch"
import { type Failure, fail } from "@svc/core/Failure"
import { csvLine } from "@svc/core/imports/csv/csvLine"
import { RestListImportRows } from "@svc/core/imports/restReads"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { errorObject } from "./Answer.ts"
import type { KeyedCall, Route } from "./Route.ts"

/** The path, as routes have it. */
export const rowsPath = "/api/v1/imports/{importId}/rows.csv"

/** The command behind the route. */
export const rowsCommand = RestListImportRows.id

/** Columns before those of the file. */
const ownColumns = ["row", "outcome", "reason", "lead_id", "lead_name"]

type RowsPage = typeof RestListImportRows.output.Type

const decodePage = Schema.decodeUnknownOption(RestListImportRows.output)

const linesOf = ({ columns, rows }: RowsPage): string =>
  rows
    .map(({ cells, lead_id, lead_name, outcome, reason, row }) =>
      csvLine([String(row), outcome, reason, lead_id, lead_name, ...columns.map((name) => cells[name] ?? "")])
    )
    .join("")

/** The route. */
export const rowsRoute: Effect.Effect<Route, never, Dispatch> = Effect.map(Dispatch, (dispatch) => {
  const pageOf = (actor: ActorIdentity, requestId: string, input: object) =>
    dispatch.run({ command: rowsCommand, input, actor, requestId })

  const handle = Effect.fnUntraced(function* ({ actor, params, query, requestId }: KeyedCall) {
    const outcome = (yield* Effect.fromResult(query)).get("outcome")
    const input = { ...params, ...(outcome === undefined ? {} : { outcome }) }
    const { envelope, retryAfterSeconds } = yield* pageOf(actor, requestId, input)
    if (!envelope.ok) return errorObject({ ...envelope.error, status: envelope.status, retryAfterSeconds })
    const first = Option.getOrThrow(decodePage(envelope.data))
    const pages = Stream.paginate(first, (page: RowsPage) => {
      const text = linesOf(page)
      if (page.nextCursor === null) return Effect.succeed([[text], Option.none<RowsPage>()] as const)
      const next = Effect.flatMap(
        pageOf(actor, requestId, { ...input, cursor: page.nextCursor }),
        (answer): Effect.Effect<RowsPage, Failure> =>
          answer.envelope.ok
            ? Effect.succeed(Option.getOrThrow(decodePage(answer.envelope.data)))
            : Effect.fail(fail(answer.envelope.error.code, answer.envelope.error.message))
      )
      return Effect.map(next, (found) => [[text], Option.some(found)] as const)
    })
    const header = csvLine([...ownColumns, ...first.columns])
    const headers = {
      "content-disposition": `attachment; filename="${(params["importId"] ?? "").replaceAll(/[^A-Za-z0-9_-]/g, "")}-rows.csv"`
    }
    const contentType = "text/csv; charset=utf-8; header=present"
    const body = Stream.concat(Stream.succeed(header), pages)
    return HttpServerResponse.stream(Stream.encodeText(body), { headers, contentType })
  })
  return { method: "GET", path: rowsPath, access: "key", query: ["outcome"], handle }
})
