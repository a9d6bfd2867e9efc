/** MCP on the server's port: `POST /mcp`, with the keys, limits and headers of every other path. */
import { Dispatch, MethodNotAllowed, ResourceReader, version } from "@svc/core"
import {
  type BodyLimit,
  defaultBodyLimit,
  failureResponse,
  json,
  type KeyedCall,
  type Route,
  readJson
} from "@svc/http"
import {
  type AllowedHosts,
  callTool,
  checkHost,
  commandOfCall,
  handlePost,
  makeToolbox,
  type Parts,
  parseErrorReply,
  parseToolset,
  ServedMethods,
  type Toolbox,
  workspaceOf
} from "@svc/mcp"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { Settings } from "./Settings.ts"

/** Path of MCP. */
export const mcpPath = "/mcp"

/**
 * The routes of MCP, for a server with these host names. By default callers are AI agents whatever their key says, so that
 * policies for agents cover an assistant with a person's key.
 */
export const mcpRoutes = (
  hosts: () => AllowedHosts,
  actorKind: Settings["mcpActorKind"]
): Effect.Effect<ReadonlyArray<Route>, never, Dispatch | ResourceReader> =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const reader = yield* ResourceReader
    const methods = yield* ServedMethods
    const limits = new Map(dispatch.catalog.commands.map(({ bodyLimit = defaultBodyLimit, id }) => [id, bodyLimit]))
    const bodyLimit: BodyLimit = {
      max: Math.max(...limits.values()),
      of: (body) => limits.get(commandOfCall(body) ?? "") ?? defaultBodyLimit
    }
    const made = new Map<string, Toolbox>()

    const toolboxOf = Effect.fnUntraced(function* (named: string) {
      const known = made.get(named)
      if (known !== undefined) return known
      const toolset = yield* Effect.fromResult(parseToolset(named))
      const toolbox = makeToolbox(dispatch.catalog, toolset)
      // Lists of categories are not cached: callers could send any number of them.
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
        methods
      }
      const workspace = workspaceOf(dispatch, reader, {
        actor: actorKind === "key" ? actor : { ...actor, kind: actorKind },
        requestId,
        takeOutward
      })
      const read = yield* Effect.result(readJson(request, bodyLimit))
      const { body, events, status } = Result.isFailure(read)
        ? parseErrorReply(read.failure)
        : yield* handlePost(parts, { workspace }, request.headers, read.success)
      if (events !== undefined) return HttpServerResponse.stream(events, { status, contentType: "text/event-stream" })
      return body === undefined ? HttpServerResponse.empty({ status }) : json(body, status)
    })

    const guard = ({ headers }: HttpServerRequest) => checkHost(headers, hosts())
    const path = mcpPath
    const postOnly = failureResponse(
      new MethodNotAllowed({ message: "Streams and sessions are not supported. Send each message with POST." })
    )
    const reject = () => Effect.succeed(HttpServerResponse.setHeader(postOnly, "allow", "POST"))
    return [
      { method: "POST", path, access: "key", isForKeys: true, query: ["toolset"], guard, handle: post },
      { method: "GET", path, access: "key", isForKeys: true, query: [], guard, handle: reject },
      { method: "DELETE", path, access: "key", isForKeys: true, query: [], guard, handle: reject }
    ]
  })
