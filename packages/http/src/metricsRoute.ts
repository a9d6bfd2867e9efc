/**
 * `/metrics`: counters, pending work in the database, and metrics of the process, as Prometheus text.
 *
 * It needs no key, like `/readyz`, and holds numbers only: no id, organization or text. The database is read at most once
 * in five seconds; one that does not respond is a metric, not an error.
 */
import { SendingHold } from "@svc/core/outreach"
import { Backlog, type BacklogQueue, type BacklogSnapshot, backlogStates } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Gauge, single, watchProcess } from "./ProcessGauges.ts"
import type { Route } from "./Route.ts"

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const backlogGauges = (read: BacklogSnapshot | undefined): ReadonlyArray<Gauge> => {
  const up = single("svc_database_up", "1 if the database responded", read === undefined ? 0 : 1)
  if (read === undefined) return [up]
  const countOf = (queue: BacklogQueue, state: string) =>
    read.waiting.find((one) => one.queue === queue && one.state === state)?.count ?? 0
  return [
    up,
    {
      name: "svc_backlog",
      description: "Pending work in the database, by queue and state, over all processes",
      kind: "gauge",
      values: queues.flatMap((queue) =>
        backlogStates[queue].map((state) => ({ labels: { queue, state }, value: countOf(queue, state) }))
      )
    },
    {
      name: "svc_database_connections",
      description: "Database connections of all processes of the service, by state",
      kind: "gauge",
      values: read.connections.map(({ count, state }) => ({ labels: { state }, value: count }))
    }
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

const build = (version: string): Gauge => ({
  name: "svc_build_info",
  description: "Version of the running build",
  kind: "gauge",
  values: [{ labels: { version, node: process.versions.node }, value: 1 }]
})

/** The route. It watches the process until the scope closes. */
export const metricsRoute = (version: string, poolSize: number): Effect.Effect<Route, never, Backlog | Scope.Scope> =>
  Effect.gen(function* () {
    const backlog = yield* Backlog
    const sending = yield* SendingHold
    const gauges = yield* Effect.acquireRelease(Effect.sync(watchProcess), ({ stop }) => Effect.sync(stop))
    const read = yield* Effect.cachedWithTTL(
      backlog.read.pipe(
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
        ...gauges.read()
      ]
      return HttpServerResponse.text(`${counted}${now.map(textOf).join("")}`, {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })
    return { method: "GET", path: "/metrics", access: "open", isAdmin: true, handle }
  })
