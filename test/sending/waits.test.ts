/**
 * Every wait has an end: peers that accept a connection and never say a word, names that never resolve, and gateways of a host that
 * never answer. What may have been sent then is unknown; everything else can be retried.
 */
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway, sendEmail } from "#core/email/EmailGateway.ts"
import { LinkedInGateway, manualGatewayLayer } from "#core/outreach/provider/LinkedInGateway.ts"
import { boundedWrite, checkRelation, searchConversation } from "#core/outreach/transmit.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import { ClientDocuments } from "#core/workspace/authorization/Grants.ts"
import { layer as bridge } from "#providers/bridge/BridgeGateway.ts"
import * as Smtp from "#providers/smtp/SmtpEmail.ts"
import { parseSmtpUrl } from "#providers/smtp/SmtpUrl.ts"
import { layer as unipile } from "#providers/unipile/index.ts"
import { layerWith as documents } from "#providers/webhooks/HttpClientDocuments.ts"
import { layerWith as webhooks } from "#providers/webhooks/HttpWebhookSender.ts"
import { httpAccount as account } from "../support/httpAccount.ts"
import { listening } from "../webhooks/receiver.ts"

/** Milliseconds that the adapters are given here. */
const soon = 200

const recipient = {
  leadId: "ld_1",
  identities: [{ kind: "slug", value: "ada-lovelace", derived: false }],
  invitedAt: null
} as const
const email = {
  messageId: "eml_1@sender.example",
  from: { name: "Ada", address: "ada@sender.example" },
  to: { name: "Bob", address: "bob@receiver.example" },
  subject: "Hello",
  text: "Hello",
  html: null
}

/** Accepts connections and reads what comes, without a word. */
const silentPeer = Effect.map(
  listening(
    Object.assign(
      createServer((socket) => void socket.on("error", () => undefined).resume()),
      {
        closeAllConnections: () => undefined
      }
    ) as never
  ),
  ({ port }) => `127.0.0.1:${port}`
)

const never = () => new Promise<never>(() => {})

const loopback = Layer.succeed(WebhookTargets, { allowPrivate: false, allowLoopback: true })

const posted = (url: string, options: Parameters<typeof webhooks>[0]) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ url, messageId: "evt_1", sentAt: 0, body: "{}", secrets: [] })
  ).pipe(
    Effect.map(({ _tag }) => _tag),
    Effect.provide(Layer.provide(webhooks(options), loopback))
  )

const read = (url: string, options: Parameters<typeof documents>[0]) =>
  Effect.flatMap(ClientDocuments, (client) => client.read(url)).pipe(
    Effect.map(({ _tag }) => _tag),
    Effect.provide(Layer.provide(documents(options), loopback))
  )

const gatewayOf = (name: "unipile" | "bridge", peer: string) =>
  name === "unipile"
    ? unipile({
        dsn: `http://${peer}`,
        apiKey: Redacted.make("key"),
        timeouts: { read: soon, write: soon, search: soon, pauses: [1, 1] }
      })
    : bridge({
        url: `http://${peer}`,
        secret: Redacted.make(`whsec_${Buffer.alloc(32, 7).toString("base64")}`),
        timeouts: { read: soon, write: soon }
      })

const related = (name: "unipile" | "bridge", peer: string) =>
  Effect.flatMap(Layer.build(gatewayOf(name, peer)), (services) =>
    Context.get(services, LinkedInGateway).relation(account, recipient)
  ).pipe(Effect.map(({ _tag }) => String(_tag)))

const sent = (name: "unipile" | "bridge", peer: string) =>
  Effect.flatMap(Layer.build(gatewayOf(name, peer)), (services) => {
    const delivery = { chatId: "chat_1", text: "Hello", recipient, idempotencyKey: "que_1" }
    return Context.get(services, LinkedInGateway).sendToChat(account, delivery)
  }).pipe(Effect.map(({ _tag }) => String(_tag)))

const mailed = (peer: string, timeouts: Partial<Smtp.SmtpTimeouts>) =>
  sendEmail(email).pipe(
    Effect.map(({ _tag }) => _tag),
    Effect.provide(
      Smtp.layer(Result.getOrThrow(parseSmtpUrl(`smtp://${peer}`)), { ...Smtp.defaultTimeouts, ...timeouts })
    )
  )

const timeout = soon
const waits: Readonly<Record<string, (peer: string) => Effect.Effect<unknown, unknown, import("effect/Scope").Scope>>> =
  {
    "a webhook": (peer) => posted(`http://${peer}/x`, { timeout }),
    "the name of a webhook": () => posted("http://slow.example/x", { timeout, resolve: never }),
    "a document of a client": (peer) => read(`http://${peer}/x`, { timeout }),
    "the name of such a document": () => read("http://slow.example/x", { timeout, resolve: never }),
    "a mail server's greeting": (peer) => mailed(peer, { greeting: soon }),
    "a mail server, altogether": (peer) => mailed(peer, { total: soon }),
    "a read of Unipile": (peer) => related("unipile", peer),
    "a write to Unipile": (peer) => sent("unipile", peer),
    "a read of a bridge": (peer) => related("bridge", peer),
    "a write to a bridge": (peer) => sent("bridge", peer)
  }

/** What they come to. */
const outcomes: Readonly<Record<string, string>> = {
  "a webhook": "Unanswered",
  "the name of a webhook": "Unanswered",
  "a document of a client": "Missing",
  "the name of such a document": "Missing",
  "a mail server's greeting": "Unavailable",
  "a mail server, altogether": "Unavailable",
  "a read of Unipile": "Unavailable",
  "a write to Unipile": "Unknown",
  "a read of a bridge": "Unavailable",
  "a write to a bridge": "Unknown"
}

describe("a silent peer", () => {
  it.live.each(Object.entries(waits))("ends the wait for %s", ([name, wait]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* wait(yield* silentPeer), outcomes[name])
    }).pipe(Effect.scoped)
  )
})

/** A gateway of a host, none of whose members ever answers. */
const mute = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (gateway) => ({
    ...gateway,
    relation: () => Effect.never,
    listMessages: () => Effect.never,
    findChat: () => Effect.never
  }))
).pipe(Layer.provide(manualGatewayLayer))

const held: Readonly<Record<string, readonly [wait: Effect.Effect<unknown, unknown, LinkedInGateway>, end: string]>> = {
  "a relation": [Effect.map(checkRelation({ account, recipient }), ({ _tag }) => _tag), "Unavailable"],
  "a write": [Effect.map(boundedWrite(Effect.never, 15), ({ _tag }) => _tag), "Unknown"],
  "a conversation": [
    Effect.map(
      Effect.flip(
        searchConversation(account, "chat_1", { text: "Hello", startedAt: account.createdAt, others: new Set() })
      ),
      (failure) => Object(failure).code
    ),
    "GATEWAY_ERROR"
  ],
  "an e-mail": [
    Effect.map(Effect.provideService(sendEmail(email), EmailGateway, { send: () => Effect.never }), ({ _tag }) => _tag),
    "Unknown"
  ]
}

describe("a gateway of a host that never answers", () => {
  it.effect.each(Object.entries(held))("ends the wait for %s", ([, [wait, end]]) =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(Effect.provide(wait, mute))
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual(waiting.pollUnsafe(), Exit.succeed(end))
    })
  )
})
