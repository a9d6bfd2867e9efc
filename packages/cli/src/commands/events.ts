/** `svc events tail` follows the event feed, and `svc logs tail` what the organization's keys run. */

import { type Failure, Unavailable } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { targetWithFlags } from "../cliTerms.ts"
import { invalid, type Json, note, out, Refused } from "../Output.ts"
import { callCommand, getData, objectsOf, patientTarget, queryOf, type Target } from "../Target.ts"
import { cellOf, paint, stdoutSurface } from "../table.ts"
import { colorIn } from "../view/columns.ts"
import { baseUrl, json, optionalInt, optionalText, toggle, eventTypes as types } from "./flags.ts"
import { withTarget } from "./runCommand.ts"

const pause = "1 second"
/** Waited before {@link pause}. */
const pauseAfterError = "2 seconds"
/** Number of latest events shown first, without --after. */
const lastShown = 10

/** A sequence number after every event. */
const afterAll = 999_999_999_999_999

/** An event on one line, without its data. */
export const eventLine = (event: unknown): string => {
  const { created_at, sequence, subject, type } = Object(event)
  return `${sequence}  ${created_at}  ${type}  ${subject?.type} ${subject?.id}`
}

const print = (event: Json, asJson: boolean): Effect.Effect<void> => {
  if (asJson) return out(JSON.stringify(event))
  const facts = JSON.stringify(event["data"])
  return out(`${eventLine(event)}${facts === "{}" ? "" : `  ${facts}`}`)
}

/** Errors that are retried while following. */
const isTemporary = ({ entry }: Failure): boolean => entry.status === 429 || entry.status >= 500

const flags = {
  types,
  after: optionalInt("after", "Sequence number to start after, 0 for the beginning; default the latest ten"),
  once: toggle("once", "Print existing events and exit"),
  baseUrl,
  json
}

type Options = Command.Command.Config.Infer<typeof flags>

/** Prints the latest events, oldest first, and returns the sequence number to continue after. */
const latest = Effect.fnUntraced(function* (target: Target, { json: asJson, types }: Options) {
  const { resource } = yield* getData(target, "/api/v1/resources/read?uri=svc://events/recent")
  const events = objectsOf(Object(resource).payload?.events)
  const wanted = types?.split(",").map((type) => type.trim())
  const shown = events.filter(({ type }) => wanted === undefined || wanted.includes(String(type))).slice(0, lastShown)
  for (const event of shown.toReversed()) yield* print(event, asJson)
  return Number(events[0]?.["sequence"] ?? 0)
})

const follow = Effect.fnUntraced(function* (target: Target, options: Options) {
  const { json: asJson, once, types } = options
  const page = (after: number) => getData(target, `/api/v1/events${queryOf({ after, limit: 100, types })}`)
  // Rejects invalid types before anything is printed.
  yield* page(options.after ?? afterAll)
  let after = options.after ?? (yield* latest(target, options))
  for (;;) {
    const found = yield* Effect.catch(page(after), (failure) => {
      if (once || !isTemporary(failure)) return Effect.fail(failure)
      const told = failure instanceof Refused ? Effect.void : note(`svc: ${failure.message}`)
      return Effect.as(Effect.andThen(told, Effect.sleep(pauseAfterError)), { next: after })
    })
    const { events, next } = Object(found)
    if (!Number.isSafeInteger(next))
      return yield* new Unavailable({ message: "The service has no event feed. Update it." })
    for (const event of objectsOf(events)) yield* print(event, asJson)
    if (next > after) {
      after = next
      continue
    }
    if (once) return
    yield* Effect.sleep(pause)
  }
})

const fieldFlags = ["types", "after"].map((name) => ({ name, flag: name }))

/** `svc events tail`. */
export const tail = Command.make("tail", flags, (options) =>
  withTarget(options, (target) => follow(targetWithFlags(target, fieldFlags), options))
).pipe(
  Command.withDescription("Follow events, one per line, until Ctrl-C; with --json one JSON line each"),
  Command.withShortDescription("Follow events until Ctrl-C"),
  Command.withExamples([
    {
      command: "svc events tail --types lead.replied,draft.approved",
      description: "Replies and approvals as they happen"
    }
  ])
)

