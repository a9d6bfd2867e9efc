/**
 * Rate limits in Redis: shared by servers, and no reason to fail when it is gone. On a fake, and on a real Redis where
 * `redis-server` is installed.
 */
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeRedis } from "#http/redis/RedisConnection.ts"
import { parseRedisUrl } from "#http/redis/RedisUrl.ts"
import { fakeRedis } from "../support/fakeRedis.ts"
import { localCertificate } from "../support/localCertificate.ts"
import { findRedis, type RedisServer, startRedis } from "../support/redisServer.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const warning = "Rate limits are not shared"

/** How each kind of Redis is started. */
const kinds: Record<
  string,
  (options?: { readonly port?: number; readonly password?: string }) => Promise<RedisServer>
> = { fake: fakeRedis }
const installed = findRedis()
if (installed === undefined) console.warn("redis-server is not installed: shared limits are tested on a fake alone.")
else kinds["real"] = (options) => startRedis(installed, options)

const redisAt = (port: number) => makeRedis(Result.getOrThrow(parseRedisUrl(`redis://127.0.0.1:${port}`)))

// Servers give Redis half a second to respond, which a busy machine may not have.
describe("rate limits of several servers", { retry: 3 }, () => {
  let key = ""
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    key = (await svcInProcess(["keys", "generate"])).stdout.trim()
    await writeFile(join(folder.path, "ca.pem"), localCertificate)
  })
  afterAll(() => folder.remove())

  /** A server of its own that knows the same key. */
  const start = async (SVC_REDIS_URL: string, env: Readonly<Record<string, string>> = {}): Promise<RunningSvc> => {
    const server = await startSvc(["serve"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_BOOTSTRAP_KEY: key, SVC_RATE_LIMIT: "30", SVC_REDIS_URL, ...env }
    })
    // Also when the test fails.
    onTestFinished(async () => void (await server.stop()))
    return server
  }
  const ask = async ({ url }: RunningSvc) => {
    const answer = await fetch(`${url}/api/v1/offers`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer
  }
  const statuses = async (servers: ReadonlyArray<RunningSvc>) => {
    const found: Array<number> = []
    for (const server of servers) found.push((await ask(server)).status)
    return found
  }
  const warnings = (server: RunningSvc): number => server.stderr().split(warning).length - 1
  /** What one bucket of six, which gains one in two seconds, may have granted since then. */
  const grantedSince = (begun: number): number => 6 + Math.ceil((Date.now() - begun) / 2_000)

  it.for(Object.entries(kinds))("one key has one bucket, wherever it asks: %s", async ([, startKind]) => {
    const redis = await startKind()
    const url = `redis://127.0.0.1:${redis.port}`
    const [one, two] = [await start(url), await start(url)]
    const begun = Date.now()
    const found = await statuses(Array.from({ length: 8 }, () => [one, two]).flat())
    const granted = found.filter((status) => status === 200).length
    // Two of them would grant twelve.
    assert.isAtLeast(granted, 6)
    assert.isAtMost(granted, grantedSince(begun))
    assert.includeMembers([...new Set(found)], [200, 429])
    const last = [await ask(one), await ask(two)]
    for (const { headers, status } of last) if (status === 429) assert.oneOf(headers.get("retry-after"), ["1", "2"])
    // Scripts are gone after a restart, and come back by themselves.
    const flushed = Effect.flatMap(redisAt(redis.port), ({ send }) => send("SCRIPT", "FLUSH"))
    await Effect.runPromise(Effect.scoped(flushed))
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    const again = await ask(two)
    assert.strictEqual(again.status, 200)
    // Had the bucket been filled anew, five would remain.
    const before = granted + last.filter(({ status }) => status === 200).length
    const remaining = Number(again.headers.get("x-ratelimit-remaining"))
    assert.isAtMost(before + 1 + remaining, grantedSince(begun))
    assert.deepStrictEqual([warnings(one), warnings(two)], [0, 0])
    for (const server of [one, two]) assert.strictEqual(await server.stop(), 0)
    await redis.close()
  })

  it.for(Object.entries(kinds))(
    "a server counts for itself without Redis, says so once, and shares again: %s",
    async ([, startKind]) => {
      const first = await startKind()
      const { port } = first
      await first.close()
      const server = await start(`redis://:sesame@127.0.0.1:${port}/3`)
      const begun = Date.now()
      const found: Array<number> = []
      while (found.at(-1) !== 429 && found.length < 100) found.push(...(await statuses([server])))
      assert.isAtLeast(found.length, 7)
      assert.isAtMost(found.length - 1, grantedSince(begun))
      await new Promise((resolve) => setTimeout(resolve, 2_100))
      assert.strictEqual((await ask(server)).status, 200)
      assert.strictEqual(warnings(server), 1, server.stderr())
      const redis = await startKind({ port, password: "sesame" })
      for (let look = 0; look < 60 && !server.stderr().includes("Rate limits are shared again"); look++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        await ask(server)
      }
      assert.deepStrictEqual(await statuses(Array.from({ length: 4 }, () => server)), [200, 200, 200, 200])
      await redis.close()
      assert.strictEqual((await ask(server)).status, 200)
      assert.strictEqual(warnings(server), 2)
      assert.notInclude(server.stderr(), "sesame")
      assert.strictEqual(await server.stop(), 0)
    }
  )

  it("a Redis that says nothing costs one request half a second, and no other", async () => {
    const redis = await fakeRedis({ silent: true })
    const server = await start(`redis://127.0.0.1:${redis.port}`)
    const begun = Date.now()
    assert.deepStrictEqual(await statuses([server, server, server, server, server]), [200, 200, 200, 200, 200])
    // A request that asks Redis waits for it. Another one does after two seconds, however many there are.
    assert.isBelow(redis.connections(), 2 + (Date.now() - begun) / 2_000)
    assert.strictEqual(warnings(server), 1)
    assert.strictEqual(await server.stop(), 0)
    await redis.close()
  })

  it("are asked for over TLS, with user and password, and a certificate that is known", async () => {
    const redis = await fakeRedis({ secure: true, username: "ada", password: "se:s@me" })
    const ca = { NODE_EXTRA_CA_CERTS: join(folder.path, "ca.pem") }
    const url = `rediss://ada:${encodeURIComponent("se:s@me")}@localhost:${redis.port}`
    const server = await start(url, ca)
    assert.strictEqual((await ask(server)).status, 200)
    assert.strictEqual(warnings(server), 0, server.stderr())
    assert.deepInclude(redis.commands(), ["AUTH", "ada", "se:s@me"])
    assert.isTrue(redis.commands().some(([name]) => name === "EVALSHA"))
    await server.stop()
    const wrong = await start(url.replace("ada", "eve"), ca)
    const stranger = await start(url)
    for (const other of [wrong, stranger]) {
      assert.strictEqual((await ask(other)).status, 200)
      assert.strictEqual(warnings(other), 1)
      assert.notInclude(other.stderr(), "se:s@me")
      assert.notInclude(other.stderr(), encodeURIComponent("se:s@me"))
      await other.stop()
    }
    assert.include(wrong.stderr(), "WRONGPASS")
    await redis.close()
  })

  it("are not asked for when there are none", async () => {
    const redis = await fakeRedis()
    const server = await start(`redis://127.0.0.1:${redis.port}`, { SVC_RATE_LIMIT: "0" })
    assert.deepStrictEqual(await statuses(Array.from({ length: 8 }, () => server)), Array<number>(8).fill(200))
    await server.stop()
    assert.deepStrictEqual(redis.commands(), [])
    await redis.close()
  })
})

