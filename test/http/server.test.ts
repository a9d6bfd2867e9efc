/** The surface on a port: bytes that are no HTTP, limits, and an orderly end. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import type { Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Command from "#core/kernel/command/Command.ts"
import { serve } from "#http/NodeServer.ts"
import { at, openService, type Service, smallOffer, textAt } from "../support/httpService.ts"
import { openSocket, type RawReply, readRaw, sendRaw } from "../support/rawHttp.ts"

/** The slow command has begun, and may end. */
const begun = Deferred.makeUnsafe<void>()
const mayEnd = Deferred.makeUnsafe<void>()

const Slow = Command.make({
  id: "host.slow",
  title: "Wait",
  summary: "Wait until the test goes on.",
  description: "Waits until the test goes on, then answers.",
  whenToUse: "In tests.",
  category: "workspace",
  risk: "mutate",
  scope: "offers:read",
  input: Schema.Struct({}),
  output: Schema.Struct({ done: Schema.Boolean }),
  failures: [],
  examples: [{ title: "A moment", input: {} }],
  run: () => Effect.as(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(mayEnd)), { done: true })
})

/** A service of its own on a free port. */
const listen = async (shutdownTimeout: Duration.Input = "8 seconds") => {
  const service = await openService({ commands: [Slow] })
  const scope = Scope.makeUnsafe()
  const port = await service.svc.effect.runtime.runPromise(
    Scope.provide(serve({ host: "127.0.0.1", port: 0, shutdownTimeout }), scope)
  )
  return {
    service,
    port,
    url: `http://127.0.0.1:${port}`,
    /** Ends the server alone. */
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await service.svc.close()
    }
  }
}

let server: Awaited<ReturnType<typeof listen>>
let service: Pick<Service, "key">
beforeAll(async () => {
  server = await listen()
  service = server.service
})
afterAll(() => server.close())

const isRawError = (reply: RawReply, status: number): void => {
  assert.strictEqual(reply.status, status, reply.body)
  assert.strictEqual(reply.headers.get("content-type"), "application/json")
  assert.match(reply.headers.get("svc-request-id") ?? "", /^req_[0-9a-f-]{36}$/)
  const body: unknown = JSON.parse(reply.body)
  assert.strictEqual(typeof at(body, "error.code"), "string")
  assert.match(textAt(body, "error.message"), /\.$/)
}

const head = (line: string, headers: Readonly<Record<string, string>> = {}): string =>
  `${line} HTTP/1.1\r\nHost: svc.test\r\nAuthorization: Bearer ${service.key}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

describe("what is not HTTP, or too much of it", () => {
  it.each<readonly [string, string, number]>([
    ["garbage", "hello\r\n\r\n", 400],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["binary garbage", "\u0016\u0003\u0001\u0000", 400],
    ["a broken header", "GET /healthz HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n", 400],
    [
      "two content lengths",
      "POST /api/v1/offers HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
      400
    ],
    [
      "length and chunks at once",
      "POST /api/v1/offers HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ],
    ["a method that is none", "FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 405],
    ["headers over 16 KiB", `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431],
    ["a target over 16 KiB", `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ["a thousand headers", `GET /healthz HTTP/1.1\r\nHost: a\r\n${"a: bcdefghijklm\r\n".repeat(1500)}\r\n`, 431]
  ])("%s is refused in JSON", async (_, bytes, status) => {
    isRawError(await sendRaw(server.port, bytes), status)
  })

  it("headers of 15 KiB are read", async () => {
    const reply = await sendRaw(server.port, `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(15_000)}\r\n\r\n`)
    assert.strictEqual(reply.status, 200)
  })

  it("HTTP/1.0, an absolute target, an unknown expectation and an offer to upgrade are answered as any request", async () => {
    const good = [
      "GET /healthz HTTP/1.0\r\n\r\n",
      "GET http://svc.test/healthz HTTP/1.1\r\nHost: svc.test\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ]
    for (const bytes of good) {
      const reply = await sendRaw(server.port, bytes)
      assert.strictEqual(reply.status, 200, bytes)
      assert.strictEqual(reply.body, '{"status":"ok"}')
    }
    const body = JSON.stringify(smallOffer)
    const upgraded = head("POST /api/v1/offers", {
      connection: "Upgrade",
      upgrade: "h2c",
      "transfer-encoding": "chunked",
      "content-type": "application/json"
    })
    const reply = await sendRaw(server.port, `${upgraded}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    assert.strictEqual(reply.status, 201, reply.body)
  })

  it.each([
    "//api/v1/offers",
    "/api/v1/../v1/offers",
    "/api/v1/./offers",
    "/api//v1/offers",
    "/api/v1/offers/",
    "/api/v1/offers%00",
    "/api/v1%2Foffers",
    "/api/v1/offers/%2e%2e/agents",
    "/api/v1/%E0%A4%A",
    "/API/v1/offers",
    "*",
    "/api/v1/offers;x=1"
  ])("%s is not routed", async (target) => {
    isRawError(await sendRaw(server.port, head(`GET ${target}`)), 404)
  })
})

