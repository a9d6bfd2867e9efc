/** MCP on the server's port: `POST /mcp`, with the keys, limits and headers of every other path. */

import {
  type ActorIdentity,
  Dispatch,
  ForbiddenScope,
  MethodNotAllowed,
  publicId,
  ResourceReader,
  type Scope,
  scopeBundles,
  version
} from "@svc/core"
import {
  type BodyLimit,
  defaultBodyLimit,
  failureResponse,
  HttpSettings,
  insufficientScope,
  issuerOf,
  json,
  type KeyedCall,
  type Route,
  readJson,
  resourcePath
} from "@svc/http"
import {
  type AllowedHosts,
  checkHost,
  commandOfCall,
  handlePost,
  makeToolbox,
  type Parts,
  parseErrorReply,
  parseResultForm,
  parseToolset,
  type ResultForm,
  ServedAnswers,
  ServedMethods,
  type Toolbox,
  type Toolset,
  usedBy,
  workspaceOf
} from "@svc/mcp"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { reviewApp } from "./reviewApp.ts"
import type { Settings } from "./Settings.ts"

/** Path of MCP. */
export const mcpPath = resourcePath

/**
 * The routes of MCP, for a server with these host names. By default callers are AI agents whatever their key says, so that
 * policies for agents cover an assistant with a person's key.
 */
export const mcpRoutes = (
  hosts: () => AllowedHosts,
  actorKind: Settings["mcpActorKind"]
): Effect.Effect<ReadonlyArray<Route>, never, Dispatch | HttpSettings | ResourceReader> =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const reader = yield* ResourceReader
    const settings = yield* HttpSettings
    const methods = yield* ServedMethods
    const reviewPage = Effect.sync(() => {
      const url = settings.publicUrl()
      return url === undefined || settings.review === undefined ? undefined : `${url}/review`
    })
    const answered = yield* ServedAnswers
    const limits = new Map(
      dispatch.catalog.commands.map(({ annotations, id }) => [id, annotations.bodyLimit ?? defaultBodyLimit])
    )
    const bodyLimit: BodyLimit = {
      max: Math.max(...limits.values()),
      of: (body) => limits.get(commandOfCall(body) ?? "") ?? defaultBodyLimit
    }
    const made = new Map<string, Toolbox>()

    const toolboxOf = (toolset: Toolset, form: ResultForm) => {
      const named = `${toolset} ${form}`
      const known = made.get(named)
      if (known !== undefined) return known
      const toolbox = makeToolbox(dispatch.catalog, toolset, form)
      // Lists of categories are not cached: callers could send any number of them.
      if (typeof toolset === "string") made.set(named, toolbox)
      return toolbox
    }

    /**
     * The scopes that a message needs, that its token lacks, and that the person who granted the token has. A draft-only token
     * is not asked for more than drafting takes: with more it could do no more.
     */
    const lackingScopes = ({ grantor, mode, scopes }: ActorIdentity, body: unknown): ReadonlyArray<Scope> => {
      if (grantor === undefined) return []
      const { commands, uri } = usedBy(body)
      const needed = commands.map((id) => dispatch.catalog.find(publicId(dispatch.catalog, id))?.scope)
      if (uri !== undefined) needed.push(reader.scopeOf(uri))
      return [...new Set(needed)].filter(
        (scope): scope is Scope =>
          scope !== undefined &&
          scope !== "admin" &&
          !scopes.includes(scope) &&
          (mode === "full" || scopeBundles.drafter.includes(scope)) &&
          (grantor.scopes.includes(scope) || grantor.scopes.includes("admin"))
      )
    }

    const post = Effect.fnUntraced(function* ({ actor, query, request, requestId, takeOutward }: KeyedCall) {
      const parameters = yield* Effect.fromResult(query)
      const form = yield* Effect.fromResult(parseResultForm(parameters.get("results") ?? "text"))
      const toolset = yield* Effect.fromResult(parseToolset(parameters.get("toolset") ?? "default"))
      const toolbox = toolboxOf(toolset, form)
      const parts: Parts = {
        version,
        toolbox: Effect.succeed(toolbox),
        toolset,
        form,
        resources: Effect.succeed(reader.entries),
        reviewApp,
        methods,
        answered
      }
      const workspace = workspaceOf(dispatch, reader, {
        actor: actorKind === "key" ? actor : { ...actor, kind: actorKind },
        requestId,
        reviewPage,
        takeOutward
      })
      const read = yield* Effect.result(readJson(request, bodyLimit))
      const lacking = Result.isSuccess(read) ? lackingScopes(actor, read.success) : []
      const issuer = lacking.length === 0 ? undefined : issuerOf(settings, request)
      if (issuer !== undefined) {
        const message = `This needs ${lacking.join(", ")}, which was not granted. Sign in again to grant it.`
        return insufficientScope(issuer, new ForbiddenScope({ message }), actor.scopes, lacking)
      }
      const reply = Result.isFailure(read)
        ? parseErrorReply(read.failure)
        : yield* handlePost(parts, { workspace }, request.headers, read.success)
      const { body, events, headers = {}, status } = reply
      if (events !== undefined) return HttpServerResponse.stream(events, { status, contentType: "text/event-stream" })
      return body === undefined
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.setHeaders(json(body, status), headers)
    })

    const guard = ({ headers }: HttpServerRequest) => checkHost(headers, hosts())
    const postOnly = failureResponse(
      new MethodNotAllowed({ message: "Streams and sessions are not supported. Send each message with POST." })
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
