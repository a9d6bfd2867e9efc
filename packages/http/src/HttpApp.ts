/**
 * The HTTP surface as one effect from request to response: route, key, rate limit, handler.
 *
 * It knows no server: a Node listener, a host's middleware and a fetch handler run the same effect.
 */
import { randomUUID } from "node:crypto"
import { type Failure, Internal, Unauthenticated } from "@svc/core"
import { countRequest, isRecorded, logIfSlow } from "@svc/core/internal"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { MinimumLogLevel } from "effect/References"
import type { SpanOptionsNoTrace } from "effect/Tracer"
import { Caller, countingUnknown, crossOriginHeaders, preflightHeaders, withActorKind, withClient } from "./Caller.ts"
import { commandRoutes, uploadRoute } from "./commandRoutes.ts"
import { gatewayRoute } from "./gatewayRoute.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { healthRoutes } from "./healthRoutes.ts"
import { baseOf, issuerOf, metadataPath, resourceAt, targetBelow, unauthenticated } from "./issuer.ts"
import { mailRoutes } from "./mailRoutes.ts"
import * as RateLimits from "./RateLimits.ts"
import { restRoutes } from "./RestBinding.ts"
import { type KeyedCall, type Match, makeRouter, type NoMatch, parseQuery, type Route, type Router } from "./Route.ts"
import { failureResponse } from "./responses.ts"
import { restBindings } from "./restBindings.ts"
import { reviewRoutes } from "./reviewRoutes.ts"
import { rowsRoute } from "./rowsRoute.ts"
import { resourceRoutes, serviceRoutes } from "./serviceRoutes.ts"
import { sessionProblem } from "./sessionCookie.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Headers = Readonly<Record<string, string>>

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The span of a request, in the trace of the caller if it sent one (W3C `traceparent`). */
const spanOptions = ({ headers }: Request, attributes: Record<string, string>): SpanOptionsNoTrace => {
  if (headers["traceparent"] === undefined) return { kind: "server", root: true, attributes }
  const parent = HttpTraceContext.w3c(headers)
  return { kind: "server", attributes, ...(Option.isSome(parent) ? { parent: parent.value } : { root: true }) }
}

/** Counts and traces a request under the pattern of its path. A request that its caller cancelled is not counted. */
const withTelemetry = <E, R>(
  request: Request,
  requestId: string,
  match: Match | NoMatch,
  respond: () => Effect.Effect<Response, E, R>
): Effect.Effect<Response, E, R> => {
  const route = "route" in match ? match.route.path : "none"
  const method = methods.has(request.method) ? request.method : "other"
  const counted = (context: Context.Context<R>) => {
    const clock = Context.get(context, Clock.Clock)
    const began = clock.currentTimeNanosUnsafe()
    return Effect.mapEager(respond(), (response) => {
      countRequest(context, method, route, response.status, Number(clock.currentTimeNanosUnsafe() - began) / 1e9)
      return response
    })
  }
  const traced = () => {
    const attributes = { "http.request.method": method, "http.route": route, "svc.request_id": requestId }
    return Effect.useSpan(`${method} ${route}`, spanOptions(request, attributes), (span) =>
      Effect.map(Effect.withParentSpan(Effect.contextWith(counted), span, { captureStackTrace: false }), (response) => {
        span.attribute("http.response.status_code", response.status)
        if (response.status >= 500) span.attribute("error.type", String(response.status))
        return response
      })
    )
  }
  return Effect.contextWith((context: Context.Context<R>) => (isRecorded(context) ? traced() : counted(context)))
}

/** Routes that the process adds, such as those of MCP and for signing in. */
export class ExtraRoutes extends Context.Reference<ReadonlyArray<Route>>("@svc/http/ExtraRoutes", {
  defaultValue: () => []
}) {}

type HttpEffect = Effect.Effect<Response, never, Request>

/** The surface. */
export class HttpApp extends Context.Service<
  HttpApp,
  {
    readonly handle: HttpEffect
    /** Whether some method of this surface has the path of a host's request, whose target may have a query. */
    readonly owns: (source: object, target: string) => boolean
    /** The same for the admin port, which only has health and metrics. */
    readonly handleAdmin: HttpEffect
    /** From now on `/readyz` responds 503. */
    readonly stop: Effect.Effect<void>
    /** Every route of {@link handle}, including those of the host process. */
    readonly routes: ReadonlyArray<Pick<Route, "access" | "method" | "path">>
  }
>()("@svc/http/HttpApp") {}

/** The response with the headers that every response has; a response that may be kept says so itself. */
const withCommonHeaders = (response: Response, version: string, requestId: string, more: Headers = {}): Response => {
  // A copy with headers of its own, so the rest is added in place: setHeaders takes thirty times as long.
  const copy = HttpServerResponse.setHeader(response, "svc-request-id", requestId)
  Object.assign(copy.headers, more, {
    "svc-version": version,
    "cache-control": response.headers["cache-control"] ?? "no-store",
    "x-content-type-options": "nosniff"
  })
  return copy
}

const isForAgents = (route: Route): boolean => route.access === "key" && route.isForAgents === true

const keyRequired = () =>
  new Unauthenticated({ message: "A session of the review page is not accepted here. Send an API key." })

