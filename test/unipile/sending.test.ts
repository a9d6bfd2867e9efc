import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { SendResult } from "#core/outreach/provider/ProviderReads.ts"
import type { ScriptedAnswer } from "../support/fakeUnipile/Script.ts"
import {
  account,
  accountAt,
  adapter,
  bySlug,
  byToken,
  type Setting,
  secret,
  timeoutsFor,
  to,
  withFake
} from "./unipileWorld.ts"

const send = ({ gateway }: Setting, slug: string, text = "Hello"): Effect.Effect<SendResult> =>
  gateway.startChat(account, { ...to(bySlug(slug)), text })

describe("writing", () => {
  it.live("goes to whom it is meant for, once, with its text unchanged", () =>
    withFake(["ann", "bea"], (setting) =>
      Effect.gen(function* () {
        const { fake, gateway } = setting
        const text = "Zoë, a “quote” & 𝒞𝑜𝓁𝑜𝓇\nsecond line\r\n--boundary"
        const first = yield* send(setting, "ann", text)
        assert.strictEqual(first._tag, "Confirmed")
        const look = yield* gateway.relation(account, bySlug("ann"))
        assert.deepStrictEqual(look._tag === "Known" && look.relation.connected, true)
        const chatId = look._tag === "Known" ? look.relation.chatId : null
        assert.strictEqual(chatId, fake.world.chats[0]?.id ?? "none")
        const second = yield* gateway.sendToChat(account, { ...to(bySlug("ann")), chatId: chatId ?? "", text: "Again" })
        assert.deepInclude(second, { _tag: "Confirmed", messageId: fake.world.messages[1]?.id ?? "none" })
        const sent = fake.world.ledger.map(({ slug, text, kind }) => ({ slug, text, kind }))
        assert.deepStrictEqual(sent, [
          { slug: "ann", kind: "message", text },
          { slug: "ann", kind: "message", text: "Again" }
        ])
      })
    )
  )

  it.live("by profile token asks nobody first", () =>
    withFake(["ann"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const token = fake.world.find("ann")?.profileToken ?? ""
        const result = yield* gateway.startChat(account, { ...to(byToken(token)), text: "Hi" })
        assert.strictEqual(result._tag, "Confirmed")
        assert.deepStrictEqual(
          fake.seen.map(({ method, path }) => `${method} ${path}`),
          ["POST /api/v1/chats"]
        )
      })
    )
  )

  const ends: ReadonlyArray<readonly [name: string, answer: ScriptedAnswer, accept: boolean, end: SendResult["_tag"]]> =
    [
      ["null ids", "null_ids", true, "Confirmed"],
      ["a connection dropped after accepting", "drop", true, "Unknown"],
      ["a connection dropped before accepting", "drop", false, "Unknown"],
      ["an answer cut in half", "cut", true, "Unknown"],
      ["500 after accepting", { status: 500, type: "errors/provider_error" }, true, "Unknown"],
      ["504 after accepting", { status: 504, body: "<html>Gateway Timeout</html>" }, true, "Unknown"],
      ["no answer at all", "stall", true, "Unknown"],
      ["an answer of one byte at a time", "drip", true, "Unknown"],
      ["a redirect to another route", { status: 303, headers: { location: "/api/v1/accounts" } }, true, "Unknown"],
      ["a server that disowns the host", { status: 421, body: "" }, true, "Unknown"],
      ["a redirect", { status: 307, headers: { location: "/api/v1/chats" } }, false, "Unknown"],
      ["a web page with status 200", { status: 200, body: "<html>Welcome</html>" }, false, "Unknown"],
      ["an error with status 200", { status: 200, type: "errors/blocked_recipient" }, false, "Unknown"],
      [
        "ids of a wrong type",
        { status: 201, body: '{"object":"ChatStarted","message_id":{"a":1}}' },
        true,
        "Confirmed"
      ],
      ["another object", { status: 201, body: '{"object":"MessageList","items":[]}' }, false, "Unknown"],
      ["10 MB", { status: 201, body: `{"object":"ChatStarted","x":"${"a".repeat(10_000_000)}"}` }, true, "Unknown"],
      ["deep nesting", { status: 201, body: "[".repeat(200_000) }, false, "Unknown"],
      ["a proxy's 403", { status: 403, body: "<html>Forbidden</html>" }, false, "Refused"],
      ["503 without words", { status: 503, body: "" }, false, "Unavailable"]
    ]
  for (const [name, answer, accept, end] of ends) {
    it.live(`${name}: ${end}, and never repeated`, () =>
      withFake(
        ["ann"],
        (setting) =>
          Effect.gen(function* () {
            const { fake } = setting
            fake.scripts.add({ action: "message", accept, answer })
            const result = yield* send(setting, "ann")
            assert.strictEqual(result._tag, end)
            if (result._tag === "Refused") assert.strictEqual(result.kind, "transient")
            assert.lengthOf(fake.world.ledger, accept ? 1 : 0)
            const requests = fake.seen.map(({ method, path }) => `${method} ${path}`)
            assert.deepStrictEqual(requests, ["GET /api/v1/users/ann", "POST /api/v1/chats"])
            assert.notInclude(JSON.stringify(result), secret)
          }),
        timeoutsFor(answer)
      )
    )
  }

  it.live("nothing left where nobody listens or the host has no name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const target = { ...to(byToken("ACoAAAABCDEBxxxxxxxxxxxxxxxxxxxxxxxxxxx")), text: "Hi" }
        for (const dsn of ["http://127.0.0.1:2", "http://localhost:2", "https://127.0.0.1:2", "no-such-host.invalid"]) {
          const gateway = Context.get(yield* Layer.build(adapter(dsn)), LinkedInGateway)
          const result = yield* gateway.startChat(account, target)
          assert.strictEqual(result._tag, "Unavailable", `${dsn}: ${JSON.stringify(result)}`)
        }
      })
    )
  )

  it.live("a plain server behind https is found out before anything is sent", () =>
    withFake(["ann"], ({ fake }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = Context.get(yield* Layer.build(adapter(fake.url.replace("http:", "https:"))), LinkedInGateway)
          const token = fake.world.find("ann")?.profileToken ?? ""
          const result = yield* gateway.startChat(account, { ...to(byToken(token)), text: "Hi" })
          assert.strictEqual(result._tag, "Unavailable")
          assert.lengthOf(fake.seen, 0)
        })
      )
    )
  )

  it.live("each account acts for itself", () =>
    withFake(["bea-2nd"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        fake.world.addAccount("ua-2")
        yield* gateway.sendInvitation(accountAt("ua-2"), { ...to(bySlug("bea-2nd")), note: "Hi" })
        const one = yield* gateway.relation(account, bySlug("bea-2nd"))
        const two = yield* gateway.relation(accountAt("ua-2"), bySlug("bea-2nd"))
        assert.deepStrictEqual(one, { _tag: "Known", relation: { connected: false, chatId: null, invitation: "none" } })
        assert.deepStrictEqual(two, {
          _tag: "Known",
          relation: { connected: false, chatId: null, invitation: "pending" }
        })
        assert.deepStrictEqual(
          fake.world.ledger.map(({ accountId }) => accountId),
          ["ua-2"]
        )
        const gone = yield* gateway.relation(accountAt("ua-9"), bySlug("bea-2nd"))
        assert.deepInclude(gone, { _tag: "Refused", kind: "account_down" })
      })
    )
  )
})

