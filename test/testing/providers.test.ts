/** Our own providers hold the contract that is published for those of others, and broken ones are found. */
import { assert, describe, it } from "@effect/vitest"
import { LinkedInGateway, type SendResult } from "@svc/core/outreach"
import { defineGateway } from "@svc/embed"
import { SimulatedGateway } from "@svc/memory"
import { type ProviderContract, providerContract } from "@svc/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { layer as bridgeLayer } from "#providers/bridge/BridgeGateway.ts"
import { startReferenceBridge } from "../core/linkedin/bridge/referenceBridge.ts"
import { startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { adapter, secret } from "../unipile/unipileWorld.ts"

type Gateway = LinkedInGateway["Service"]

const slug = (value: string) => [{ kind: "slug", value, derived: false }] as const

/** The simulator, with a change. */
const simulator = (change: (gateway: Gateway) => Partial<Gateway> = () => ({})): ProviderContract => ({
  connected: slug("grace"),
  stranger: slug("ida-2nd"),
  open: async () => {
    const services = await Effect.runPromise(Effect.scoped(Layer.build(SimulatedGateway.layer({ acceptSeconds: 30 }))))
    const gateway = Context.get(services, LinkedInGateway)
    const { accepted } = Context.get(services, SimulatorLedger)
    return {
      gateway: Layer.succeed(LinkedInGateway, { ...gateway, ...change(gateway) }),
      delivered: async () => (await Effect.runPromise(accepted)).map(({ text }) => text ?? "")
    }
  }
})

const unipile: ProviderContract = {
  connected: slug("ann"),
  stranger: slug("bea-2nd"),
  open: async () => {
    const fake = await startFakeUnipile({ apiKey: secret })
    fake.world.addAccount("ua-1")
    for (const name of ["ann", "bea-2nd"]) fake.world.addPerson(name)
    return {
      gateway: adapter(fake.url),
      gatewayAccountId: "ua-1",
      delivered: () => fake.world.ledger.map(({ text }) => text ?? ""),
      close: () => fake.close()
    }
  }
}

const bridge: ProviderContract = {
  connected: slug("ada-lovelace"),
  refusesRepeats: true,
  open: async () => {
    const key = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const running = await startReferenceBridge(key)
    return {
      gateway: bridgeLayer({ url: running.url, secret: Redacted.make(key) }),
      gatewayAccountId: "7",
      // What was carried out, each key once.
      delivered: () => {
        const texts = new Map(
          running.seen.map(({ body, path }) => [`${path} ${Object(body).idempotency_key}`, String(Object(body).text)])
        )
        return running.done.map((done) => texts.get(done) ?? done)
      },
      close: running.close
    }
  }
}

/** A host's gateway of functions, without Effect. */
const functions: ProviderContract = {
  connected: slug("ada"),
  refusesRepeats: true,
  open: () => {
    const sent = new Map<string, string>()
    const send = async ({ idempotencyKey, text }: { readonly idempotencyKey: string; readonly text: string }) => {
      if (!sent.has(idempotencyKey)) sent.set(idempotencyKey, text)
      return { outcome: "confirmed" } as const
    }
    return {
      gateway: defineGateway({
        name: "outbox",
        automaticAccount: ({ id }) => ({ gatewayAccountId: id }),
        relation: async () => ({ connected: true, chatId: null, invitation: "none" }),
        sendToChat: (_, delivery) => send(delivery),
        startChat: (_, delivery) => send(delivery),
        sendInvitation: (_, { idempotencyKey, note }) => send({ idempotencyKey, text: note ?? "" })
      }),
      delivered: () => [...sent.values()]
    }
  }
}

for (const [name, contract] of Object.entries({
  "the simulator": simulator(),
  Unipile: unipile,
  "a bridge": bridge,
  "a host's functions": functions
})) {
  describe(name, () => {
    for (const { name, run } of providerContract(contract)) it(name, run)
  })
}

const confirmed: SendResult = { _tag: "Confirmed", messageId: null, externalId: null }

/** Providers, and the case that finds what is wrong with them. */
const broken: Readonly<Record<string, readonly [change: (gateway: Gateway) => Partial<Gateway>, found: string]>> = {
  "has another account every time": [
    () => {
      let accounts = 0
      return {
        automaticAccount: () => ({ gatewayAccountId: `sim-${accounts++}`, tier: "FREE" as const, features: [] })
      }
    },
    "it has one name, and the same account for an agent every time"
  ],
  "writes when it only looks": [
    ({ relation, startChat }) => ({
      relation: (account, recipient) =>
        Effect.andThen(
          startChat(account, { recipient, idempotencyKey: "look", text: "Hi" }),
          relation(account, recipient)
        )
    }),
    "looking at a relation changes nothing"
  ],
  "confirms what it does not send": [
    () => ({ sendToChat: () => Effect.succeed(confirmed), startChat: () => Effect.succeed(confirmed) }),
    "a confirmed message arrived once, as it was written"
  ],
  "sends twice": [
    ({ sendToChat }) => ({
      sendToChat: (...request) => Effect.andThen(sendToChat(...request), sendToChat(...request))
    }),
    "messages at the same time each arrive once"
  ],
  "loses what it sent": [
    () => ({ listMessages: () => Effect.succeed({ messages: [], next: null }) }),
    "what was sent is found in its conversation, by the id that was confirmed"
  ],
  throws: [
    () => ({
      listRelations: () => {
        throw new Error("no such cursor")
      }
    }),
    "a read of what is not there ends as the port says"
  ],
  "fails with codes of its own": [
    () => ({ findChat: () => Effect.fail(Object({ code: "OOPS" })) }),
    "a read of what is not there ends as the port says"
  ],
  "writes to strangers": [
    () => ({ startChat: () => Effect.succeed(confirmed) }),
    "a message to a stranger is not confirmed, and does not arrive"
  ],
  "forgets invitations": [
    ({ sendInvitation }) => ({
      sendInvitation: (account, delivery) =>
        sendInvitation(account, {
          ...delivery,
          recipient: { ...delivery.recipient, leadId: delivery.idempotencyKey }
        })
    }),
    "an invitation arrives once and is pending, until it is withdrawn"
  ],
  "invites friends": [
    () => ({ sendInvitation: () => Effect.succeed(confirmed) }),
    "somebody who is connected is not invited"
  ]
}

describe("the contract of providers", () => {
  it("names what a gateway of functions lacks", async () => {
    const open = () => ({ gateway: Object({ name: "outbox" }), delivered: () => [] })
    const [first] = providerContract({ open, connected: slug("ada") })
    assert.match(await (first?.run() ?? Promise.resolve()).then(String, String), /gateway\.relation is required/)
  })

  it.for(Object.entries(broken))("finds a provider that %s", async ([, [change, found]]) => {
    const failed: Array<string> = []
    const cases = providerContract(simulator(change))
    for (const { name, run } of cases) await run().catch(() => failed.push(name))
    assert.include(failed, found)
    assert.isBelow(failed.length, cases.length)
  })

  it("finds a bridge that carries out a key twice", async () => {
    const repeating: ProviderContract = { ...simulator(), refusesRepeats: true }
    const name = "a message with the same idempotency key arrives once"
    const one = providerContract(repeating).find((candidate) => candidate.name === name)
    assert.isDefined(one)
    assert.strictEqual(await one.run().catch(() => "found"), "found")
  })
})
