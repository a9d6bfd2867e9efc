/** `svc logs tail`: follows the commands that the organization runs. */
import type { Failure } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { commandRequest } from "../commandRequest.ts"
import { type CliExit, out } from "../Output.ts"
import { patientTarget } from "../patientTarget.ts"
import { dataOf, objectsOf, type Target } from "../Target.ts"
import { cellOf, paint, stdoutSurface } from "../table.ts"
import { colorIn } from "../view/values.ts"
import { baseUrl, json, toggle } from "./flags.ts"
import { printReply } from "./printReply.ts"
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

const follow = Effect.fnUntraced(function* (
  service: Target,
  { json: asJson, once }: { readonly json: boolean; readonly once: boolean }
): Effect.fn.Return<void, CliExit | Failure> {
  const target = patientTarget(service, () => Effect.void)
  let last = 0
  for (;;) {
    const fresh: Array<Row> = []
    let cursor: unknown
    do {
      const input = { limit: last === 0 ? lastShown : pageSize, ...(typeof cursor === "string" ? { cursor } : {}) }
      const reply = yield* target.send(commandRequest("audit.list", JSON.stringify(input)))
      if (reply.status >= 400) return yield* printReply(reply, asJson)
      const entries = objectsOf(dataOf(reply)["entries"])
      const known = entries.findIndex((entry) => sequenceOf(entry) <= last)
      fresh.push(...(known === -1 ? entries : entries.slice(0, known)))
      // The newest come first: pages are read until one that was printed.
      cursor = known === -1 && last > 0 ? dataOf(reply)["next_cursor"] : undefined
    } while (typeof cursor === "string")
    for (const entry of fresh.toReversed()) yield* print(entry, asJson)
    last = Math.max(last, ...fresh.map(sequenceOf))
    if (once) return
    yield* Effect.sleep(pause)
  }
})

const tail = Command.make(
  "tail",
  { once: toggle("once", "Print the latest ten and exit"), baseUrl, json },
  ({ once, ...common }) => withTarget(common, (target) => follow(target, { json: common.json, once }))
).pipe(
  Command.withDescription(
    "Follow what the organization's keys run, with the outcome, until Ctrl-C; with --json one JSON line each"
  ),
  Command.withShortDescription("Follow what runs"),
  Command.withExamples([{ command: "svc logs tail", description: "Runs as they happen" }])
)

/** `svc logs`. */
export const logs = Command.make("logs").pipe(
  Command.withDescription("Follow the runs of commands"),
  Command.withSubcommands([tail])
)
