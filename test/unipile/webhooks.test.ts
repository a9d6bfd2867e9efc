import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { InboundEvent } from "#core/outreach/provider/ProviderReads.ts"
import { parseWebhook } from "#providers/unipile/index.ts"
import { effort } from "../support/effort.ts"
import { startFakeProcess } from "../support/fakeUnipile/fakeProcess.ts"
import { tellMessage } from "../support/fakeUnipile/tellings.ts"
import { personOf } from "../support/fakeUnipile/World.ts"
import { account, bySlug, to, withFake } from "./unipileWorld.ts"

const parsed = (payload: unknown): InboundEvent | undefined => Result.getOrUndefined(parseWebhook(payload))

const ann = personOf("ann").profileToken
const owner = personOf("owner").profileToken
const message = {
  event: "message_received",
  account_id: "ua-1",
  account_info: { type: "LINKEDIN", user_id: owner },
  chat_id: "c1",
  message_id: "m1",
  message: "Please stop",
  timestamp: "2026-11-21T08:00:00.000Z",
  sender: { attendee_id: "a1", attendee_name: "Ann", attendee_provider_id: ann }
}
const relation = {
  event: "new_relation",
  account_id: "ua-1",
  account_type: "LINKEDIN",
  user_full_name: "Ann",
  user_provider_id: ann,
  user_public_identifier: "Ann-Lee"
}

describe("a webhook of the provider", () => {
  it("is a message, own or not", () => {
    const told = parsed(message)
    assert.deepInclude(told, { _tag: "Message", gatewayAccountId: "ua-1", key: "message:ua-1:m1" })
    assert.deepInclude(told?._tag === "Message" ? told.message : {}, { direction: "inbound", text: "Please stop" })
    const own = parsed({ ...message, sender: { attendee_provider_id: owner } })
    assert.strictEqual(own?._tag === "Message" && own.message.direction, "outbound")
    assert.strictEqual(parsed({ ...message, account_info: undefined }), undefined)
    assert.strictEqual(parsed({ ...message, sender: undefined }), undefined)
    assert.strictEqual(parsed({ ...message, timestamp: "soon" }), undefined)
  })

  it("is a relation, plain or in the newer envelope", () => {
    const told = parsed(relation)
    assert.deepInclude(told, { _tag: "Relation", key: `relation:ua-1:${ann}` })
    const kinds = told?._tag === "Relation" ? told.person.identities.map(({ kind, value }) => `${kind}:${value}`) : []
    assert.deepStrictEqual(kinds, [`profile_token:${ann}`, "slug:ann-lee"])
    const { event: _, ...payload } = relation
    const envelope = {
      object: "Event",
      id: "evt_1",
      type: "relation.new",
      created_at: "x",
      account_id: "ua-1",
      payload
    }
    assert.deepStrictEqual(parsed(envelope), told)
  })

  it("is an account's state, nested, flat or enveloped", () => {
    const inner = { account_id: "ua-1", account_type: "LINKEDIN", message: "CREDENTIALS" }
    const nested = parsed({ AccountStatus: inner })
    assert.deepStrictEqual(nested, {
      _tag: "AccountStatus",
      gatewayAccountId: "ua-1",
      key: null,
      status: "CREDENTIALS"
    })
    assert.deepStrictEqual(parsed(inner), nested)
    const enveloped = { id: "evt_2", type: "account.status", account_id: "ua-1", payload: { status: "DELETED" } }
    assert.deepInclude(parsed(enveloped), { status: "DELETED", key: "event:evt_2" })
    for (const word of ["CREATION_SUCCESS", "RECONNECTED", "SYNC_SUCCESS", "OK"]) {
      assert.deepInclude(parsed({ AccountStatus: { ...inner, message: word } }), { status: "OK" })
    }
    assert.strictEqual(parsed({ AccountStatus: { ...inner, message: "DANCING" } })?._tag, "Nothing")
  })

  it("is the end of a hosted link", () => {
    const told = parsed({ status: "CREATION_SUCCESS", account_id: "ua-1", name: "state" })
    assert.deepInclude(told, { _tag: "AccountLinked", state: "state", isReconnection: false })
    assert.deepInclude(parsed({ status: "RECONNECTED", account_id: "ua-1", name: "s" }), { isReconnection: true })
  })

  it("is nothing to us where it is well formed and of another kind", () => {
    assert.strictEqual(parsed({ ...message, event: "message_read" })?._tag, "Nothing")
    assert.strictEqual(parsed({ id: "evt_3", type: "mail.opened", payload: {} })?._tag, "Nothing")
  })

  it("never throws", () => {
    const samples = [message, relation, { AccountStatus: { account_id: "a", message: "OK" } }]
    const mixed = fc
      .tuple(fc.constantFrom(...samples), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([a, b]) => ({ ...a, ...b }))
    const replaced = fc
      .record({ sample: fc.constantFrom(...samples), at: fc.nat(9), value: fc.jsonValue() })
      .map(({ sample, at, value }) => {
        const keys = Object.keys(sample)
        return { ...sample, [keys[at % keys.length] ?? ""]: value }
      })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), mixed, replaced, fc.anything()), (payload) => {
        assert.isTrue(Result.isResult(parseWebhook(payload)))
      }),
      { numRuns: effort(500) }
    )
  })
})

