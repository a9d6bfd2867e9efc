import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { layer } from "#providers/bridge/BridgeGateway.ts"
import { isSigned, sign, signingKey } from "#providers/bridge/BridgeSignature.ts"
import { httpAccount as account } from "../../../support/httpAccount.ts"
import { type Fault, type ReferenceBridge, startReferenceBridge } from "./referenceBridge.ts"

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const ada: Recipient = {
  leadId: "ld_1",
  identities: [{ kind: "slug", value: "ada-lovelace", derived: false }],
  invitedAt: null
}
const delivery = { recipient: ada, idempotencyKey: "que_1" }

interface Setting {
  readonly bridge: ReferenceBridge
  readonly gateway: LinkedInGateway["Service"]
}

const withBridge = <A, E>(run: (setting: Setting) => Effect.Effect<A, E>, ours = secret) =>
  Effect.scoped(
    Effect.gen(function* () {
      const bridge = yield* Effect.acquireRelease(
        Effect.promise(() => startReferenceBridge(secret)),
        ({ close }) => Effect.promise(close)
      )
      const services = yield* Layer.build(
        layer({ url: bridge.url, secret: Redacted.make(ours), timeouts: { read: 1_000, write: 1_000 } })
      )
      const gateway = Context.get(services, LinkedInGateway)
      return yield* run({ bridge, gateway })
    })
  )

describe("a bridge", () => {
  it.live("is asked in signed requests and carries out a key once", () =>
    withBridge(({ bridge, gateway }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* gateway.relation(account, ada), {
          _tag: "Known",
          relation: { connected: true, chatId: "chat-1", invitation: "none" }
        })
        const text = "Zoë 𝒞\nline two"
        const sent = { _tag: "Confirmed", messageId: "m-1", externalId: null } as const
        assert.deepStrictEqual(yield* gateway.sendToChat(account, { ...delivery, chatId: "chat-1", text }), sent)
        assert.deepStrictEqual(yield* gateway.sendToChat(account, { ...delivery, chatId: "chat-1", text }), sent)
        assert.strictEqual((yield* gateway.sendInvitation(account, { ...delivery, note: null }))._tag, "Confirmed")
        assert.strictEqual((yield* gateway.withdrawInvitation(account, ada))._tag, "Confirmed")
        assert.deepStrictEqual(bridge.done, ["send que_1", "invite que_1"])
        assert.isTrue(bridge.seen.every((one) => one.isSigned))
        assert.deepStrictEqual(bridge.seen[1]?.body, {
          version: 1,
          account: { id: "acc_1", gateway_account_id: "7", tier: "FREE" },
          recipient: { lead_id: "ld_1", identities: [{ kind: "slug", value: "ada-lovelace" }], invited_at: null },
          idempotency_key: "que_1",
          chat_id: "chat-1",
          text
        })
      })
    )
  )

  const faults: ReadonlyArray<readonly [Fault, write: string]> = [
    ["unsigned", "Unknown"],
    ["foreign_secret", "Unknown"],
    ["old", "Unknown"],
    ["request_id", "Unknown"],
    ["garbage", "Unknown"],
    ["drop", "Unknown"],
    ["status_500", "Unknown"],
    ["status_503", "Unavailable"],
    ["status_401", "Unavailable"]
  ]
  for (const [fault, write] of faults) {
    it.live(`that answers with the fault ${fault} confirms nothing`, () =>
      withBridge(({ bridge, gateway }) =>
        Effect.gen(function* () {
          bridge.fault = fault
          assert.strictEqual((yield* gateway.startChat(account, { ...delivery, text: "x" }))._tag, write)
          assert.strictEqual((yield* gateway.relation(account, ada))._tag, "Unavailable")
          const search = { url: "https://www.linkedin.com/sales/search/people", cursor: null, limit: 25 }
          const failure = yield* Effect.flip(gateway.searchPeople(account, search))
          assert.strictEqual(failure.code, write === "Unavailable" ? "UNAVAILABLE" : "GATEWAY_ERROR")
          assert.lengthOf(bridge.seen, 3)
        })
      )
    )
  }

  it.live("with another secret carries out nothing", () =>
    withBridge(
      ({ bridge, gateway }) =>
        Effect.gen(function* () {
          const result = yield* gateway.startChat(account, { ...delivery, text: "x" })
          assert.strictEqual(result._tag, "Unavailable")
          assert.lengthOf(bridge.done, 0)
        }),
      `whsec_${Buffer.alloc(32, 8).toString("base64")}`
    )
  )

  it.live("says each outcome of a write in its own words", () =>
    withBridge(({ bridge, gateway }) =>
      Effect.gen(function* () {
        const refused = { version: 1, outcome: "refused", kind: "limit", code: "daily", retry_after_seconds: 60 }
        const cases: ReadonlyArray<readonly [answer: unknown, result: object]> = [
          [refused, { _tag: "Refused", kind: "limit", providerCode: "daily", retryAfterSeconds: 60 }],
          [
            { ...refused, retry_after_seconds: "soon" },
            { _tag: "Refused", retryAfterSeconds: null }
          ],
          [{ ...refused, kind: "bored" }, { _tag: "Unknown" }],
          [
            { version: 1, outcome: "unavailable", detail: "busy" },
            { _tag: "Unavailable", detail: "busy" }
          ],
          [{ version: 1, outcome: "unknown" }, { _tag: "Unknown" }],
          [{ version: 2, outcome: "confirmed", message_id: "m" }, { _tag: "Unknown" }],
          [{ version: 1, outcome: "confirmed", message_id: 7 }, { _tag: "Unknown" }],
          [{ outcome: "confirmed" }, { _tag: "Unknown" }],
          [[], { _tag: "Unknown" }]
        ]
        for (const [index, [answer, result]] of cases.entries()) {
          bridge.answers.set("send", answer)
          const key = { recipient: ada, idempotencyKey: `que_${index + 10}` }
          assert.deepInclude(yield* gateway.startChat(account, { ...key, text: "x" }), result, JSON.stringify(answer))
        }
      })
    )
  )

  it.live("reads people, messages and relations", () =>
    withBridge(({ bridge, gateway }) =>
      Effect.gen(function* () {
        const person = { id: "p1", public_slug: "Ada-Lovelace", full_name: "Ada Lovelace" }
        const rows = [{ sales_nav_token: "tok", first_name: "Ada", degree: 9 }, { first_name: "nobody" }]
        bridge.answers.set("search", { version: 1, outcome: "found", people: rows, next: "n", total: 2 })
        const page = yield* gateway.searchPeople(account, { url: "u", cursor: null, limit: 25 })
        assert.deepStrictEqual([page.people.length, page.people[0]?.degree, page.next, page.total], [1, null, "n", 2])
        const message = { message_id: "m", chat_id: "c", direction: "inbound", sender: person, text: "Hi" }
        const items = [
          { ...message, at: "2026-11-21T08:00:00Z" },
          { ...message, at: "2025-01-01T00:00:00Z" },
          { ...message, at: "never" },
          7
        ]
        bridge.answers.set("messages", { version: 1, outcome: "found", items, next: null })
        const query = { chatId: null, since: "2026-01-01T00:00:00.000Z", cursor: null }
        const { messages } = yield* gateway.listMessages(account, query)
        assert.deepStrictEqual(
          messages.map(({ at, text }) => [at, text]),
          [["2026-11-21T08:00:00.000Z", "Hi"]]
        )
        assert.deepInclude(messages[0]?.sender?.identities[0], { kind: "slug", value: "ada-lovelace" })
        const made = [{ person, connected_at: "2026-11-20T00:00:00Z" }, { person: 7 }]
        bridge.answers.set("relations", { version: 1, outcome: "found", items: made, next: null })
        assert.lengthOf((yield* gateway.listRelations(account, query)).relations, 1)
        const profile = { version: 1, outcome: "found", person, connected: true, degree: 1, invitation: "none" }
        bridge.answers.set("profile", profile)
        assert.deepInclude(yield* gateway.resolveProfile(account, ada.identities), { providerId: "p1", degree: 1 })
        assert.strictEqual(yield* gateway.findChat(account, ada), "chat-1")
      })
    )
  )

  it("is refused at the start where address or secret cannot be one", async () => {
    const attempt = (url: string, text: string) =>
      Effect.runPromise(Effect.scoped(Effect.result(Layer.build(layer({ url, secret: Redacted.make(text) })))))
    for (const url of [
      "",
      "http://bridge.example",
      "https://u:p@bridge.example",
      "https://bridge.example/?a=1",
      "ftp://x"
    ]) {
      assert.strictEqual((await attempt(url, secret))._tag, "Failure", url)
    }
    for (const text of ["", "whsec_c2hvcnQ=", "plain text that is long enough to be one", `whsec_${"A".repeat(400)}`]) {
      const result = await attempt("https://bridge.example/x/", text)
      assert.strictEqual(result._tag, "Failure", text)
      if (result._tag === "Failure" && text !== "") assert.notInclude(result.failure.message, text)
    }
    assert.strictEqual((await attempt("https://bridge.example/x/", secret))._tag, "Success")
  })
})

