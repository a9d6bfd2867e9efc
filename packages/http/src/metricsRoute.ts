/**
 * `/metrics`: counters, pending work in the database, and metrics of the process, as Prometheus text.
 *
 * It needs no key, like `/readyz`, and holds numbers only: no id, organization or text. The database is read at most once
 * in five seconds; one that does not respond is a metric, not an error.
 */

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import { SendingHold } from "@svc/core/outreach"
import { type BacklogQueue, type BacklogSnapshot, backlogStates, ReportsRepo } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { openRoute } from "./Route.ts"

/** Sets a value of a metric. */
type Gauge = Effect.Effect<void>

const gauge = (name: string, description: string, value: number, attributes: Metric.Metric.AttributeSet = {}): Gauge =>
  Metric.update(Metric.gauge(name, { description, attributes }), value)

/** Sampling interval of the event loop, in milliseconds. Measured delays include it. */
const resolution = 20

/** Watches the event loop until the scope closes. */
const watchedDelay = Effect.acquireRelease(
  Effect.sync(() => {
    const delay = monitorEventLoopDelay({ resolution })
    delay.enable()
    return delay
  }),
  (delay) => Effect.sync(() => delay.disable())
)

/** The metrics of the process. Event loop delays are those since the last read. */
const processGauges = (delay: IntervalHistogram): ReadonlyArray<Gauge> => {
  const { arrayBuffers, external, heapTotal, heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  const seconds = (nanos: number) => (delay.count > 0 ? Math.max(0, nanos / 1e9 - resolution / 1e3) : 0)
  const mean = seconds(delay.mean)
  const p99 = seconds(delay.percentile(99))
  const max = seconds(delay.max)
  delay.reset()
  return [
    gauge("process_resident_memory_bytes", "Resident memory of the process", rss),
    gauge("nodejs_heap_size_total_bytes", "Heap allocated", heapTotal),
    gauge("nodejs_heap_size_used_bytes", "Heap used", heapUsed),
    gauge("nodejs_external_memory_bytes", "Memory outside the heap", external + arrayBuffers),
    Metric.update(Metric.counter("process_cpu_seconds_total", { description: "CPU time" }), (system + user) / 1e6),
    gauge("process_uptime_seconds", "Uptime of the process", process.uptime()),
    gauge("nodejs_eventloop_lag_mean_seconds", "Mean event loop delay since the last scrape", mean),
    gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of the event loop delay", p99),
    gauge("nodejs_eventloop_lag_max_seconds", "Maximum event loop delay since the last scrape", max)
  ]
}

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const backlogGauges = (read: BacklogSnapshot | undefined): ReadonlyArray<Gauge> => {
  const up = gauge("svc_database_up", "1 if the database responded", read === undefined ? 0 : 1)
  if (read === undefined) return [up]
  const countOf = (queue: BacklogQueue, state: string) =>
    read.waiting.find((one) => one.queue === queue && one.state === state)?.count ?? 0
  const pending = "Pending work in the database, by queue and state, over all processes"
  const connections = "Database connections of all processes of the service, by state"
  return [
    up,
    ...queues.flatMap((queue) =>
      backlogStates[queue].map((state) => gauge("svc_backlog", pending, countOf(queue, state), { queue, state }))
    ),
    ...read.connections.map(({ count, state }) => gauge("svc_database_connections", connections, count, { state }))
  ]
}

/** How long the database may take. */
const readTimeout = "2 seconds"

/** How long its result is reused. */
const cacheTime = "5 seconds"

const build = (version: string): Gauge =>
  gauge("svc_build_info", "Version of the running build", 1, { version, node: process.versions.node })

/** The route. It watches the process until the scope closes. */
export const metricsRoute = Effect.fnUntraced(function* (version: string, poolSize: number) {
  const reports = yield* ReportsRepo
  const sending = yield* SendingHold
  const delay = yield* watchedDelay
  const read = yield* Effect.cachedWithTTL(
    reports.backlog.pipe(
      Effect.timeoutOption(readTimeout),
      Effect.map(Option.getOrUndefined),
      Effect.catch(() => Effect.succeed(undefined))
    ),
    cacheTime
  )
  const handle = Effect.fnUntraced(function* () {
    const { format } = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
    const counted = yield* format()
    const now = [
      build(version),
      ...backlogGauges(yield* read),
      gauge("svc_sending_held", "1 while nothing is sent; /readyz says why", (yield* sending.current).hold ? 1 : 0),
      gauge("svc_database_pool_connections", "Maximum connections of this process", poolSize),
      ...processGauges(delay)
    ]
    // In a registry of their own, so that what is not there now is not shown.
    const set = Effect.andThen(Effect.all(now, { discard: true }), format())
    const shown = yield* Effect.provideService(set, Metric.MetricRegistry, new Map())
    return HttpServerResponse.text(`${counted}${shown}`, {
      contentType: "text/plain; version=0.0.4; charset=utf-8"
    })
  })
  return { ...openRoute("GET", "/metrics", handle), isAdmin: true }
})
