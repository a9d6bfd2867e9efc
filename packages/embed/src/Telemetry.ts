/**
 * Traces and figures to an OTLP endpoint (`SVC_OTLP_URL`), as JSON over HTTP. Loaded only when it is set.
 *
 * Exports happen beside the work, in batches. An endpoint that is down, slow or refuses costs what was to be exported,
 * one warning in the log and nothing else. Logs stay on stderr. Source: contract 3.
 */
import { randomUUID } from "node:crypto"
import { version } from "@svc/core/Version"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { carefulTracer } from "./carefulTracer.ts"
import type { OtlpTarget } from "./OtlpTarget.ts"

/** How long the endpoint may take for a batch, in milliseconds. */
const patience = 5_000

/** How long the end of a process waits for the last batch. */
const farewell = "1 second"

/** How often traces and figures leave. */
const traceInterval = "2 seconds"
const figureInterval = "15 seconds"

/** A request that is given up after a while. */
const impatient: typeof globalThis.fetch = (input, init) => {
  const limit = AbortSignal.timeout(patience)
  const signal = init?.signal
  return globalThis.fetch(input, {
    ...init,
    signal: signal === undefined || signal === null ? limit : AbortSignal.any([signal, limit])
  })
}

/** A client that says once that the endpoint cannot be reached, and again only after it could. */
const client = ({ label }: OtlpTarget) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (inner) => {
      let isDown = false
      const warn = Effect.suspend(() => {
        if (isDown) return Effect.void
        isDown = true
        return Effect.logWarning("telemetry cannot be exported; what is measured meanwhile is lost", {
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
  ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, impatient)))

/** Exports as long as the layer lives. Never fails. */
export const layer = (target: OtlpTarget): Layer.Layer<never> => {
  const { authorization, url } = target
  const common = {
    resource: {
      serviceName: "svc",
      serviceVersion: version,
      attributes: { "service.instance.id": randomUUID() }
    },
    ...(authorization === undefined ? {} : { headers: { authorization: Redacted.value(authorization) } }),
    shutdownTimeout: farewell
  } as const
  const traces = OtlpTracer.make({ ...common, url: `${url}/v1/traces`, exportInterval: traceInterval })
  const figures = OtlpMetrics.layer({ ...common, url: `${url}/v1/metrics`, exportInterval: figureInterval })
  return Layer.merge(
    Layer.effect(Tracer.Tracer, Effect.map(traces, carefulTracer)),
    Layer.effectDiscard(Layer.build(figures))
  ).pipe(
    Layer.provide(OtlpExporter.layerFlusher),
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(client(target))
  )
}
