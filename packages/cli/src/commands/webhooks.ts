/** `svc webhooks listen`: prints deliveries on this machine. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { type Failure, InvalidInput, isLoopback, parseUrl, Unavailable, type WebhookId } from "@svc/core"
import { isSignedWith } from "@svc/providers/webhooks"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { targetWithFlags } from "../cliTerms.ts"
import { listenOnLoopback } from "../loopback.ts"
import { note, out } from "../Output.ts"
import { dataOf, orFail, type Place, sendCommand, type Target } from "../Target.ts"
import { eventLine } from "./events.ts"
import { baseUrl, json, optionalInt, optionalText, eventTypes as types } from "./flags.ts"
import { withTarget } from "./runCommand.ts"

/** A received request, and how to respond to it. */
interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly respond: (status: number) => void
}

/** Size limit in bytes, more than any delivery. */
const maxBody = 1_048_576

const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Receives requests on this machine until the scope closes, and returns the URL. */
const receiveOn = (port: number, receive: (request: ReceivedRequest) => void) =>
  listenOnLoopback(port, (request, response) => {
    const respond = (status: number) => void response.writeHead(status).end()
    read(request).then(
      (body) => {
        if (request.method !== "POST") return respond(405)
        if (body === undefined) return respond(413)
        receive({ headers: request.headers, body, respond })
      },
      () => respond(400)
    )
  })

const flags = {
  types,
  port: Flag.Int("port").pipe(Flag.withDescription("Port on 127.0.0.1; default any free port"), Flag.withDefault(0)),
  forwardTo: optionalText("forward-to", "URL to send each delivery on to, such as http://localhost:3000/webhooks"),
  count: optionalInt("count", "Stop after this many deliveries"),
  baseUrl,
  json
}

type Options = Command.Command.Config.Infer<typeof flags>

/** Fails if the service cannot deliver to this machine. */
const checkReachable = ({ kind, label }: Place): Failure | undefined => {
  if (kind === "embedded") {
    return new Unavailable({
      message: "No service is running that could deliver events. Start svc dev, and run this next to it."
    })
  }
  return isLoopback(parseUrl(label)?.hostname ?? "")
    ? undefined
    : new InvalidInput({
        message: "The service runs on another machine and can't reach this one. Run this on that machine."
      })
}

/** Deletes the webhook. Does not fail, even if the service has stopped. */
const remove = (target: Target, webhookId: WebhookId): Effect.Effect<void> =>
  Effect.matchEffect(sendCommand(target, "webhook.delete", { webhook_id: webhookId }), {
    onFailure: () => note(`svc: webhook ${webhookId} could not be deleted. Run svc webhooks delete ${webhookId}.`),
    onSuccess: ({ status }) => {
      const outcome = status < 300 ? "deleted" : `could not be deleted (${status})`
      return note(`svc: webhook ${webhookId} ${outcome}.`)
    }
  })

const parsed = (body: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(body)),
    () => body.slice(0, 1_000)
  )

/** Headers of a delivery that a receiver needs. */
const passedOn = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"]

/** Sends a delivery on to a server on this machine or elsewhere; its status is returned to the service. */
const forward = (url: string, { body, headers }: ReceivedRequest): Effect.Effect<number> =>
  Effect.tryPromise({
    try: async (signal) => {
      const given = passedOn.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : []))
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: Object.fromEntries(given),
        redirect: "manual",
        signal
      })
      await response.arrayBuffer()
      return response.status
    },
    catch: () => new Unavailable({ message: `Can't reach ${url}.` })
  }).pipe(
    Effect.tap((status) => note(`svc: ${url} returned ${status}.`)),
    Effect.timeout("15 seconds"),
    Effect.catch(() => Effect.as(note(`svc: ${url} did not respond. The service will retry the delivery.`), 502))
  )

const print = (request: ReceivedRequest, verified: boolean, asJson: boolean): Effect.Effect<void> => {
  const id = String(request.headers["webhook-id"] ?? "").slice(0, 100)
  const event = parsed(request.body)
  if (asJson) return out(JSON.stringify({ webhook_id: id, verified, event }))
  const { data } = Object(event)
  return out(`${verified ? "signed  " : "NOT SIGNED  "}${eventLine(event)}  ${JSON.stringify(data ?? {})}`)
}

const listen = Effect.fnUntraced(function* (target: Target, { count, forwardTo, json: asJson, port, types }: Options) {
  const problem = checkReachable(target.place)
  if (problem !== undefined) return yield* problem
  const requests = yield* Queue.unbounded<ReceivedRequest>()
  const url = yield* receiveOn(port, (request) => void Queue.offerUnsafe(requests, request))
  const event_types = types?.split(",").map((type) => type.trim())
  const input = {
    url: `${url}/`,
    description: "svc webhooks listen",
    ...(event_types === undefined ? {} : { event_types })
  }
  // Acquired uninterruptibly, so that a created webhook is always deleted.
  const creating = Effect.acquireRelease(sendCommand(target, "webhook.create", input), (reply) => {
    const id = Object(dataOf(reply)["webhook"]).webhook_id
    return typeof id === "string" ? remove(target, id) : Effect.void
  })
  const { secret, webhook } = Object(dataOf(yield* orFail(creating)))
  const key = Redacted.make(String(secret), { label: "webhook secret" })
  yield* note(
    `svc: ${webhook?.webhook_id} forwards events from ${target.place.label} to ${url}/. It is deleted when you stop: ` +
      "Ctrl-C."
  )
  for (let left = count ?? Number.POSITIVE_INFINITY; left > 0; left--) {
    const request = yield* Queue.take(requests)
    const verified = isSignedWith(key, request.body, request.headers)
    yield* print(request, verified, asJson)
    const status = !verified ? 401 : forwardTo === undefined ? 204 : yield* forward(forwardTo, request)
    request.respond(status)
  }
}, Effect.scoped)

/** `svc webhooks listen`. */
export const listenCommand = Command.make("listen", flags, (options) =>
  withTarget(options, (target) => listen(targetWithFlags(target, [{ name: "event_types", flag: "types" }]), options))
).pipe(
  Command.withDescription(
    "Receive, verify and print webhook deliveries on this machine until Ctrl-C. Creates a webhook and deletes it at " +
      "the end. With --json one JSON line each"
  ),
  Command.withShortDescription("Receive and print webhook deliveries on this machine"),
  Command.withExamples([
    { command: "svc webhooks listen --types lead.replied", description: "Replies, as a receiver would get them" },
    { command: "svc listen --forward-to http://localhost:3000/webhooks", description: "Pass them to your own server" }
  ])
)
