/** Requests as receivers get them: signatures, the gate, limits. */
import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { type WebhookRequest, type WebhookResponse, WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { isPrivateUrl, isPublicAddress, WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import {
  layerWith,
  maxResponseBytes,
  retryAfterSeconds,
  type SenderOptions
} from "#providers/webhooks/HttpWebhookSender.ts"
import { receiver } from "./receiver.ts"
import { loopbackSpellings, namesOfOthers, privateSpellings } from "./spellings.ts"

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`
const here = { allowPrivate: false, allowLoopback: true }
const nowhere = { allowPrivate: false, allowLoopback: false }

const post = (
  request: Partial<WebhookRequest> & { readonly url: string },
  rule: { readonly allowPrivate: boolean; readonly allowLoopback: boolean } = here,
  options: SenderOptions = {}
): Effect.Effect<WebhookResponse> =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({
      messageId: "evt_1",
      sentAt: Date.now(),
      body: `{"id":"evt_1","text":"Zoë “ok” 💡"}`,
      secrets: [Redacted.make(newSecret())],
      ...request
    })
  ).pipe(Effect.provide(layerWith(options).pipe(Layer.provide(Layer.succeed(WebhookTargets, rule)))))

const reasonOf = (answer: WebhookResponse) =>
  answer._tag === "Unanswered" ? answer.reason : assert.fail(`answered ${answer.status}`)

describe("signatures", () => {
  it.live("verify with two libraries, with either secret of a rotation, and with nothing else", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const secrets = [newSecret(), newSecret()]
      const sent = { url: there.url, secrets: secrets.map((one) => Redacted.make(one)) }
      assert.deepInclude(yield* post(sent), { _tag: "Answered", status: 204 })
      const [got] = there.received
      if (got === undefined) return assert.fail("nothing arrived")
      const headers = {
        "webhook-id": String(got.headers["webhook-id"]),
        "webhook-timestamp": String(got.headers["webhook-timestamp"]),
        "webhook-signature": String(got.headers["webhook-signature"])
      }
      assert.lengthOf(headers["webhook-signature"].split(" "), 2)
      for (const Library of [Webhook, SvixWebhook]) {
        for (const secret of secrets) {
          assert.doesNotThrow(() => new Library(secret).verify(got.body, headers))
        }
        assert.throws(() => new Library(newSecret()).verify(got.body, headers))
        assert.throws(() => new Library(secrets[0] ?? "").verify(`${got.body} `, headers))
        assert.throws(() => new Library(secrets[0] ?? "").verify(got.body, { ...headers, "webhook-id": "evt_2" }))
      }
      assert.deepInclude(JSON.parse(got.body), { id: "evt_1", text: "Zoë “ok” 💡" })
      assert.match(String(got.headers["user-agent"]), /^svc\//)
      assert.strictEqual(got.headers["content-type"], "application/json")
    }).pipe(Effect.scoped)
  )
})

describe("the gate", () => {
  it.live("lets no spelling of a private address be connected to, whatever a name resolves to", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      const spellings = [...loopbackSpellings, ...privateSpellings]
      assert.isAtLeast(spellings.length, 60)
      for (const host of spellings) {
        const url = `http://${host}:${there.port}/hook`
        const reason = reasonOf(yield* post({ url }, nowhere, { timeout: 60_000 }))
        assert.match(reason, /private network|must be http|could not be resolved/, host)
        if (URL.canParse(url)) assert.isTrue(isPrivateUrl(url), `${host} may be registered`)
      }
      for (const host of namesOfOthers) {
        for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7", "fe80::1%lo"]) {
          const resolve = async () =>
            [
              { address: "8.8.8.8", family: 4 },
              { address, family: address.includes(":") ? 6 : 4 }
            ] as const
          const reason = reasonOf(yield* post({ url: `http://${host}:${there.port}/` }, nowhere, { resolve }))
          assert.match(reason, /private network/, `${host} as ${address}`)
        }
      }
      assert.strictEqual(there.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("connects to the address that was checked, though the name means another the next time", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      let asked = 0
      const resolve = async () => {
        asked++
        return asked === 1
          ? ([{ address: "127.0.0.1", family: 4 }] as const)
          : ([{ address: "10.0.0.1", family: 4 }] as const)
      }
      const answer = yield* post({ url: `http://rebind.example:${there.port}/x` }, here, { resolve, timeout: 60_000 })
      assert.deepInclude(answer, { _tag: "Answered", status: 204 })
      assert.strictEqual(asked, 1)
      assert.strictEqual(there.received[0]?.headers.host, `rebind.example:${there.port}`)
    }).pipe(Effect.scoped)
  )

  it.live("opens for this machine alone where that is allowed, and for private networks only by setting", () =>
    Effect.gen(function* () {
      const there = yield* receiver()
      assert.deepInclude(yield* post({ url: there.url }), { status: 204 })
      assert.match(reasonOf(yield* post({ url: "http://10.0.0.1/" })), /private network/)
      assert.deepInclude(yield* post({ url: there.url }, { allowPrivate: true, allowLoopback: false }), { status: 204 })
      assert.match(reasonOf(yield* post({ url: `http://user:pass@127.0.0.1:${there.port}/` })), /user name/)
    }).pipe(Effect.scoped)
  )

  it.live("reaches public addresses by https alone, on two ports, whoever registered another", () =>
    Effect.gen(function* () {
      let asked = 0
      const resolve = async () => {
        asked++
        return [{ address: "8.8.8.8", family: 4 }] as const
      }
      for (const url of ["http://a.example/", "https://a.example:8080/", "http://8.8.8.8/", "http://a.example:443/"]) {
        for (const rule of [nowhere, here]) {
          assert.match(reasonOf(yield* post({ url }, rule, { resolve, timeout: 60_000 })), /begin with https/, url)
        }
      }
      assert.strictEqual(asked, 6)
    })
  )

  it("knows public addresses from all others", () => {
    for (const one of ["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]) {
      assert.isTrue(isPublicAddress(one), one)
    }
    for (const one of ["", "x", "1.2.3", "64:ff9b::8.8.8.8", "2002:808:808::", "::8.8.8.8", "fe80::1%eth0", "100::1"]) {
      assert.isFalse(isPublicAddress(one), one)
    }
  })
})