describe("an invitation", () => {
  it.live("waits, is accepted, and can be taken back before", () =>
    withFake(["bea-2nd", "cy-2nd", "dot"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        for (const slug of ["bea-2nd", "cy-2nd"]) {
          const invited = yield* gateway.sendInvitation(account, { ...to(bySlug(slug)), note: "Shall we?" })
          assert.strictEqual(invited._tag, "Confirmed")
        }
        const again = yield* gateway.sendInvitation(account, { ...to(bySlug("bea-2nd")), note: null })
        assert.deepInclude(again, { _tag: "Refused", kind: "already_pending" })
        const friend = yield* gateway.sendInvitation(account, { ...to(bySlug("dot")), note: null })
        assert.deepInclude(friend, { _tag: "Refused", kind: "already_connected" })
        const early = yield* gateway.startChat(account, { ...to(bySlug("bea-2nd")), text: "Hi" })
        assert.deepInclude(early, { _tag: "Refused", kind: "not_connected" })
        assert.strictEqual((yield* gateway.withdrawInvitation(account, bySlug("cy-2nd")))._tag, "Confirmed")
        assert.strictEqual((yield* gateway.withdrawInvitation(account, bySlug("cy-2nd")))._tag, "Confirmed")
        assert.strictEqual(fake.world.invitations[1]?.status ?? "", "WITHDRAWN")
        fake.advance(31_000)
        const bea = yield* gateway.relation(account, bySlug("bea-2nd"))
        assert.deepStrictEqual(bea, { _tag: "Known", relation: { connected: true, chatId: null, invitation: "none" } })
        const cy = yield* gateway.relation(account, bySlug("cy-2nd"))
        assert.deepStrictEqual(cy, { _tag: "Known", relation: { connected: false, chatId: null, invitation: "none" } })
      })
    )
  )

  it.live("stops at the provider's limit", () =>
    withFake(["a-2nd", "b-2nd"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        fake.world.limits = { invitations: 1 }
        yield* gateway.sendInvitation(account, { ...to(bySlug("a-2nd")), note: null })
        const second = yield* gateway.sendInvitation(account, { ...to(bySlug("b-2nd")), note: null })
        assert.deepInclude(second, { _tag: "Refused", kind: "limit" })
        assert.lengthOf(fake.world.ledger, 1)
      })
    )
  )
})
