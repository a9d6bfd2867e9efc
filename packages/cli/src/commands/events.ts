/** `svc events tail`: follows the event feed. */
import { Unavailable } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { targetWithFlags } from "../cliTerms.ts"
import { note, out } from "../Output.ts"
import { dataOf, objectsOf, type Reply, type Target } from "../Target.ts"
import { baseUrl, json, toggle, eventTypes as types } from "./flags.ts"
import { printReply } from "./runCommand.ts"
import { withTarget } from "./withTarget.ts"

const pause = "1 second"
const pauseAfterError = "3 seconds"
/** Number of latest events shown first, without --after. */
const lastShown = 10

/** A sequence number after every event. */
const afterAll = 999_999_999_999_999

const print = (event: Readonly<Record<string, unknown>>, asJson: boolean): Effect.Effect<void> => {
  if (asJson) return out(JSON.stringify(event))
  const { created_at, data, sequence, subject, type } = Object(event)
  const facts = JSON.stringify(data)
  return out(
    `${sequence}  ${created_at}  ${type}  ${subject?.type} ${subject?.id}${facts === "{}" ? "" : `  ${facts}`}`
  )
}

/** Errors that are retried while following. */
const isTemporary = ({ status }: Reply): boolean => status === 429 || status >= 500

interface Options {
  readonly types: string | undefined
  readonly after: number | undefined
  readonly once: boolean
  readonly json: boolean
}

/** Prints the latest events, oldest first, and returns the sequence number to continue after. */
const latest = (target: Target, { json: asJson, types }: Options) =>
  Effect.gen(function* () {
    const reply = yield* target.send({ method: "GET", path: "/api/v1/resources/read?uri=svc://events/recent" })
    if (reply.status >= 400) return yield* Effect.as(printReply(reply, asJson), 0)
    const events = objectsOf(Object(dataOf(reply)["resource"]).payload?.events)
    const wanted = types?.split(",").map((type) => type.trim())
    const shown = events.filter(({ type }) => wanted === undefined || wanted.includes(String(type))).slice(0, lastShown)
    for (const event of shown.toReversed()) yield* print(event, asJson)
    return Number(events[0]?.["sequence"] ?? 0)
  })

const follow = Effect.fnUntraced(function* (target: Target, options: Options) {
  const { json: asJson, once, types } = options
  const page = (from: number) => {
    const query = new URLSearchParams({
      after: String(from),
      limit: "100",
      ...(types === undefined ? {} : { types })
    })
    return target.send({ method: "GET", path: `/api/v1/events?${query}` })
  }
  // Rejects invalid types before anything is printed.
  const first = yield* page(options.after ?? afterAll)
  if (first.status >= 400) return yield* printReply(first, asJson)
  let after = options.after ?? (yield* latest(target, options))
  for (;;) {
    const reply = yield* Effect.catch(page(after), (failure) =>
      once ? Effect.fail(failure) : Effect.as(note(`svc: ${failure.message}`), { status: 503, body: undefined })
    )
    if (reply.status >= 400) {
      if (once || !isTemporary(reply)) return yield* printReply(reply, asJson)
      yield* Effect.sleep(pauseAfterError)
      continue
    }
    const { events, next } = Object(dataOf(reply))
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
export const tail = Command.make(
  "tail",
  {
    types,
    after: Flag.Int("after").pipe(
      Flag.withDescription("Sequence number to start after, 0 for the beginning; default the latest ten"),
      Flag.optional
    ),
    once: toggle("once", "Print existing events and exit"),
    baseUrl,
    json
  },
  ({ after, once, types, ...common }) =>
    withTarget(common, (target) =>
      follow(targetWithFlags(target, fieldFlags), {
        types: Option.getOrUndefined(types),
        after: Option.getOrUndefined(after),
        once,
        json: common.json
      })
    )
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
