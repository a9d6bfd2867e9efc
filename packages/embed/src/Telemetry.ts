/**
 * Exports traces and metrics to an OTLP endpoint (`SVC_OTLP_URL`), as JSON over HTTP. Loaded only when it is set.
 *
 * Exports run in the background, in batches. While the endpoint is down, data is lost and one warning is logged.
 */
import { randomUUID } from "node:crypto"
import { version } from "@svc/core"
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
import type { OtlpTarget } from "./OtlpTarget.ts"
import { redactingTracer } from "./redactingTracer.ts"

/** How long the endpoint may take for a batch, in milliseconds. */
const exportTimeout = 5_000

/** How long shutdown waits for the last batch. */
const shutdownTimeout = "1 second"

const traceInterval = "2 seconds"
const metricInterval = "15 seconds"

const fetchWithTimeout: typeof globalThis.fetch = (input, init) => {
  const limit = AbortSignal.timeout(exportTimeout)
  const signal = init?.signal
  return globalThis.fetch(input, {
    ...init,
    signal: signal === undefined || signal === null ? limit : AbortSignal.any([signal, limit])
  })
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
  ).pipe(
    Layer.provide(OtlpExporter.layerFlusher),
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(client(target))
  )
}
