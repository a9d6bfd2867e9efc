/**
 * Exports traces and metrics to an OTLP endpoint (`SVC_OTLP_URL`), as JSON over HTTP. Loaded only when it is set.
 *
 * Exports run in the background, in batches. While the endpoint is down, data is lost and one warning is logged.
 */

import { randomUUID } from "node:crypto"
import { Failure, version } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import type { OtlpTarget } from "./settingValues.ts"

/** The attributes that are exported. SQL texts hold placeholders, never values. */
const allowed: ReadonlySet<string> = new Set([
  "db.client.connection.wait_time",
  "db.operation.name",
  "db.query.text",
  "db.system.name",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "svc.actor_kind",
  "svc.command",
  "svc.command_hash",
  "svc.organization_id",
  "svc.outcome",
  "svc.request_id"
])

/** Maximum length of an attribute, in characters. */
const maxLength = 2_000

/** The kind of an error, which callers cannot influence. */
const kindOf = (error: unknown): string => {
  if (error instanceof Failure) return error.code
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string")
    return error._tag
  return error instanceof Error ? error.constructor.name : "unknown"
}

const redactedExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return exit
  const redacted = new Error(kindOf(Cause.squash(exit.cause)))
  redacted.stack = redacted.message
  return Exit.fail(redacted)
}

/** Whether a span without a parent starts a trace: a request, a command, or a job of the worker, but not its polling. */
const startsTrace = (name: string, kind: Tracer.SpanKind) => kind === "server" || /^(?:command|work) /.test(name)

/** Wraps a tracer. */
export const redactingTracer = (inner: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isSampled = Option.isSome(options.parent) || startsTrace(options.name, options.kind)
      const span = inner.span({ ...options, links: [], sampled: options.sampled && isSampled })
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!allowed.has(key)) return
          attribute(key, typeof value === "string" ? value.slice(0, maxLength).replaceAll(/\s+/g, " ").trim() : value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, redactedExit(exit)),
        event: () => undefined,
        addLinks: () => undefined
      })
    }
  })

/** How long the endpoint may take for a batch, in milliseconds. */
const exportTimeout = 5_000

/** How long shutdown waits for the last batch. */
const shutdownTimeout = "1 second"

const traceInterval = "2 seconds"
const metricInterval = "15 seconds"

const fetchWithTimeout: typeof globalThis.fetch = (input, init) => {
  const signals = [AbortSignal.timeout(exportTimeout), ...(init?.signal ? [init.signal] : [])]
  return globalThis.fetch(input, { ...init, signal: AbortSignal.any(signals) })
}

/** A client that logs an unreachable endpoint once, until it responds again. */
const client = ({ label }: OtlpTarget) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (inner) => {
      let isDown = false
      const warn = Effect.suspend(() => {
        if (isDown) return Effect.void
        isDown = true
        return Effect.logWarning("Telemetry cannot be exported; data is lost until the endpoint responds", {
          endpoint: label
        })
      })
      return inner.pipe(
        HttpClient.filterStatusOk,
        HttpClient.tapError(() => warn),
        HttpClient.tap(() =>
          Effect.sync(() => {
            isDown = false
          })
        )
      )
    })
  ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetchWithTimeout)))

/** Exports until the layer closes. Never fails. */
export const layer = (target: OtlpTarget): Layer.Layer<never> => {
  const { authorization, url } = target
  const common = {
    resource: {
      serviceName: "svc",
      serviceVersion: version,
      attributes: { "service.instance.id": randomUUID() }
    },
    ...(authorization === undefined ? {} : { headers: { authorization: Redacted.value(authorization) } }),
    shutdownTimeout
  } as const
  const traces = OtlpTracer.make({ ...common, url: `${url}/v1/traces`, exportInterval: traceInterval })
  const metrics = OtlpMetrics.layer({ ...common, url: `${url}/v1/metrics`, exportInterval: metricInterval })
  return Layer.merge(
    Layer.effect(Tracer.Tracer, Effect.map(traces, redactingTracer)),
    Layer.effectDiscard(Layer.build(metrics))
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, client(target)]))
}