/** A receiver that keeps the bodies it got; the first `failures` are answered 500. */
const receiver = (failures = 0) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ url: string; bodies: Array<string>; secrets: Set<unknown>; close: () => void }>((resolve) => {
          const bodies: Array<string> = []
          const secrets = new Set<unknown>()
          let left = failures
          const server = createServer((request, response) => {
            let body = ""
            request.on("data", (chunk) => (body += chunk))
            request.on("end", () => {
              secrets.add(request.headers["x-secret"])
              left -= 1
              if (left < 0) bodies.push(body)
              response.writeHead(left < 0 ? 200 : 500).end()
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            resolve({ url: `http://127.0.0.1:${port}/hook`, bodies, secrets, close: () => server.close() })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

describe("the fake's webhooks", () => {
  it.live("come twice, out of order, late and sometimes not at all", () =>
    withFake(["ann", "bea-2nd"], ({ fake, gateway }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { url, bodies, secrets } = yield* receiver(1)
          const headers = [{ key: "x-secret", value: "s3" }]
          for (const source of ["messaging", "users"]) {
            fake.webhooks.registrations.push({ id: source, url, source, headers })
          }
          fake.webhooks.unreliability = { duplicateEvery: 2, loseEvery: 5, reverseBatch: 4, retryAfter: 5 }
          const chat = fake.world.openChat("ua-1", "ann")
          for (const text of ["1", "2", "3", "4", "5", "6"]) tellMessage(fake, fake.world.write(chat, text, false))
          yield* gateway.sendInvitation(account, { ...to(bySlug("bea-2nd")), note: null })
          fake.advance(31_000)
          yield* Effect.promise(() => fake.webhooks.flush())
          const told = bodies.map((body) => parsed(JSON.parse(body)))
          const texts = told.flatMap((one) => (one?._tag === "Message" ? [one.message.text] : []))
          assert.deepStrictEqual(texts.toSorted(), ["1", "2", "2", "3", "4", "4", "6", "6"])
          assert.notDeepEqual(texts, texts.toSorted())
          assert.lengthOf(
            told.filter((one) => one?._tag === "Relation"),
            1
          )
          assert.deepStrictEqual([...secrets], ["s3"])
        })
      )
    )
  )

  it("and all of it works as a process of its own", async () => {
    const fake = await startFakeProcess()
    try {
      await fake.control("account", { id: "ua-1" })
      await fake.control("people", { slugs: ["ann", "eve-unknown"] })
      const send = (slug: string) => {
        const form = new FormData()
        const fields = { account_id: "ua-1", text: "Hi", attendees_ids: personOf(slug).profileToken }
        for (const [name, value] of Object.entries(fields)) form.append(name, value)
        return fetch(`${fake.url}/api/v1/chats`, { method: "POST", body: form, headers: { "x-api-key": fake.apiKey } })
      }
      assert.strictEqual((await send("ann")).status, 201)
      const broken = await send("eve-unknown").then(
        () => false,
        () => true
      )
      assert.isTrue(broken)
      const ledger: unknown = await fake.control("ledger")
      const slugs = JSON.stringify(ledger).match(/"slug":"[a-z-]+"/g)
      assert.deepStrictEqual(slugs, ['"slug":"ann"', '"slug":"eve-unknown"'])
    } finally {
      await fake.stop()
    }
  })
})