/** The surface over Dispatch. */
export const layer = Layer.effect(
  HttpApp,
  Effect.gen(function* () {
    const settings = yield* HttpSettings
    const { health, mount, version } = settings
    const caller = yield* Caller
    const rates = yield* RateLimits.make(settings)

    const authenticate = countingUnknown(caller, rates, settings)
    const identify = (request: Request, now: number, resource: string | undefined) => {
      const actor = caller.known?.(request, now)
      return actor === undefined ? authenticate(request, resource) : Effect.succeed(actor)
    }

    const extra = yield* ExtraRoutes
    const hasMetadata = extra.some(({ path }) => path === metadataPath)
    /** Where clients of AI agents sign in, if they can. */
    const signInAt = (request: Request) => (hasMetadata ? issuerOf(settings, request) : undefined)

    let isStopping = false
    const all: ReadonlyArray<Route> = [
      ...(yield* healthRoutes(() => isStopping)),
      ...(yield* serviceRoutes),
      ...(yield* commandRoutes),
      ...(yield* resourceRoutes),
      ...(yield* restRoutes(restBindings)),
      yield* uploadRoute,
      yield* gatewayRoute(rates),
      ...(yield* mailRoutes(rates)),
      yield* rowsRoute,
      ...(yield* reviewRoutes),
      ...extra
    ]
    const adminRoutes = all.filter((route) => route.access === "open" && route.isAdmin === true)
    const routes = health ? all : all.filter((route) => !adminRoutes.includes(route))

    const handleMatch = Effect.fnUntracedEager(function* (
      { params, route }: Match,
      request: Request,
      requestId: string,
      now: number,
      setLimits: (headers: Headers) => void
    ): Effect.fn.Return<Response, Failure> {
      if (route.access === "open") return yield* route.handle({ request, requestId, params })
      const guarded = route.guard?.(request)
      if (guarded !== undefined) return yield* guarded
      const issuer = route.isForAgents === true ? signInAt(request) : undefined
      const identified = yield* identify(request, now, issuer && resourceAt(issuer))
      const actor = withClient(yield* withActorKind(identified, request), request)
      if (actor.parentKeyId !== undefined) {
        const problem = route.isForAgents === true ? keyRequired() : sessionProblem(baseOf(settings, request), request)
        if (problem !== undefined) return yield* problem
      }
      const { failure, headers } = yield* Effect.catchEager(
        Effect.mapEager(rates.take(actor), (headers) => ({ headers, failure: undefined })),
        Effect.succeed
      )
      setLimits(headers)
      if (failure !== undefined) return yield* failure
      const query = parseQuery(request.url, route.query)
      const takeOutward: KeyedCall["takeOutward"] = (command) => rates.takeOutward(actor, command)
      return yield* route.handle({ request, requestId, params, actor, query, takeOutward })
    })

    const respond = Effect.fnUntracedEager(function* (
      request: Request,
      match: Match | NoMatch,
      requestId: string,
      { context }: Fiber.Fiber<unknown, unknown>
    ) {
      if ("failure" in match) {
        const allow = match.allow.join(", ")
        const options = request.method === "OPTIONS" && allow !== ""
        const response = options ? HttpServerResponse.empty({ status: 204 }) : failureResponse(match.failure)
        const pages = options ? preflightHeaders(match.other, request, allow) : crossOriginHeaders(match.other, request)
        return withCommonHeaders(response, version, requestId, { ...pages, ...(allow === "" ? {} : { allow }) })
      }
      let limits: Headers | undefined
      const setLimits = (headers: Headers) => {
        limits = headers
      }
      const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
      const response = yield* Effect.matchCauseEffectEager(handleMatch(match, request, requestId, now, setLimits), {
        onSuccess: Effect.succeed,
        onFailure: (cause) => {
          const expected = Cause.findErrorOption(cause)
          const which = { requestId, route: match.route.path }
          if (Option.isSome(expected))
            return Effect.as(logIfSlow(expected.value, which), failureResponse(expected.value))
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          const failure = new Internal({ message: `Unexpected error in request ${requestId}. Report it with this id.` })
          return Effect.as(Effect.logError("A request failed unexpectedly", which, cause), failureResponse(failure))
        }
      })
      if (LogLevel.isLessThanOrEqualTo(Context.get(context, MinimumLogLevel), "Debug")) {
        yield* Effect.logDebug("request", {
          requestId,
          method: request.method,
          route: match.route.path,
          status: response.status
        })
      }
      const issuer = isForAgents(match.route) && response.status === 401 ? signInAt(request) : undefined
      return withCommonHeaders(response, version, requestId, {
        ...limits,
        ...crossOriginHeaders(match.route, request),
        ...(issuer === undefined ? {} : { "www-authenticate": unauthenticated(issuer, request) })
      })
    })

    const handleWith = ({ find }: Router): HttpEffect =>
      Effect.withFiber((fiber) => {
        const whole = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const url = targetBelow(mount, whole.source, whole.url) ?? ""
        const request = url === whole.url ? whole : whole.modify({ url })
        const match = find(request.method, request.url)
        const requestId = `req_${randomUUID()}`
        return withTelemetry(request, requestId, match, () => respond(request, match, requestId, fiber))
      })

    const router = makeRouter(routes)
    return HttpApp.of({
      handle: handleWith(router),
      handleAdmin: handleWith(makeRouter(adminRoutes)),
      routes,
      owns: (source, target) => {
        const below = targetBelow(mount, source, target)
        return below !== undefined && router.owns(below)
      },
      stop: Effect.sync(() => {
        isStopping = true
      })
    })
  })
)

/** Rate limits counted in this process. */
export const layerLimitsInProcess: Layer.Layer<RateLimiter.RateLimiter> = RateLimiter.layer.pipe(
  Layer.provide(RateLimiter.layerStoreMemory)
)