describe("bodies over their limit", () => {
  it("are refused from their length, before 100 Continue", async () => {
    const reply = await sendRaw(
      server.port,
      head("POST /api/v1/offers", {
        "content-length": "99999999",
        expect: "100-continue",
        "content-type": "application/json"
      })
    )
    isRawError(reply, 413)
    assert.strictEqual(reply.headers.get("connection"), "close")
  })

  it("are refused while they still arrive in chunks, on commands too", async () => {
    for (const path of ["/api/v1/offers", "/api/v1/commands/offer.create"]) {
      const socket = await openSocket(server.port)
      const reply = readRaw(socket)
      socket.write(head(`POST ${path}`, { "transfer-encoding": "chunked", "content-type": "application/json" }))
      const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`
      for (let n = 0; n < 20; n++) socket.write(chunk)
      isRawError(await reply, 413)
      assert.strictEqual((await reply).headers.get("connection"), "close")
      socket.destroy()
    }
  })

  it("what follows a refused body is not taken for a request", async () => {
    const socket = await openSocket(server.port)
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString()
    })
    const inner = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    socket.write(`${head("POST /api/v1/nothing", { "content-length": "3000000" })}${inner.repeat(1000)}`)
    await Promise.race([once(socket, "close"), new Promise((resolve) => setTimeout(resolve, 1500))])
    socket.destroy()
    assert.match(text, /^HTTP\/1\.1 404 /)
    assert.strictEqual(text.split("HTTP/1.1 200").length, 1)
  })
})

describe("over a connection that stays open", () => {
  it("answers, refuses and answers again", async () => {
    const socket = await openSocket(server.port)
    for (const [line, status] of [
      ["GET /healthz", 200],
      ["GET /nothing", 404],
      ["POST /api/v1/offers", 400],
      ["GET /healthz", 200]
    ] as const) {
      const reply = readRaw(socket)
      socket.write(head(line, line.startsWith("POST") ? { "content-length": "0" } : {}))
      assert.strictEqual((await reply).status, status)
      socket.removeAllListeners("data")
    }
    socket.destroy()
  })

  it("HEAD has the headers of GET and no body", async () => {
    for (const path of ["/healthz", "/api/v1/offers", "/api/v1/openapi.json"]) {
      const init = { headers: { authorization: `Bearer ${service.key}`, "accept-encoding": "identity" } }
      const get = await fetch(server.url + path, init)
      const length = Buffer.byteLength(await get.text())
      const without = await fetch(server.url + path, { ...init, method: "HEAD" })
      assert.strictEqual(without.status, 200)
      assert.strictEqual(without.headers.get("content-length"), String(length))
      assert.strictEqual(await without.text(), "")
    }
  })
})

describe("the end", () => {
  const slow = (url: string, key: string) =>
    fetch(`${url}/api/v1/commands/host.slow`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: "{}"
    })

  it("answers what was begun while it takes no more connections", async () => {
    const own = await listen()
    const answer = slow(own.url, own.service.key)
    const [silent, idle] = [await openSocket(own.port), await openSocket(own.port)]
    const first = readRaw(idle)
    idle.write(head("GET /healthz"))
    await first
    await Effect.runPromise(Deferred.await(begun))
    const stopped = own.stop()
    // These close while the command goes on, which nothing ends before.
    await Promise.all([once(silent, "close"), once(idle, "close")])
    const refused = await openSocket(own.port).then(
      () => false,
      () => true
    )
    assert.ok(refused, "a connection was accepted after the end began")
    Deferred.doneUnsafe(mayEnd, Effect.void)
    const reply = await answer
    assert.strictEqual(reply.status, 200)
    assert.deepStrictEqual(at(await reply.json(), "data"), { done: true })
    await stopped
    await own.close()
  })

  it("does not wait for ever for a connection that never finishes its request", async () => {
    const own = await listen("300 millis")
    const half = await openSocket(own.port)
    half.on("error", () => undefined)
    half.write("GET /healthz HTTP/1.1\r\nHost: a\r\n")
    const body = await openSocket(own.port)
    body.on("error", () => undefined)
    body.write("POST /api/v1/offers HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
    await new Promise((resolve) => setTimeout(resolve, 100))
    await own.close()
  })

  it("refused requests leave no listener on their socket", async () => {
    const sockets: Array<Socket> = []
    const seen = (message: unknown) => void (message instanceof Object && sockets.push(Reflect.get(message, "socket")))
    subscribe("net.server.socket", seen)
    const socket = await openSocket(server.port)
    const listeners = (): number =>
      sockets.reduce(
        (sum, one) => sum + one.eventNames().reduce((count, name) => count + one.listenerCount(name), 0),
        0
      )
    const refusals = ["Authorization: Bearer nobody\r\nContent-Length: 3\r\n\r\nabc", "Content-Length: 2\r\n\r\n{}"]
    let first = 0
    for (let n = 0; n < 20; n++) {
      socket.write(`POST /api/v1/offers HTTP/1.1\r\nHost: a\r\n${refusals[n % refusals.length]}`)
      assert.strictEqual((await readRaw(socket)).status, 401)
      if (n === 1) first = listeners()
    }
    unsubscribe("net.server.socket", seen)
    assert.strictEqual(sockets.length, 1)
    assert.strictEqual(listeners(), first)
    socket.destroy()
  })

  it("keeps connections for as long as it says, which by default is longer than balancers keep theirs", async () => {
    const told = async (port: number) => (await fetch(`http://127.0.0.1:${port}/healthz`)).headers.get("keep-alive")
    assert.strictEqual(await told(server.port), "timeout=65")
    await server.service.svc.effect.runtime.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const port = yield* serve({ host: "127.0.0.1", port: 0, keepAliveSeconds: 7 })
          assert.strictEqual(yield* Effect.promise(() => told(port)), "timeout=7")
        })
      )
    )
  })

  it("an address that cannot be had fails with a sentence that says what to do", async () => {
    const attempt = server.service.svc.effect.runtime.runPromise(
      Effect.scoped(Effect.flip(serve({ host: "127.0.0.1", port: server.port })))
    )
    const failure = await attempt
    assert.strictEqual(failure.code, "UNAVAILABLE")
    assert.match(failure.message, /SVC_PORT/)
  })
})
