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
import * as Option from "effect/Option"
import { openGet } from "./Route.ts"

/** A metric and its values. */
interface Gauge {
  readonly name: string
  readonly description: string
  readonly kind: "gauge" | "counter"
  readonly values: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>
}

const gauge = (name: string, description: string, values: Gauge["values"]): Gauge => ({
  name,
  description,
  kind: "gauge",
  values
})

/** A metric with one value. */
const single = (name: string, description: string, value: number): Gauge =>
  gauge(name, description, [{ labels: {}, value }])

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
    single("process_resident_memory_bytes", "Resident memory of the process", rss),
    single("nodejs_heap_size_total_bytes", "Heap allocated", heapTotal),
    single("nodejs_heap_size_used_bytes", "Heap used", heapUsed),
    single("nodejs_external_memory_bytes", "Memory outside the heap", external + arrayBuffers),
    { ...single("process_cpu_seconds_total", "CPU time", (system + user) / 1e6), kind: "counter" },
    single("process_uptime_seconds", "Uptime of the process", process.uptime()),
    single("nodejs_eventloop_lag_mean_seconds", "Mean event loop delay since the last scrape", mean),
    single("nodejs_eventloop_lag_p99_seconds", "99th percentile of the event loop delay", p99),
    single("nodejs_eventloop_lag_max_seconds", "Maximum event loop delay since the last scrape", max)
  ]
}

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const backlogGauges = (read: BacklogSnapshot | undefined): ReadonlyArray<Gauge> => {
  const up = single("svc_database_up", "1 if the database responded", read === undefined ? 0 : 1)
  if (read === undefined) return [up]
  const countOf = (queue: BacklogQueue, state: string) =>
    read.waiting.find((one) => one.queue === queue && one.state === state)?.count ?? 0
  return [
    up,
    gauge(
      "svc_backlog",
      "Pending work in the database, by queue and state, over all processes",
      queues.flatMap((queue) =>
        backlogStates[queue].map((state) => ({ labels: { queue, state }, value: countOf(queue, state) }))
      )
    ),
    gauge(
      "svc_database_connections",
      "Database connections of all processes of the service, by state",
      read.connections.map(({ count, state }) => ({ labels: { state }, value: count }))
    )
  ]
}

const lineOf = (name: string, labels: Readonly<Record<string, string>>, value: number): string => {
  const shown = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
  return `${name}${shown.length === 0 ? "" : `{${shown.join(",")}}`} ${value}`
}

const textOf = ({ description, kind, name, values }: Gauge): string =>
  [
    `# HELP ${name} ${description}`,
    `# TYPE ${name} ${kind}`,
    ...values.map(({ labels, value }) => lineOf(name, labels, value)),
    ""
  ].join("\n")

/** How long the database may take. */
const readTimeout = "2 seconds"

/** How long its result is reused. */
const cacheTime = "5 seconds"

const build = (version: string): Gauge =>
  gauge("svc_build_info", "Version of the running build", [
    { labels: { version, node: process.versions.node }, value: 1 }
  ])

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
      single("svc_sending_held", "1 while nothing is sent; /readyz says why", (yield* sending.current).hold ? 1 : 0),
      single("svc_database_pool_connections", "Maximum connections of this process", poolSize),
      ...processGauges(delay)
    ]
    return HttpServerResponse.text(`${counted}${now.map(textOf).join("")}`, {
      contentType: "text/plain; version=0.0.4; charset=utf-8"
    })
  })
  return { ...openGet("/metrics", handle), isAdmin: true }
})
