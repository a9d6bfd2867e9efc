/** `svc events tail`: follows the event feed. Source: contract 2 and 7. */
import { type Failure, fail } from "@svc/core/Failure"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CliExit, note, out } from "../Output.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { printReply } from "./answer.ts"
import { baseUrl, json, toggle } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

interface Seen {
  readonly sequence?: unknown
  readonly type?: unknown
  readonly created_at?: unknown
  readonly subject?: { readonly type?: unknown; readonly id?: unknown }
  readonly data?: unknown
}

const pause = "1 second"
const pauseAfterTrouble = "3 seconds"
/** How many events are shown before following begins, when no place to begin at was given. */
const lastShown = 10

/** A sequence number that no event has. */
const beyond = 999_999_999_999_999

const eventsOf = (list: unknown): ReadonlyArray<Seen> => (Array.isArray(list) ? list : [])

const print = (event: Seen, asJson: boolean): Effect.Effect<void> => {
  if (asJson) return out(JSON.stringify(event))
  const { created_at, data, sequence, subject, type } = event
  const facts = JSON.stringify(data)
  return out(
    `${sequence}  ${created_at}  ${type}  ${subject?.type} ${subject?.id}${facts === "{}" ? "" : `  ${facts}`}`
  )
}

/** Refusals that pass by themselves: while following, they are waited out. */
const isPassing = ({ status }: Reply): boolean => status === 429 || status >= 500

interface Options {
  readonly types: string | undefined
  readonly after: number | undefined
  readonly once: boolean
  readonly json: boolean
}

/** The latest events, oldest first, and the number to go on from. */
const latest = (target: Target, { json: asJson, types }: Options) =>
  Effect.gen(function* () {
    const reply = yield* target.ask({ method: "GET", path: "/api/v1/resources/read?uri=svc://events/recent" })
    if (reply.status >= 400) return yield* Effect.as(printReply(reply, asJson), 0)
    const events = eventsOf(Object(dataOf(reply)["resource"]).payload?.events)
    const wanted = types?.split(",").map((type) => type.trim())
    const shown = events.filter(({ type }) => wanted === undefined || wanted.includes(String(type))).slice(0, lastShown)
    for (const event of shown.toReversed()) yield* print(event, asJson)
    return Number(events[0]?.sequence ?? 0)
  })

const follow = Effect.fnUntraced(function* (
  target: Target,
  options: Options
): Effect.fn.Return<void, CliExit | Failure> {
  const { json: asJson, once, types } = options
  const page = (from: number) => {
    const query = new URLSearchParams({
      after: String(from),
      limit: "100",
      ...(types === undefined ? {} : { types })
    })
    return target.ask({ method: "GET", path: `/api/v1/events?${query}` })
  }
  // Bad types are refused before anything is printed.
  const first = yield* page(options.after ?? beyond)
  if (first.status >= 400) return yield* printReply(first, asJson)
  let after = options.after ?? (yield* latest(target, options))
  for (;;) {
    const reply = yield* Effect.catch(page(after), (failure) =>
      once ? Effect.fail(failure) : Effect.as(note(`svc: ${failure.message}`), { status: 503, body: undefined })
    )
    if (reply.status >= 400) {
      if (once || !isPassing(reply)) return yield* printReply(reply, asJson)
      yield* Effect.sleep(pauseAfterTrouble)
      continue
    }
    const { events, next } = Object(dataOf(reply))
    if (!Number.isSafeInteger(next)) return yield* fail("UNAVAILABLE", "The service answered no event feed. Update it.")
    for (const event of eventsOf(events)) yield* print(event, asJson)
    if (next > after) {
      after = next
      continue
    }
    if (once) return
    yield* Effect.sleep(pause)
  }
})

const tail = Command.make(
  "tail",
  {
    types: Flag.String("types").pipe(
      Flag.withDescription("Only these types, separated by commas, such as lead.created,lead.replied"),
      Flag.optional
    ),
    after: Flag.Int("after").pipe(
      Flag.withDescription("Sequence number to go on from, 0 for the beginning; default the latest ten"),
      Flag.optional
    ),
    once: toggle("once", "Print what there is and end"),
    baseUrl,
    json
  },
  ({ after, once, types, ...common }) =>
    withTarget(common, (target) =>
      follow(target, {
        types: Option.getOrUndefined(types),
        after: Option.getOrUndefined(after),
        once,
        json: common.json
      })
    )
).pipe(
  Command.withDescription("Follow what happens, one line for each event, until Ctrl-C; with --json one JSON line each"),
  Command.withExamples([
    {
      command: "svc events tail --types lead.replied,draft.approved",
      description: "Replies and approvals, as they happen"
    }
  ])
)

/** `svc events`. */
export const events = Command.make("events").pipe(
  Command.withDescription("What happened in the organization, in order"),
  Command.withSubcommands([tail])
)
