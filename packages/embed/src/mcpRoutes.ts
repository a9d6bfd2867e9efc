/**
 * The agent protocol on the server's own port: `POST /mcp`, with the keys, limits and headers of every other path.
 *
 * Source: issue "Streamable HTTP at /mcp"; contract 2, 7 "HTTP" (a bad Host or Origin answers 403).
 */
import { Dispatch } from "@svc/core/Dispatch"
import { fail } from "@svc/core/Failure"
import { ResourceReader } from "@svc/core/ResourceReader"
import { version } from "@svc/core/Version"
import { errorObject, json, refusalOf } from "@svc/http/Answer"
import { readJson, usualLimit } from "@svc/http/RequestBody"
import type { KeyedCall, Route } from "@svc/http/Route"
import type { Fixtures } from "@svc/mcp/Fixtures"
import { type AllowedHosts, answerPost, refuseHost, unreadable } from "@svc/mcp/overHttp"
import type { Parts } from "@svc/mcp/Server"
import { callTool, makeToolbox, type Toolbox } from "@svc/mcp/Toolbox"
import { parseToolset } from "@svc/mcp/toolsets"
import { workspaceOf } from "@svc/mcp/Workspace"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"

/** Where the protocol is spoken. */
export const mcpPath = "/mcp"

/** The routes of the protocol, for a server that answers for these hosts. */
export const mcpRoutes = (
  hosts: () => AllowedHosts,
  fixtures?: Fixtures
): Effect.Effect<ReadonlyArray<Route>, never, Dispatch | ResourceReader> =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const reader = yield* ResourceReader
    const largest = Math.max(usualLimit, ...dispatch.catalog.commands.map(({ bodyLimit }) => bodyLimit ?? 0))
    const made = new Map<string, Toolbox>()

    const toolboxOf = Effect.fnUntraced(function* (named: string) {
      const known = made.get(named)
      if (known !== undefined) return known
      const toolset = yield* Effect.fromResult(parseToolset(named))
      const toolbox = makeToolbox(dispatch.catalog, toolset)
      // Only what a caller could not make endless is kept.
      if (typeof toolset === "string") made.set(named, toolbox)
      return toolbox
    })

    const post = Effect.fnUntraced(function* ({ actor, query, request, requestId, takeOutward }: KeyedCall) {
      const parameters = yield* Effect.fromResult(query)
      const toolbox = yield* toolboxOf(parameters.get("toolset") ?? "default")
      const parts: Parts = {
        version,
        toolbox: Effect.succeed(toolbox),
        resources: Effect.succeed(reader.entries),
        callTool: Effect.succeed(callTool),
        fixtures
      }
      const workspace = workspaceOf(dispatch, reader, { actor, requestId, takeOutward })
      const read = yield* Effect.result(readJson(request, largest))
      const { body, events, status } = Result.isFailure(read)
        ? unreadable(read.failure)
        : yield* answerPost(parts, { workspace }, request.headers, read.success)
      if (events !== undefined) return HttpServerResponse.stream(events, { status, contentType: "text/event-stream" })
      return body === undefined ? HttpServerResponse.empty({ status }) : json(body, status)
    })

    const guard = ({ headers }: HttpServerRequest) => refuseHost(headers, hosts())
    const path = mcpPath
    const refusal = refusalOf(
      fail("METHOD_NOT_ALLOWED", "There is no stream to open and no session to end. Send each message with POST.")
    )
    const none = () => Effect.succeed(HttpServerResponse.setHeader(errorObject(refusal), "allow", "POST"))
    return [
      { method: "POST", path, access: "key", query: ["toolset"], guard, handle: post },
      { method: "GET", path, access: "key", query: [], guard, handle: none },
      { method: "DELETE", path, access: "key", query: [], guard, handle: none }
    ]
  })