const pageSize = 100

const sequenceOf = ({ sequence }: Json): number => Number(sequence)

const printRun = (entry: Json, asJson: boolean): Effect.Effect<void> => {
  if (asJson) return out(JSON.stringify(entry))
  const { actor, command_id, created_at, outcome, subject } = Object(entry)
  const { color = false, width } = stdoutSurface()
  const state = paint(width === undefined ? undefined : colorIn("outcome", outcome), cellOf(outcome), { color })
  const who = [actor?.kind, subject?.id].filter((part) => typeof part === "string").join("  ")
  return out(`${cellOf(created_at)}  ${cellOf(command_id)}  ${state}  ${cellOf(who)}`)
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, or how long ago, as an ISO 8601 time. Fails with INVALID_INPUT. */
const sinceOf = (given: string, now: number): Effect.Effect<string, Failure> => {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(given) ?? []
  const at = count === undefined ? Date.parse(given) : now - Number(count) * (units[unit] ?? 0)
  return Number.isNaN(at)
    ? invalid("--since must be a time such as 2026-11-23T09:00:00Z, or an age such as 30m, 2h or 1d.")
    : Effect.succeed(new Date(at).toISOString())
}

const followRuns = Effect.fnUntraced(function* (
  service: Target,
  filters: Readonly<Record<"after" | "command_id" | "key_id" | "outcome", string | undefined>>,
  { json: asJson, once }: { readonly json: boolean; readonly once: boolean }
) {
  const target = patientTarget(service, () => Effect.void)
  let last = 0
  for (;;) {
    const isLatest = last === 0 && filters.after === undefined
    const fresh: Array<Json> = []
    let cursor: unknown
    do {
      const limit = isLatest ? lastShown : pageSize
      const input = { ...filters, limit, ...(typeof cursor === "string" ? { cursor } : {}) }
      const data = yield* callCommand(target, "audit.list", input)
      const entries = objectsOf(data["entries"])
      const known = entries.findIndex((entry) => sequenceOf(entry) <= last)
      fresh.push(...(known === -1 ? entries : entries.slice(0, known)))
      // The newest come first: pages are read until one that was printed.
      cursor = known === -1 && !isLatest ? data["next_cursor"] : undefined
    } while (typeof cursor === "string")
    for (const entry of fresh.toReversed()) yield* printRun(entry, asJson)
    const [newest] = fresh
    if (newest !== undefined) last = sequenceOf(newest)
    if (once) return
    yield* Effect.sleep(pause)
  }
})

const tailRuns = Command.make(
  "tail",
  {
    command_id: optionalText("command", "Only runs of this command, such as lead.erase"),
    outcome: optionalText("status", "Only runs that ended like this: ok, approval_required or an error code"),
    key_id: optionalText("key", "Only runs with this key, by its id"),
    since: optionalText("since", "All runs since a time, or an age such as 30m, 2h or 1d; default the latest ten"),
    once: toggle("once", "Print what there is and exit"),
    baseUrl,
    json
  },
  ({ baseUrl, json, once, since, ...filters }) =>
    withTarget({ baseUrl }, function* (target) {
      const after = since === undefined ? undefined : yield* sinceOf(since, yield* Clock.currentTimeMillis)
      yield* followRuns(target, { ...filters, after }, { json, once })
    })
).pipe(
  Command.withDescription(
    "Follow what the organization's keys run, with the outcome, until Ctrl-C; with --json one JSON line each"
  ),
  Command.withShortDescription("Follow the runs of commands"),
  Command.withExamples([
    { command: "svc logs tail", description: "Runs as they happen" },
    { command: "svc logs tail --status FORBIDDEN_SCOPE --since 1d --once", description: "Runs refused in the last day" }
  ])
)

/** `svc logs`. */
export const logs = Command.make("logs").pipe(
  Command.withDescription("Follow the runs of commands"),
  Command.withSubcommands([tailRuns])
)
