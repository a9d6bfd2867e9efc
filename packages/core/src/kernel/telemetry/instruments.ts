/** All metrics of the service, as shown at `/metrics`. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { counter, durations } from "./Meter.ts"

const commands = counter("svc_commands_total", "Command runs by outcome: ok, or the error code", ["command", "outcome"])

const commandSeconds = durations("svc_command_duration_seconds", "Duration of command runs", ["command"])

/** Counts a run of a command. `outcome` is `ok` or an error code; `command` an id of the catalogue, or `unknown`. */
export const countCommand = (
  context: Context.Context<never>,
  command: string,
  outcome: string,
  seconds: number
): void => {
  commands.now(context, { command, outcome }, 1)
  commandSeconds.now(context, { command }, seconds)
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
  requests.now(context, { method, route, status: String(status) }, 1)
  requestSeconds.now(context, { method, route }, seconds)
}

const sends = counter("svc_linkedin_sends_total", "Messages passed to the LinkedIn gateway, by outcome", ["outcome"])

/** Counts an attempt to send a message. */
export const countMessageSend = (outcome: string): Effect.Effect<void> => sends({ outcome }, 1)

const emails = counter("svc_email_sends_total", "Emails passed to the gateway, by outcome", ["outcome"])

/** Counts an attempt to send an e-mail. */
export const countEmailSend = (outcome: string): Effect.Effect<void> => emails({ outcome }, 1)

const deliveries = counter("svc_webhook_deliveries_total", "Webhook requests: delivered, retried or failed", [
  "outcome"
])

/** Counts a request to a webhook. */
export const countDelivery = (outcome: string): Effect.Effect<void> => deliveries({ outcome }, 1)

const sealedRows = counter("svc_audit_sealed_rows_total", "Audit rows sealed by this process", [])

/** Counts sealed audit rows. */
export const countSealedRows = (rows: number): Effect.Effect<void> => sealedRows({}, rows)

const databaseFailures = counter(
  "svc_database_failures_total",
  "Database errors that requests failed with, by SQLSTATE",
  ["sqlstate"]
)

/** Counts a database error. `sqlState` is `none` if the database did not respond. */
export const countDatabaseFailure = (sqlState: string): Effect.Effect<void> =>
  databaseFailures({ sqlstate: sqlState }, 1)

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
      return more > 0 ? rows({ outcome }, more) : Effect.void
    },
    { discard: true }
  )
