/**
 * The HTTP surface as one effect from request to response: route, key, rate limit, handler; JSON on every path.
 *
 * It knows no server. A Node listener, a host's middleware and a fetch handler run the same effect.
 * Source: spec "Endpoints"; contract 1.4–1.6, 7 "HTTP".
 */
import { randomUUID } from "node:crypto"
import { type Failure, fail } from "@svc/core/Failure"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { errorObject, refusalOf } from "./Answer.ts"
import { Caller, lowered } from "./Caller.ts"
import { commandRoutes } from "./commandRoutes.ts"
import { gatewayRoute } from "./gatewayRoute.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { observed } from "./observed.ts"
import * as RateLimits from "./RateLimits.ts"
import { parsePath, parseQuery } from "./RequestTarget.ts"
import { restRoute } from "./RestBinding.ts"
import { type KeyedCall, type Match, makeRouter, type NoMatch, type Route } from "./Route.ts"
import { resourceRoutes } from "./resourceRoutes.ts"
import { restBindings } from "./restBindings.ts"
import { rowsRoute } from "./rowsRoute.ts"
import { serviceRoutes } from "./serviceRoutes.ts"
import { uploadRoute } from "./uploadRoute.ts"

/** Routes of the host process beside the surface's own: none, unless it adds some. */
export class ExtraRoutes extends Context.Reference<ReadonlyArray<Route>>("@svc/http/ExtraRoutes", {
  defaultValue: () => []
}) {}

/** The surface. */
export class HttpApp extends Context.Service<
  HttpApp,
  {
    readonly handle: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
    /** Whether a path (with or without query) is one of this surface, whatever the method. */
    readonly owns: (target: string) => boolean
    /** Every route, those of the host process too. */
    readonly routes: ReadonlyArray<Pick<Route, "access" | "method" | "path">>
  }
>()("@svc/http/HttpApp") {}

const always = (version: string, requestId: string): Readonly<Record<string, string>> => ({
  "svc-request-id": requestId,
  "svc-version": version,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

const refuse = (failure: Failure): HttpServerResponse.HttpServerResponse => errorObject(refusalOf(failure))

/** The surface over everything that Dispatch runs. */
export const layer = Layer.effect(
  HttpApp,
  Effect.gen(function* () {
    const { requestsPerMinute, version } = yield* HttpSettings
    const caller = yield* Caller
    const limits = yield* RateLimits.make(requestsPerMinute)
    const routes: ReadonlyArray<Route> = [
      ...(yield* serviceRoutes),
      ...(yield* commandRoutes(limits)),
      ...(yield* resourceRoutes),
      ...(yield* Effect.forEach(restBindings, restRoute)),
      yield* uploadRoute(limits),
      yield* gatewayRoute,
      yield* rowsRoute,
      ...(yield* ExtraRoutes)
    ]
    const router = makeRouter(routes)

    const answer = Effect.fnUntraced(function* (
      { params, route }: Match,
      request: HttpServerRequest.HttpServerRequest,
      requestId: string
    ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Failure> {
      const call = { request, requestId, params }
      if (route.access === "open") return yield* route.handle(call)
      const guarded = route.guard?.(request)
      if (guarded !== undefined) return yield* guarded
      const actor = yield* lowered(yield* caller.of(request), request)
      const taken = yield* Effect.result(limits.take(actor))
      if (taken._tag === "Failure") {
        return HttpServerResponse.setHeaders(refuse(taken.failure.failure), taken.failure.headers)
      }
      const query = parseQuery(request.url, route.query)
      const takeOutward: KeyedCall["takeOutward"] = (command) =>
        Effect.mapError(limits.takeOutward(actor, command), ({ failure }) => failure)
      const response = yield* Effect.catch(route.handle({ ...call, actor, query, takeOutward }), (failure) =>
        Effect.succeed(refuse(failure))
      )
      return HttpServerResponse.setHeaders(response, taken.success)
    })

    const respond = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      match: Match | NoMatch,
      requestId: string
    ) {
      const headers = always(version, requestId)
      if ("failure" in match) {
        const allow = match.allow.join(", ")
        const options = request.method === "OPTIONS" && allow !== ""
        const response = options ? HttpServerResponse.empty({ status: 204 }) : refuse(match.failure)
        return HttpServerResponse.setHeaders(response, allow === "" ? headers : { ...headers, allow })
      }
      const response = yield* answer(match, request, requestId).pipe(
        Effect.catch((failure) => Effect.succeed(refuse(failure))),
        Effect.catchCause((cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          const failure = fail(
            "INTERNAL",
            `Something failed that should not have, in request ${requestId}. Report it with this id.`
          )
          return Effect.as(
            Effect.logError("a request died", { requestId, route: match.route.path }, cause),
            refuse(failure)
          )
        })
      )
      yield* Effect.logDebug("request", {
        requestId,
        method: request.method,
        route: match.route.path,
        status: response.status
      })
      return HttpServerResponse.setHeaders(response, headers)
    })

    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const match = router.find(request.method, parsePath(request.url))
      const requestId = `req_${randomUUID()}`
      return yield* observed(request, requestId, match, respond(request, match, requestId))
    })

    return HttpApp.of({ handle, routes, owns: (target) => router.owns(parsePath(target)) })
  })
)

/** Rate limits counted in this process. */
export const layerLimitsInProcess: Layer.Layer<RateLimiter.RateLimiter> = RateLimiter.layer.pipe(
  Layer.provide(RateLimiter.layerStoreMemory)
)
