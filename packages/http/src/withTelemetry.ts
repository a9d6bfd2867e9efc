/** Metrics and a trace span for every request. */
import { countRequest, isRecorded } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import type { SpanOptionsNoTrace } from "effect/Tracer"
import type { Match, NoMatch } from "./Route.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The span of a request, in the trace of the caller if it sent one (W3C `traceparent`). */
const spanOptions = ({ headers }: HttpServerRequest, attributes: Record<string, string>): SpanOptionsNoTrace => {
  if (headers["traceparent"] === undefined) return { kind: "server", root: true, attributes }
  const parent = HttpTraceContext.w3c(headers)
  return { kind: "server", attributes, ...(Option.isSome(parent) ? { parent: parent.value } : { root: true }) }
}

/** Counts and traces a request under the pattern of its path. A request that its caller cancelled is not counted. */
export const withTelemetry = <E, R>(
  request: HttpServerRequest,
  requestId: string,
  match: Match | NoMatch,
  respond: () => Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R> => {
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
