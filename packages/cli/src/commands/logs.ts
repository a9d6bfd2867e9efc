/** `svc logs tail`: follows the commands that the organization runs. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commandRequest } from "../callCommand.ts"
import { out } from "../Output.ts"
import { patientTarget } from "../patientTarget.ts"
import { dataOf, objectsOf, type Target } from "../Target.ts"
import { cellOf, paint, stdoutSurface } from "../table.ts"
import { colorIn } from "../view/values.ts"
import { baseUrl, json, optionalText, toggle } from "./flags.ts"
import { printReply } from "./runCommand.ts"
import { withTarget } from "./withTarget.ts"

type Row = Readonly<Record<string, unknown>>

const pause = "1 second"
const lastShown = 10
const pageSize = 100

const sequenceOf = ({ sequence }: Row): number => Number(sequence)

const print = (entry: Row, asJson: boolean): Effect.Effect<void> => {
  if (asJson) return out(JSON.stringify(entry))
  const { actor, command_id, created_at, outcome, subject } = Object(entry)
  const { color = false, width } = stdoutSurface()
  const state = paint(width === undefined ? undefined : colorIn("outcome", outcome), cellOf(outcome), { color })
  const who = [actor?.kind, subject?.id].filter((part) => typeof part === "string").join("  ")
  return out(`${cellOf(created_at)}  ${cellOf(command_id)}  ${state}  ${cellOf(who)}`)
}

/** What is shown. `since` is an ISO 8601 time; `key` is the id of a key. */
interface Wanted {
  readonly command: string | undefined
  readonly status: string | undefined
  readonly key: string | undefined
  readonly since: string | undefined
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, or how long ago, as an ISO 8601 time. Fails with INVALID_INPUT. */
const sinceOf = (given: string, now: number): Effect.Effect<string, Failure> => {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(given) ?? []
  const at = count === undefined ? Date.parse(given) : now - Number(count) * (units[unit] ?? 0)
  return Number.isNaN(at)
    ? Effect.fail(
        new InvalidInput({
          message: "--since must be a time such as 2026-11-23T09:00:00Z, or an age such as 30m, 2h or 1d."
        })
      )
    : Effect.succeed(new Date(at).toISOString())
}

const follow = Effect.fnUntraced(function* (
  service: Target,
  { command, key, since, status }: Wanted,
  { json: asJson, once }: { readonly json: boolean; readonly once: boolean }
) {
  const target = patientTarget(service, () => Effect.void)
  const filters = {
    ...(command === undefined ? {} : { command_id: command }),
    ...(status === undefined ? {} : { outcome: status }),
    ...(key === undefined ? {} : { key_id: key }),
    ...(since === undefined ? {} : { after: since })
  }
  let last = 0
  for (;;) {
    const isLatest = last === 0 && since === undefined
    const fresh: Array<Row> = []
    let cursor: unknown
    do {
      const limit = isLatest ? lastShown : pageSize
      const input = { ...filters, limit, ...(typeof cursor === "string" ? { cursor } : {}) }
      const reply = yield* target.send(commandRequest("audit.list", JSON.stringify(input)))
      if (reply.status >= 400) return yield* printReply(reply, asJson)
      const entries = objectsOf(dataOf(reply)["entries"])
      const known = entries.findIndex((entry) => sequenceOf(entry) <= last)
      fresh.push(...(known === -1 ? entries : entries.slice(0, known)))
      // The newest come first: pages are read until one that was printed.
      cursor = known === -1 && !isLatest ? dataOf(reply)["next_cursor"] : undefined
    } while (typeof cursor === "string")
    for (const entry of fresh.toReversed()) yield* print(entry, asJson)
    const [newest] = fresh
    if (newest !== undefined) last = sequenceOf(newest)
    if (once) return
    yield* Effect.sleep(pause)
  }
})

const tail = Command.make(
  "tail",
  {
    command: optionalText("command", "Only runs of this command, such as lead.erase"),
    status: optionalText("status", "Only runs that ended like this: ok, approval_required or an error code"),
    key: optionalText("key", "Only runs with this key, by its id"),
    since: optionalText("since", "All runs since a time, or an age such as 30m, 2h or 1d; default the latest ten"),
    once: toggle("once", "Print what there is and exit"),
    baseUrl,
    json
  },
  ({ command, key, once, since, status, ...common }) =>
    withTarget(common, (target) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const wanted = {
          command: Option.getOrUndefined(command),
          status: Option.getOrUndefined(status),
          key: Option.getOrUndefined(key),
          since: Option.isSome(since) ? yield* sinceOf(since.value, now) : undefined
        }
        yield* follow(target, wanted, { json: common.json, once })
      })
    )
).pipe(
  Command.withDescription(
    "Follow what the organization's keys run, with the outcome, until Ctrl-C; with --json one JSON line each"
  ),
  Command.withShortDescription("Follow what runs"),
  Command.withExamples([
    { command: "svc logs tail", description: "Runs as they happen" },
    { command: "svc logs tail --status FORBIDDEN_SCOPE --since 1d --once", description: "What was refused today" }
  ])
)

/** `svc logs`. */
export const logs = Command.make("logs").pipe(
  Command.withDescription("Follow the runs of commands"),
  Command.withSubcommands([tail])
)