describe("a signature", () => {
  const key = Result.getOrThrow(signingKey(Redacted.make(secret)))

  it("holds for exactly its id, body and time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.nat(2_000_000_000), (body, other, seconds) => {
        const headers: Record<string, string> = { ...sign(key, "msg_1", seconds, body) }
        assert.isTrue(isSigned(key, "msg_1", seconds + 300, body, headers))
        assert.isFalse(isSigned(key, "msg_1", seconds + 301, body, headers))
        assert.isFalse(isSigned(key, "msg_1", seconds - 301, body, headers))
        assert.isFalse(isSigned(key, "msg_2", seconds, body, headers))
        assert.isFalse(isSigned(key, "msg_1", seconds, `${body}x`, headers))
        const two = { ...headers, "webhook-signature": `v1,${other} ${headers["webhook-signature"]}` }
        assert.isTrue(
          isSigned(key, "msg_1", seconds, body, {
            ...two,
            "webhook-signature": two["webhook-signature"].replace(`v1,${other}`, "v1,AAAA")
          })
        )
        assert.isFalse(isSigned(key, "msg_1", seconds, body, {}))
      })
    )
  })

  it("is that of the published example of Standard Webhooks", () => {
    const published = Result.getOrThrow(signingKey(Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
    const headers = sign(published, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, '{"test": 2432232314}')
    assert.strictEqual(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })
})