describe("a request", () => {
  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      const inner = yield* receiver()
      for (const status of [301, 302, 303, 307, 308]) {
        const there = yield* receiver(
          (_request, response) => void response.writeHead(status, { location: inner.url }).end()
        )
        assert.deepInclude(yield* post({ url: there.url }), { _tag: "Answered", status })
      }
      assert.strictEqual(inner.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("ends in time, whether a receiver is silent, slow or endless", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => undefined)
      const dripping = yield* receiver((_request, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write("."), 20)
        response.on("close", () => clearInterval(timer))
      })
      for (const { url } of [silent, dripping]) {
        assert.match(reasonOf(yield* post({ url }, here, { timeout: 300 })), /did not respond within/)
      }
      let written = 0
      const endless = yield* receiver((_request, response) => {
        response.writeHead(200)
        const pour = () => {
          while (!response.destroyed && response.write("x".repeat(16_384))) written += 16_384
          if (!response.destroyed) response.once("drain", pour)
        }
        pour()
      })
      assert.deepInclude(yield* post({ url: endless.url }), { _tag: "Answered", status: 200, snippet: "" })
      assert.isBelow(written, maxResponseBytes * 200)
    }).pipe(Effect.scoped)
  )

  it.live("says what went wrong without addresses or secrets, and when to come back", () =>
    Effect.gen(function* () {
      const secret = newSecret()
      const secrets = [Redacted.make(secret)]
      const echo = yield* receiver(
        (request, response) =>
          void response.writeHead(429, { "retry-after": "17" }).end(JSON.stringify(request.headers))
      )
      const refusal = yield* post({ url: echo.url, secrets })
      assert.deepStrictEqual(refusal, { _tag: "Answered", status: 429, retryAfterSeconds: 17, snippet: "" })
      const cut = yield* receiver((request) => void request.socket.destroy())
      const closed = `http://127.0.0.1:${(yield* Effect.scoped(receiver())).port}/`
      const tls = echo.url.replace("http:", "https:")
      const missing = () => Promise.reject(Object.assign(new Error(`no ${secret}`), { code: "ENOTFOUND" }))
      const reasons = [
        reasonOf(yield* post({ url: cut.url, secrets })),
        reasonOf(yield* post({ url: closed, secrets })),
        reasonOf(yield* post({ url: tls, secrets })),
        reasonOf(yield* post({ url: "https://nobody.example/", secrets }, here, { resolve: missing }))
      ]
      assert.match(reasons[0] ?? "", /connection to the receiver failed \(ECONNRESET\)/)
      assert.match(reasons[1] ?? "", /ECONNREFUSED/)
      assert.match(reasons[2] ?? "", /TLS|connection/)
      assert.match(reasons[3] ?? "", /could not be resolved \(ENOTFOUND\)/)
      for (const reason of reasons) {
        assert.notInclude(reason, secret)
        assert.notInclude(reason, "127.0.0.1")
      }
      assert.strictEqual(JSON.stringify({ secrets }).includes(secret), false)
    }).pipe(Effect.scoped)
  )

  it("reads Retry-After in both forms, and nothing else", () => {
    const now = Date.UTC(2026, 10, 21, 8)
    assert.strictEqual(retryAfterSeconds("120", now), 120)
    assert.strictEqual(retryAfterSeconds("Sat, 21 Nov 2026 08:02:00 GMT", now), 120)
    for (const bad of [undefined, "", "-1", "soon", "1.5", "Sat, 21 Nov 2020 08:02:00 GMT", `${"9".repeat(50)}`]) {
      assert.isNull(retryAfterSeconds(bad, now), bad)
    }
  })
})
