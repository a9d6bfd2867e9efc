/** Rate limits in Redis: shared by servers, and no reason to fail when it is gone. Source: contract 1.11. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { makeRedisClient } from "@svc/http/redis/RedisClient"
import { parseReply, requestOf } from "@svc/http/redis/RedisReply"
import { parseRedisUrl } from "@svc/http/redis/RedisUrl"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { type FakeRedis, fakeRedis } from "../support/fakeRedis.ts"
import { localCertificate } from "../support/localCertificate.ts"
import { type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const warning = "rate limits are not shared"

describe("rate limits of several servers", { timeout: 60_000 }, () => {
  let key = ""
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    key = (await svc(["keys", "generate"])).stdout.trim()
    await writeFile(join(folder.path, "ca.pem"), localCertificate)
  })
  afterAll(() => folder.remove())

  /** A server of its own that knows the same key. */
  const start = (SVC_REDIS_URL: string, env: Readonly<Record<string, string>> = {}): Promise<RunningSvc> =>
    startSvc(["serve"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_BOOTSTRAP_KEY: key, SVC_RATE_LIMIT: "30", SVC_REDIS_URL, ...env }
    })
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

  it("one key has one bucket, wherever it asks", async () => {
    const redis = await fakeRedis()
    const url = process.env["SVC_TEST_REDIS_URL"] ?? `redis://127.0.0.1:${redis.port}`
    const [one, two] = [await start(url), await start(url)]
    assert.deepStrictEqual(await statuses([one, two, one, two, one, two]), [200, 200, 200, 200, 200, 200])
    const refused = [await ask(one), await ask(two)]
    assert.deepStrictEqual(
      refused.map(({ status }) => status),
      [429, 429]
    )
    assert.oneOf(refused[1]?.headers.get("retry-after"), ["1", "2"])
    // Scripts are gone after a restart, and come back by themselves.
    redis.forgetScripts()
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    const again = await ask(two)
    assert.strictEqual(again.status, 200)
    assert.strictEqual(again.headers.get("x-ratelimit-remaining"), "0")
    assert.deepStrictEqual([warnings(one), warnings(two)], [0, 0])
    for (const server of [one, two]) assert.strictEqual(await server.stop(), 0)
    await redis.close()
  })

  it("a server counts for itself while there is no Redis, says so once, and shares again when there is", async () => {
    const first = await fakeRedis()
    const { port } = first
    await first.close()
    const server = await start(`redis://:sesame@127.0.0.1:${port}/3`)
    assert.deepStrictEqual(await statuses(Array.from({ length: 7 }, () => server)), [
      ...Array<number>(6).fill(200),
      429
    ])
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    assert.strictEqual((await ask(server)).status, 200)
    assert.strictEqual(warnings(server), 1, server.stderr())
    const redis = await fakeRedis({ port, password: "sesame" })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    assert.deepStrictEqual(await statuses(Array.from({ length: 4 }, () => server)), [200, 200, 200, 200])
    assert.deepInclude(redis.commands(), ["SELECT", "3"])
    assert.include(server.stderr(), "rate limits are shared again")
    await redis.close()
    assert.strictEqual((await ask(server)).status, 200)
    assert.strictEqual(warnings(server), 2)
    assert.notInclude(server.stderr(), "sesame")
    assert.strictEqual(await server.stop(), 0)
  })

  it("a Redis that says nothing costs one request half a second, and no other", async () => {
    const redis = await fakeRedis({ silent: true })
    const server = await start(`redis://127.0.0.1:${redis.port}`)
    const begun = Date.now()
    assert.strictEqual((await ask(server)).status, 200)
    assert.isBelow(Date.now() - begun, 3_000)
    const next = Date.now()
    assert.deepStrictEqual(await statuses([server, server, server]), [200, 200, 200])
    assert.isBelow(Date.now() - next, 500)
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

describe("a Redis client", () => {
  const targetOf = ({ port }: FakeRedis) => Result.getOrThrow(parseRedisUrl(`redis://127.0.0.1:${port}`))

  it("matches many commands at once with their replies, and opens another connection after one is lost", async () => {
    const redis = await fakeRedis()
    const client = makeRedisClient(targetOf(redis))
    const replies = await Promise.all(Array.from({ length: 200 }, () => client.send(["PING"])))
    assert.deepStrictEqual(new Set(replies), new Set(["PONG"]))
    const refused = await client.send(["NOTHING"]).catch((error: unknown) => String(error))
    assert.include(String(refused), "unknown command")
    await redis.close()
    const lost = await client.send(["PING"]).catch((error: unknown) => String(error))
    assert.match(String(lost), /Redis (?:cannot be reached|closed the connection)/)
    const other = await fakeRedis({ port: redis.port })
    assert.strictEqual(await client.send(["PING"]), "PONG")
    client.close()
    await other.close()
  })

  it("reads a reply however it is cut, and anything else without a throw", () => {
    const reply = "*4\r\n$3\r\na\r\n\r\n:-12\r\n$-1\r\n*2\r\n+OK\r\n-ERR no\r\n"
    const read = ["a\r\n", -12, null, ["OK", { refusal: "ERR no" }]]
    assert.deepStrictEqual(parseReply(Buffer.from(reply)), { reply: read, next: reply.length })
    for (let cut = 0; cut < reply.length; cut++) {
      assert.strictEqual(parseReply(Buffer.from(reply.slice(0, cut))), "partial", reply.slice(0, cut))
    }
    for (const wrong of [
      "HTTP/1.1 400 Bad Request\r\n",
      "$x\r\n",
      "$-5\r\n",
      "*-2\r\n",
      "*99999999\r\n",
      `${"*1\r\n".repeat(20)}:1\r\n`
    ]) {
      assert.strictEqual(parseReply(Buffer.from(wrong)), "broken", wrong)
    }
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (parts) => {
        const bytes = Buffer.from(requestOf(parts))
        assert.deepStrictEqual(parseReply(bytes), { reply: parts, next: bytes.length })
      })
    )
    const pieces = fc.array(fc.constantFrom("*", "$", ":", "+", "-", "\r\n", "0", "1", "9", "x"), { maxLength: 30 })
    fc.assert(fc.property(pieces, (made) => void parseReply(Buffer.from(made.join("")))))
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
