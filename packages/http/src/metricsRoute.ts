/**
 * `/metrics`: what the process counted, what waits in the database, and how the process is, as Prometheus text.
 *
 * It needs no key, like `/readyz`, and holds numbers only: no id, organization or text. The database is asked at most
 * once in five seconds, however often it is scraped, and a database that does not answer is a figure, not an error.
 * Source: contract 2.
 */
import { Backlog, type BacklogQueue, type BacklogRead, backlogStates } from "@svc/core/status/Backlog"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Gauge, single, watchProcess } from "./ProcessGauges.ts"
import type { Route } from "./Route.ts"

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const backlogGauges = (read: BacklogRead | undefined): ReadonlyArray<Gauge> => {
  const up = single("svc_database_up", "1 when the database answered", read === undefined ? 0 : 1)
  if (read === undefined) return [up]
  const countOf = (queue: BacklogQueue, state: string) =>
    read.waiting.find((one) => one.queue === queue && one.state === state)?.count ?? 0
  return [
    up,
    {
      name: "svc_backlog",
      description: "What waits to be done in the database, by queue and state, over all processes",
      kind: "gauge",
      values: queues.flatMap((queue) =>
        backlogStates[queue].map((state) => ({ labels: { queue, state }, value: countOf(queue, state) }))
      )
    },
    {
      name: "svc_database_connections",
      description: "Connections of all processes of the service to the database, by state",
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

/** How long the database may take to say what waits. */
const patience = "2 seconds"

/** How long its answer is kept. */
const freshness = "5 seconds"

/** The figure that names the build. */
const build = (version: string): Gauge => ({
  name: "svc_build_info",
  description: "The build that answers",
  kind: "gauge",
  values: [{ labels: { version, node: process.versions.node }, value: 1 }]
})

/** The route. It watches the process as long as the scope lives. */
export const metricsRoute = (version: string, poolSize: number): Effect.Effect<Route, never, Backlog | Scope.Scope> =>
  Effect.gen(function* () {
    const backlog = yield* Backlog
    const gauges = yield* Effect.acquireRelease(Effect.sync(watchProcess), ({ stop }) => Effect.sync(stop))
    const read = yield* Effect.cachedWithTTL(
      backlog.read.pipe(
        Effect.timeoutOption(patience),
        Effect.map(Option.getOrUndefined),
        Effect.catch(() => Effect.succeed(undefined))
      ),
      freshness
    )
    const handle = Effect.fnUntraced(function* () {
      const { format } = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
      const counted = yield* format()
      const now = [
        build(version),
        ...backlogGauges(yield* read),
        single("svc_database_pool_connections", "Most connections that this process opens", poolSize),
        ...gauges.read()
      ]
      return HttpServerResponse.text(`${counted}${now.map(textOf).join("")}`, {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })
    return { method: "GET", path: "/metrics", access: "open", handle }
  })
