/** `svc webhooks listen`: shows deliveries on this machine. Source: issue 4; G34. */
import { type Failure, fail } from "@svc/core/Failure"
import { isSignedWith } from "@svc/webhooks/verifySignature"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { listenOnLoopback, type ReceivedRequest } from "../LoopbackReceiver.ts"
import { type CliExit, note, out } from "../Output.ts"
import { dataOf, type Place, type Target } from "../Target.ts"
import { printReply } from "./answer.ts"
import { baseUrl, json } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

interface Options {
  readonly types: string | undefined
  readonly port: number
  readonly count: number | undefined
  readonly json: boolean
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")

/** Why a service cannot deliver to this machine; undefined when it can try. */
const obstacle = ({ kind, label }: Place): Failure | undefined => {
  if (kind === "embedded") {
    return fail("UNAVAILABLE", "No service is running that could deliver. Start svc dev, and listen beside it.")
  }
  return URL.canParse(label) && isLoopback(new URL(label))
    ? undefined
    : fail("INVALID_INPUT", "The service runs on another machine and cannot reach this one. Listen where it runs.")
}

const command = (target: Target, id: string, input: object) =>
  target.ask({ method: "POST", path: `/api/v1/commands/${id}`, json: JSON.stringify(input) })

/** Removes what was registered, also when the service has gone in between. */
const remove = (target: Target, webhookId: string): Effect.Effect<void> =>
  Effect.matchEffect(command(target, "webhook.delete", { webhook_id: webhookId }), {
    onFailure: () => note(`svc: ${webhookId} could not be removed. Remove it with webhook.delete.`),
    onSuccess: ({ status }) =>
      note(status < 300 ? `svc: ${webhookId} was removed.` : `svc: ${webhookId} could not be removed (${status}).`)
  })

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body.slice(0, 1_000)
  }
}

const print = (request: ReceivedRequest, verified: boolean, asJson: boolean): Effect.Effect<void> => {
  const id = String(request.headers["webhook-id"] ?? "").slice(0, 100)
  const event = parsed(request.body)
  if (asJson) return out(JSON.stringify({ webhook_id: id, verified, event }))
  const { created_at, data, sequence, subject, type } = Object(event)
  const place = `${sequence}  ${created_at}  ${type}  ${subject?.type} ${subject?.id}`
  return out(`${verified ? "signed  " : "NOT SIGNED  "}${place}  ${JSON.stringify(data ?? {})}`)
}

const listen = Effect.fnUntraced(function* (
  target: Target,
  { count, json: asJson, port, types }: Options
): Effect.fn.Return<void, CliExit | Failure> {
  const hindered = obstacle(target.place)
  if (hindered !== undefined) return yield* hindered
  yield* Effect.scoped(
    Effect.gen(function* () {
      const requests = yield* Queue.unbounded<ReceivedRequest>()
      const url = yield* listenOnLoopback(port, (request) => void Queue.offerUnsafe(requests, request))
      const event_types = types?.split(",").map((type) => type.trim())
      const input = { url, description: "svc webhooks listen", ...(event_types === undefined ? {} : { event_types }) }
      // Nothing may come between registering and knowing how to remove it.
      const reply = yield* Effect.acquireRelease(command(target, "webhook.create", input), ({ body }) => {
        const id = Object(Object(Object(body).data).webhook).webhook_id
        return typeof id === "string" ? remove(target, id) : Effect.void
      })
      if (reply.status >= 400) return yield* printReply(reply, asJson)
      const { secret, webhook } = Object(dataOf(reply))
      const key = Redacted.make(String(secret), { label: "webhook secret" })
      yield* note(
        `svc: ${webhook?.webhook_id} tells ${url} what happens at ${target.place.label}, with a secret of its own. It is ` +
          "removed at the end: Ctrl-C."
      )
      for (let left = count ?? Number.POSITIVE_INFINITY; left > 0; left--) {
        const request = yield* Queue.take(requests)
        const verified = isSignedWith(key, request.body, request.headers)
        yield* print(request, verified, asJson)
        request.answer(verified ? 204 : 401)
      }
    })
  )
})

const listenCommand = Command.make(
  "listen",
  {
    types: Flag.String("types").pipe(
      Flag.withDescription("Only these types, separated by commas, such as lead.created,lead.replied"),
      Flag.optional
    ),
    port: Flag.Int("port").pipe(Flag.withDescription("Port on 127.0.0.1; default a free one"), Flag.withDefault(0)),
    count: Flag.Int("count").pipe(Flag.withDescription("End after so many deliveries"), Flag.optional),
    baseUrl,
    json
  },
  ({ count, port, types, ...common }) =>
    withTarget(common, (target) =>
      listen(target, {
        types: Option.getOrUndefined(types),
        count: Option.getOrUndefined(count),
        port,
        json: common.json
      })
    )
).pipe(
  Command.withDescription(
    "Receive deliveries here and show them, verified, until Ctrl-C: registers a webhook with a secret of its own at a " +
      "service on this machine, and removes it at the end. With --json one JSON line each"
  ),
  Command.withExamples([
    { command: "svc webhooks listen --types lead.replied", description: "Replies, as a receiver would get them" }
  ])
)

/** `svc webhooks`. */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Try out webhooks"),
  Command.withSubcommands([listenCommand])
)
