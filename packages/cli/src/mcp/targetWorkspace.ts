/** The service of `svc mcp`: found on the first call, and again after it has stopped. */

import { type EnvelopeMeta, parseOptions, Unauthenticated, Unavailable } from "@svc/core"
import { clientHeader } from "@svc/core/internal"
import { Composition, type Environment } from "@svc/embed/composition"
import { HttpHandlers } from "@svc/http"
import { serve } from "@svc/http/node"
import { type CallResult, failureResult, type Workspace } from "@svc/mcp"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as RcRef from "effect/RcRef"
import * as Result from "effect/Result"
import { compileQuickly } from "../compileQuickly.ts"
import { findTarget } from "../findTarget.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { openedService } from "../openedService.ts"
import { newToken, operatorRoutes, publishUrl } from "../Server.ts"
import { commandRequest, type Open, queryOf, type Reply, type ServiceRequest } from "../Target.ts"

// Opens an embedded folder for an agent, and shares it with other processes.
//
// Only one process at a time can use a folder, and an agent may run for days. So it listens on this machine like a server,
// and runs the worker; other agents and commands use it as their service.

/** Opens a database; an embedded folder is shared. */
const openShared: Open = (settings) => {
  if (settings.databaseUrl._tag !== "Pglite") return openedService(settings)
  return Effect.gen(function* () {
    const token = newToken()
    const own = yield* loadHostConfig(process.env)
    let url = ""
    compileQuickly()
    const context = yield* Layer.build(
      Composition.fromSettings(settings, {
        worker: true,
        publicUrl: () => settings.publicUrl ?? url,
        gateway: settings.linkedinGateway ?? "simulator",
        routes: operatorRoutes(settings, token),
        mcpHosts: () => [],
        ...own
      })
    )
    yield* Effect.gen(function* () {
      url = `http://127.0.0.1:${yield* serve({ host: "127.0.0.1", port: 0 })}`
      yield* publishUrl(url, token)
    }).pipe(Effect.provideContext(context))
    return Context.get(context, HttpHandlers).fetch
  })
}

const noKey = new Unauthenticated({
  message:
    "No API key. Create one with svc keys create --org ID --actor-kind AI_AGENT, then run svc login with it, or save " +
    "it in a file of mode 0600 and set SVC_API_KEY_FILE to its path in this server's entry of your client."
})

const metaOf = (meta: unknown): EnvelopeMeta | undefined =>
  Predicate.isReadonlyObject(meta)
    ? {
        approval_required: meta["approval_required"] === true,
        approval_request_id: String(meta["approval_request_id"] ?? ""),
        command_hash: String(meta["command_hash"] ?? ""),
        warnings: Array.isArray(meta["warnings"]) ? meta["warnings"].map(String) : []
      }
    : undefined

/** The result in an HTTP reply. */
const resultOf = ({ body, status }: Reply): CallResult => {
  const { data, error, meta } = Predicate.isReadonlyObject(body) ? body : {}
  if (Predicate.isReadonlyObject(error)) {
    const { code, message } = error
    return { ok: false, status, error: { code: String(code), message: String(message) }, meta: metaOf(meta) }
  }
  if (status < 400 && data !== undefined) return { ok: true, status, data, meta: metaOf(meta) }
  return failureResult(
    new Unavailable({ message: `The service returned ${status} without a message. Retry, or check its log.` })
  )
}

/** The workspace of an environment. It is closed with the scope. */
export const targetWorkspace = Effect.fnUntraced(function* (environment: Environment, baseUrl: string | undefined) {
  // Kept until a request fails.
  const found = yield* RcRef.make({
    acquire: findTarget(environment, baseUrl, openShared),
    idleTimeToLive: Duration.infinity
  })

  // As over HTTP, callers are AI agents unless SVC_MCP_ACTOR_KIND=key.
  const actorKind: ServiceRequest["headers"] =
    environment["SVC_MCP_ACTOR_KIND"] === "key" ? {} : { "svc-actor-kind": "AI_AGENT" }
  const send = (request: ServiceRequest, client: ServiceRequest["headers"]): Effect.Effect<CallResult> =>
    Effect.flatMap(RcRef.get(found), (target) => {
      if (target.key === undefined) return Effect.fail(noKey)
      return Effect.tapError(
        target.send({ ...request, headers: { ...request.headers, ...actorKind, ...client } }),
        () => (target.place.kind === "embedded" ? Effect.void : RcRef.invalidate(found))
      )
    }).pipe(
      Effect.scoped,
      Effect.map(resultOf),
      Effect.catch((failure) => Effect.succeed(failureResult(failure)))
    )

  const reviewPage = Effect.scoped(RcRef.get(found)).pipe(
    Effect.map(({ place }) => (place.kind === "embedded" ? undefined : `${place.label}/review`)),
    Effect.orElseSucceed(() => undefined)
  )
  const workspaceFor = (client: ServiceRequest["headers"]): Workspace => ({
    reviewPage,
    from: (named) => workspaceFor({ "svc-client": clientHeader(named) }),
    run: ({ command, input, options }) => {
      const parsed = parseOptions(options)
      return Result.isFailure(parsed)
        ? Effect.succeed(failureResult(parsed.failure))
        : send(commandRequest(command, JSON.stringify(input), options), client)
    },
    read: ({ profile, uri }) => {
      const path = `/api/v1/resources/read${queryOf({ uri, response_profile: profile })}`
      return send({ method: "GET", path }, client)
    }
  })
  return workspaceFor({})
})
