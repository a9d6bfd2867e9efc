/**
 * Everything that is counted while the service works, in one list: what an operator reads at `/metrics`.
 *
 * Source: contract 2 (`/metrics`) and 3 (observability).
 */
import * as Effect from "effect/Effect"
import { counter, durations } from "./Meter.ts"

const commands = counter("svc_commands_total", "Runs of commands, by what they answered: ok, or the error's code", [
  "command",
  "outcome"
])

const commandSeconds = durations("svc_command_duration_seconds", "How long runs of commands took", ["command"])

/** A run of a command has ended. `outcome` is `ok` or an error code; `command` an id of the catalogue, or `unknown`. */
export const commandEnded = (command: string, outcome: string, seconds: number): Effect.Effect<void> =>
  Effect.andThen(commands({ command, outcome }, 1), commandSeconds({ command }, seconds))

const requests = counter("svc_http_requests_total", "HTTP requests answered", ["method", "route", "status"])

const requestSeconds = durations("svc_http_request_duration_seconds", "How long HTTP requests took, to their answer", [
  "method",
  "route"
])

/** A request was answered. `route` is the pattern of its path, or `none`. */
export const requestAnswered = (method: string, route: string, status: number, seconds: number): Effect.Effect<void> =>
  Effect.andThen(requests({ method, route, status: String(status) }, 1), requestSeconds({ method, route }, seconds))

const sends = counter("svc_linkedin_sends_total", "Messages handed to the LinkedIn gateway, by what became of them", [
  "outcome"
])

/** The gateway said, or did not say, what became of a message. */
export const messageHandedOver = (outcome: string): Effect.Effect<void> => sends({ outcome }, 1)

const emails = counter("svc_email_sends_total", "E-mails handed over, by what became of them", ["outcome"])

/** The e-mail gateway said, or did not say, what became of an e-mail. */
export const emailHandedOver = (outcome: string): Effect.Effect<void> => emails({ outcome }, 1)

const deliveries = counter("svc_webhook_deliveries_total", "Requests to webhooks: delivered, retried or failed", [
  "outcome"
])

/** A webhook's receiver was asked to take a delivery. */
export const deliveryTried = (outcome: string): Effect.Effect<void> => deliveries({ outcome }, 1)

const rows = counter("svc_import_rows_total", "Rows of imports, by what became of them", ["outcome"])

/** Rows of an import were stored: how many of each outcome there are now, and were before. */
export const rowsImported = (
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