describe("a connection to Redis", () => {
  it.for(Object.entries(kinds))(
    "carries many commands at once, and is replaced when it is lost: %s",
    async ([, start]) => {
      const first = await start()
      await Effect.runPromise(
        Effect.gen(function* () {
          const { send } = yield* redisAt(first.port)
          const replies = yield* Effect.all(
            Array.from({ length: 200 }, () => send("PING")),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(new Set(replies), new Set(["PONG"]))
          const refused = yield* Effect.flip(send("NOTHING"))
          assert.include(String(refused.cause), "unknown command")
          yield* Effect.promise(first.close)
          const lost = yield* Effect.flip(send("PING"))
          assert.match(String(lost.cause), /ECONNREFUSED|closed/i)
          const second = yield* Effect.promise(() => start({ port: first.port }))
          assert.strictEqual(yield* send("PING"), "PONG")
          yield* Effect.promise(second.close)
        }).pipe(Effect.scoped)
      )
    }
  )

  it("fails in time when what listens says nothing, is no Redis, or refuses the login", async () => {
    const silent = await fakeRedis({ silent: true })
    const strict = await fakeRedis({ password: "sesame" })
    const web = createServer((_, response) => response.end("hello"))
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve))
    const address = web.address()
    const webPort = typeof address === "object" && address !== null ? address.port : 0
    const reasonAt = (url: string) =>
      Effect.gen(function* () {
        const redis = yield* makeRedis(Result.getOrThrow(parseRedisUrl(url)), 300)
        return String((yield* Effect.flip(redis.send("PING"))).cause)
      }).pipe(Effect.scoped, Effect.runPromise)
    assert.include(await reasonAt(`redis://127.0.0.1:${silent.port}`), "did not respond within 300 ms")
    assert.include(await reasonAt(`redis://:wrong-word@127.0.0.1:${strict.port}`), "WRONGPASS")
    assert.include(await reasonAt(`redis://127.0.0.1:${strict.port}/5`), "NOAUTH")
    assert.notInclude(await reasonAt(`redis://:wrong-word@127.0.0.1:${webPort}/1`), "wrong-word")
    web.closeAllConnections()
    await Promise.all([silent.close(), strict.close(), new Promise((resolve) => web.close(resolve))])
  })

  it("opens the database that the URL names", async () => {
    const redis = await fakeRedis({ password: "sesame" })
    const target = Result.getOrThrow(parseRedisUrl(`redis://:sesame@127.0.0.1:${redis.port}/3`))
    await Effect.runPromise(Effect.scoped(Effect.flatMap(makeRedis(target), ({ send }) => send("PING"))))
    assert.deepInclude(redis.commands(), ["SELECT", "3"])
    await redis.close()
  })

  it("is told where by a URL, which is shown without its password", () => {
    const read = (text: string) => Result.getOrThrow(parseRedisUrl(text))
    assert.deepInclude(read("redis://127.0.0.1"), { port: 6379, isSecure: false, database: 0, password: undefined })
    const full = read("rediss://ada:se%2Fsame@[::1]:7000/12")
    assert.deepInclude(full, { host: "::1", port: 7000, isSecure: true, username: "ada", database: 12 })
    assert.strictEqual(full.label, "rediss://[::1]:7000/12")
    assert.notInclude(JSON.stringify(full), "same")
    for (const bad of ["redis", "http://x", "redis://x/abc", "redis://x?a=1", "redis://ada@x", "redis://:%ff@x"]) {
      const refusal = parseRedisUrl(bad)
      assert.isTrue(Result.isFailure(refusal), bad)
    }
  })
})
