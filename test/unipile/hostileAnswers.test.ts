import { createServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as fc from "fast-check"
import { type Failure, isFailure } from "#core/kernel/failure/Failure.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { effort } from "../support/effort.ts"
import { personOf } from "../support/fakeUnipile/World.ts"
import { account, adapter, bySlug, byToken, secret, to } from "./unipileWorld.ts"

/** A server that answers each connection with the same bytes and closes it, whatever was asked. */
const withServer = <A>(run: (dsn: string, answer: (bytes: Uint8Array) => void) => Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    let bytes: Uint8Array = new Uint8Array()
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.once("data", () => socket.end(bytes))
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      run(`http://127.0.0.1:${port}`, (next) => {
        bytes = next
      })
        .then(resolve, reject)
        .finally(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    })
  })

const token = personOf("ann").profileToken
const known = {
  object: "ChatStarted",
  items: [{ id: token, object: "Chat", attendee_provider_id: token, timestamp: "2026-01-01T00:00:00Z" }],
  cursor: "next",
  provider_id: token,
  network_distance: "FIRST_DEGREE",
  invitation: { type: "SENT", status: "PENDING" },
  type: "errors/blocked_recipient",
  title: `The key ${secret} is wrong`,
  detail: secret,
  url: `https://x.example/${secret}`,
  message_id: "m1",
  paging: { total_count: 1 }
}

/** Answers that look like the provider's, with some members replaced by anything. */
const nearly = fc
  .record({ replaced: fc.subarray(Object.keys(known)), value: fc.jsonValue({ maxDepth: 2 }) })
  .map(({ replaced, value }) =>
    JSON.stringify({ ...known, ...Object.fromEntries(replaced.map((key) => [key, value])) })
  )

const answer = fc.oneof(
  fc
    .record({
      status: fc.constantFrom(100, 200, 201, 204, 302, 400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 504, 599, 999),
      reason: fc.constantFrom("OK", secret),
      header: fc.constantFrom("", "retry-after: -1\r\n", "retry-after: 1e9\r\n", "content-encoding: gzip\r\n"),
      extra: fc.constantFrom(0, 0, 0, 50, -3),
      body: fc.oneof(nearly, nearly, fc.json(), fc.string({ maxLength: 200 }), fc.constant("<html></html>"))
    })
    .map(({ status, reason, header, extra, body }) => {
      const length = Math.max(0, Buffer.byteLength(body) + extra)
      return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: ${length}\r\n${header}\r\n${body}`)
    }),
  fc.uint8Array({ maxLength: 300 })
)

const query = { chatId: null, since: "2026-01-01T00:00:00.000Z", cursor: null }

/** Everything that the adapter can be asked for. */
const calls = (services: Context.Context<LinkedInGateway>) => {
  const gateway = Context.get(services, LinkedInGateway)
  const ann = byToken(token)
  const writes = [
    gateway.sendToChat(account, { ...to(ann), chatId: "c1", text: "x" }),
    gateway.startChat(account, { ...to(ann), text: "x" }),
    gateway.startChat(account, { ...to(bySlug("ann")), text: "x" }),
    gateway.sendInvitation(account, { ...to(ann), note: "x" }),
    gateway.withdrawInvitation(account, ann)
  ]
  const reads: ReadonlyArray<Effect.Effect<unknown, Failure>> = [
    gateway.searchPeople(account, { url: "https://www.linkedin.com/sales/search/people", cursor: null, limit: 25 }),
    gateway.resolveProfile(account, ann.identities),
    gateway.findChat(account, ann),
    gateway.listMessages(account, query),
    gateway.listRelations(account, query),
    gateway.accounts.find?.("ua-1") ?? Effect.void,
    gateway.accounts.subscribe?.("ua-1", "https://svc.example/hook") ?? Effect.void
  ]
  return { writes, reads, looks: [gateway.relation(account, ann), gateway.relation(account, bySlug("ann"))] }
}

const patience = { read: 300, write: 300, search: 300, pauses: [1, 1] } as const

describe("whatever the provider answers", () => {
  it(
    "the gateway does not throw, and the key is in no answer and no log",
    () =>
      withServer((dsn, set) =>
        fc.assert(
          fc.asyncProperty(answer, async (bytes) => {
            set(bytes)
            const lines: Array<unknown> = []
            const logger = Logger.make(({ message, cause }) => lines.push([message, String(cause)]))
            const checks = Effect.gen(function* () {
              const { writes, reads, looks } = calls(yield* Layer.build(adapter(dsn, secret, patience)))
              for (const write of writes) {
                const result = yield* write
                assert.include(["Confirmed", "Refused", "Unavailable", "Unknown"], result._tag)
                lines.push(result)
              }
              for (const look of looks) {
                const result = yield* look
                assert.include(["Known", "Refused", "Unavailable"], result._tag)
                lines.push(result)
              }
              for (const read of reads) {
                const result = yield* Effect.result(read)
                if (result._tag === "Failure") {
                  assert.isTrue(isFailure(result.failure))
                  lines.push(result.failure.message, result.failure.stack)
                }
              }
            })
            const exit = await Effect.runPromiseExit(checks.pipe(Effect.scoped, Effect.provide(Logger.layer([logger]))))
            assert.isTrue(Exit.isSuccess(exit), JSON.stringify(exit))
            assert.notInclude(JSON.stringify(lines), secret)
          }),
          { numRuns: effort(40) }
        )
      ),
    600_000
  )
})

describe("settings", () => {
  const attempt = (dsn: string, key = secret) =>
    Effect.runPromise(Effect.scoped(Effect.result(Layer.build(adapter(dsn, key)))))

  it("are refused with the variable's name and without the key", async () => {
    const bad = [
      "",
      "ftp://x.example",
      "http://api.example.com:1",
      "https://user:pw@api.example.com",
      "https://api.example.com/other",
      "https://api.example.com?key=1",
      "http://127.0.0.1.example.com",
      "a b",
      "x".repeat(400)
    ]
    for (const dsn of bad) {
      const result = await attempt(dsn)
      assert.strictEqual(result._tag, "Failure", dsn)
      if (result._tag === "Failure") assert.include(result.failure.message, "SVC_UNIPILE_DSN")
    }
    for (const key of ["", "two words", "line\nbreak", "ключ"]) {
      const result = await attempt("https://api.example.com", key)
      assert.strictEqual(result._tag, "Failure")
      if (result._tag === "Failure") {
        assert.include(result.failure.message, "SVC_UNIPILE_API_KEY")
        if (key !== "") assert.notInclude(result.failure.message, key)
      }
    }
    for (const dsn of ["api8.example.com:13851", "https://api.example.com/", "http://localhost:1", "http://[::1]:9"]) {
      assert.strictEqual((await attempt(dsn))._tag, "Success", dsn)
    }
  })
})
