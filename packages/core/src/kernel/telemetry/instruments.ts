/** All metrics of the service, as shown at `/metrics`. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

// Counters and histograms with labels, in Effect's metric registry, which `/metrics` and the telemetry export read.
//
// Every label has a small, known set of values: route patterns, command ids, codes. Never an id, an organization or a
// text, which would create unlimited series and expose personal data.

/** The series of some label values. */
type Meter<Label extends string> = (labels: Readonly<Record<Label, string>>) => Metric.Metric<number, unknown>

/** A meter that keeps one metric for each combination of label values. */
const metered = <Label extends string>(
  labels: ReadonlyArray<Label>,
  make: (attributes: Readonly<Record<string, string>>) => Metric.Metric<number, unknown>
): Meter<Label> => {
  const series = new Map<string, Metric.Metric<number, unknown>>()
  return (values) => {
    const key = labels.map((label) => values[label]).join("\n")
    const known = series.get(key)
    if (known !== undefined) return known
    const made = make(Object.fromEntries(labels.map((label) => [label, values[label]])))
    series.set(key, made)
    return made
  }
}

/** A counter. Its name ends with `_total`. */
const counter = <Label extends string>(
  name: `${string}_total`,
  description: string,
  labels: ReadonlyArray<Label>
): Meter<Label> => metered(labels, (attributes) => Metric.counter(name, { description, attributes, incremental: true }))

/** Histogram bounds in seconds, from a fast in-process command to a timeout. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A histogram of durations in seconds. Its name ends with `_seconds`. */
const durations = <Label extends string>(
  name: `${string}_seconds`,
  description: string,
  labels: ReadonlyArray<Label>
): Meter<Label> => metered(labels, (attributes) => Metric.histogram(name, { description, attributes, boundaries }))

const commands = counter("svc_commands_total", "Command runs by outcome: ok, or the error code", ["command", "outcome"])

const commandSeconds = durations("svc_command_duration_seconds", "Duration of command runs", ["command"])

/** Counts a run of a command. `outcome` is `ok` or an error code; `command` an id of the catalogue, or `unknown`. */
export const countCommand = (
  context: Context.Context<never>,
  command: string,
  outcome: string,
  seconds: number
): void => {
  commands({ command, outcome }).updateUnsafe(1, context)
  commandSeconds({ command }).updateUnsafe(seconds, context)
}

const requests = counter("svc_http_requests_total", "HTTP requests by response", ["method", "route", "status"])

const requestSeconds = durations("svc_http_request_duration_seconds", "Duration of HTTP requests until the response", [
  "method",
  "route"
])

/** Counts an HTTP request. `route` is the pattern of its path, or `none`. */
export const countRequest = (
  context: Context.Context<never>,
  method: string,
  route: string,
  status: number,
  seconds: number
): void => {
  requests({ method, route, status: String(status) }).updateUnsafe(1, context)
  requestSeconds({ method, route }).updateUnsafe(seconds, context)
}

const sends = counter("svc_linkedin_sends_total", "Messages passed to the LinkedIn gateway, by outcome", ["outcome"])

/** Counts an attempt to send a message. */
export const countMessageSend = (outcome: string): Effect.Effect<void> => Metric.update(sends({ outcome }), 1)

const emails = counter("svc_email_sends_total", "Emails passed to the gateway, by outcome", ["outcome"])

/** Counts an attempt to send an e-mail. */
export const countEmailSend = (outcome: string): Effect.Effect<void> => Metric.update(emails({ outcome }), 1)

const deliveries = counter("svc_webhook_deliveries_total", "Webhook requests: delivered, retried or failed", [
  "outcome"
])

/** Counts a request to a webhook. */
export const countDelivery = (outcome: string): Effect.Effect<void> => Metric.update(deliveries({ outcome }), 1)

const sealedRows = counter("svc_audit_sealed_rows_total", "Audit rows sealed by this process", [])

/** Counts sealed audit rows. */
export const countSealedRows = (rows: number): Effect.Effect<void> => Metric.update(sealedRows({}), rows)

const databaseFailures = counter(
  "svc_database_failures_total",
  "Database errors that requests failed with, by SQLSTATE",
  ["sqlstate"]
)

/** Counts a database error. `sqlState` is `none` if the database did not respond. */
export const countDatabaseFailure = (sqlState: string): Effect.Effect<void> =>
  Metric.update(databaseFailures({ sqlstate: sqlState }), 1)

const databaseWaits = durations(
  "svc_database_wait_seconds",
  "Waits for a database connection: all are in use (pool), or those that one organization may have are (share)",
  ["limit"]
)

/** Counts a wait for a connection, however it ends. */
export const countDatabaseWait = (limit: "pool" | "share", waiting: Effect.Effect<void>): Effect.Effect<void> => {
  const began = performance.now()
  const counted = Effect.suspend(() => Metric.update(databaseWaits({ limit }), (performance.now() - began) / 1_000))
  return Effect.ensuring(waiting, counted)
}

const rows = counter("svc_import_rows_total", "Import rows, by outcome", ["outcome"])

/** Counts the rows of an import by outcome, from the totals now and before. */
export const countImportRows = (
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>
): Effect.Effect<void> =>
  Effect.forEach(
    Object.entries(now),
    ([outcome, count]) => {
      const more = count - (before[outcome] ?? 0)
      return more > 0 ? Metric.update(rows({ outcome }), more) : Effect.void
    },
    { discard: true }
  )
