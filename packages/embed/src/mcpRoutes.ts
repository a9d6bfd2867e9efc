/** MCP on the server's port: `POST /mcp`, with the keys, limits and headers of every other path. */

import * as Core from "@svc/core"
import * as Http from "@svc/http"
import * as Mcp from "@svc/mcp"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { reviewApp } from "./reviewApp.ts"
import type { Settings } from "./Settings.ts"

/** Path of MCP. */
export const mcpPath = Http.resourcePath

/**
 * The routes of MCP, for a server with these host names. By default callers are AI agents whatever their key says, so that
 * policies for agents cover an assistant with a person's key.
 */
export const mcpRoutes = (
  hosts: () => Mcp.AllowedHosts,
  actorKind: Settings["mcpActorKind"]
): Effect.Effect<ReadonlyArray<Http.Route>, never, Core.Dispatch | Http.HttpSettings | Core.ResourceReader> =>
  Effect.gen(function* () {
    const dispatch = yield* Core.Dispatch
    const reader = yield* Core.ResourceReader
    const settings = yield* Http.HttpSettings
    const methods = yield* Mcp.ServedMethods
    const reviewPage = Effect.sync(() => {
      const url = settings.publicUrl()
      return url === undefined || settings.review === undefined ? undefined : `${url}/review`
    })
    const answered = yield* Mcp.ServedAnswers
    const limits = new Map(
      dispatch.catalog.commands.map(({ annotations, id }) => [id, annotations.bodyLimit ?? Http.defaultBodyLimit])
    )
    const bodyLimit: Http.BodyLimit = {
      max: Math.max(...limits.values()),
      of: (body) => limits.get(Mcp.commandOfCall(body) ?? "") ?? Http.defaultBodyLimit
    }
    const made = new Map<string, Mcp.Toolbox>()

    const toolboxOf = (toolset: Mcp.Toolset, form: Mcp.ResultForm) => {
      const named = `${toolset} ${form}`
      const known = made.get(named)
      if (known !== undefined) return known
      const toolbox = Mcp.makeToolbox(dispatch.catalog, toolset, form)
      // Lists of categories are not cached: callers could send any number of them.
      if (typeof toolset === "string") made.set(named, toolbox)
      return toolbox
    }

    /**
     * The scopes that a message needs, that its token lacks, and that the person who granted the token has. A draft-only token
     * is not asked for more than drafting takes: with more it could do no more.
     */
    const lackingScopes = ({ grantor, mode, scopes }: Core.ActorIdentity, body: unknown): ReadonlyArray<Core.Scope> => {
      if (grantor === undefined) return []
      const { commands, uri } = Mcp.usedBy(body)
      const needed = commands.map((id) => dispatch.catalog.find(Core.publicId(dispatch.catalog, id))?.scope)
      if (uri !== undefined) needed.push(reader.scopeOf(uri))
      return [...new Set(needed)].filter(
        (scope): scope is Core.Scope =>
          scope !== undefined &&
          scope !== "admin" &&
          !scopes.includes(scope) &&
          (mode === "full" || Core.scopeBundles.drafter.includes(scope)) &&
          (grantor.scopes.includes(scope) || grantor.scopes.includes("admin"))
      )
    }

    const post = Effect.fnUntraced(function* ({ actor, query, request, requestId, takeOutward }: Http.KeyedCall) {
      const parameters = yield* Effect.fromResult(query)
      const form = yield* Effect.fromResult(Mcp.parseResultForm(parameters.get("results") ?? "text"))
      const toolset = yield* Effect.fromResult(Mcp.parseToolset(parameters.get("toolset") ?? "default"))
      const toolbox = toolboxOf(toolset, form)
      const parts: Mcp.Parts = {
        version: Core.version,
        toolbox: Effect.succeed(toolbox),
        toolset,
        form,
        resources: Effect.succeed(reader.entries),
        reviewApp,
        methods,
        answered
      }
      const workspace = Mcp.workspaceOf(dispatch, reader, {
        actor: actorKind === "key" ? actor : { ...actor, kind: actorKind },
        requestId,
        reviewPage,
        takeOutward
      })
      const read = yield* Effect.result(Http.readJson(request, bodyLimit))
      const lacking = Result.isSuccess(read) ? lackingScopes(actor, read.success) : []
      const issuer = lacking.length === 0 ? undefined : Http.issuerOf(settings, request)
      if (issuer !== undefined) {
        const message = `This needs ${lacking.join(", ")}, which was not granted. Sign in again to grant it.`
        return Http.insufficientScope(issuer, new Core.ForbiddenScope({ message }), actor.scopes, lacking)
      }
      const reply = Result.isFailure(read)
        ? Mcp.parseErrorReply(read.failure)
        : yield* Mcp.handlePost(parts, { workspace }, request.headers, read.success)
      const { body, events, headers = {}, status } = reply
      if (events !== undefined) return HttpServerResponse.stream(events, { status, contentType: "text/event-stream" })
      return body === undefined
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.setHeaders(Http.json(body, status), headers)
    })

    const guard = ({ headers }: HttpServerRequest) => Mcp.checkHost(headers, hosts())
    const postOnly = Http.failureResponse(
      new Core.MethodNotAllowed({ message: "Streams and sessions are not supported. Send each message with POST." })
    )
    const reject = () => Effect.succeed(HttpServerResponse.setHeader(postOnly, "allow", "POST"))
    const common = {
      path: mcpPath,
      access: "key",
      isForAgents: true,
      guard,
      pages: (request: HttpServerRequest) => guard(request) === undefined
    } as const
    return [
      { ...common, method: "POST", query: ["toolset", "results"], handle: post },
      { ...common, method: "GET", query: [], handle: reject },
      { ...common, method: "DELETE", query: [], handle: reject }
    ]
  })
