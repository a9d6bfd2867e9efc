/** How many requests a key may make, and how it is told. */
import { assert, describe, it, vi } from "@effect/vitest"
import { isError, openService, type Reply, smallOffer, textAt } from "../support/httpService.ts"
import { stopClock } from "../support/stoppedClock.ts"

const headerNames = ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]

describe("rate limits", () => {
  stopClock()

  it("the burst is a fifth of the minute; then 429 with Retry-After, and each key has its own", async () => {
    const service = await openService({ rateLimit: 30 })
    const replies: Array<Reply> = []
    for (let n = 0; n < 7; n++) replies.push(await service.ask("GET", "/api/v1/offers"))
    assert.deepStrictEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200, 429]
    )
    for (const [index, { headers }] of replies.entries()) {
      for (const name of headerNames) assert.ok(headers.has(name), `${name} on answer ${index}`)
      assert.strictEqual(headers.get("x-ratelimit-limit"), "30")
      assert.strictEqual(headers.get("x-ratelimit-remaining"), String(Math.max(0, 5 - index)))
      assert.match(headers.get("ratelimit-policy") ?? "", /q=30;w=60/)
    }
    const refused = replies[6]
    assert.ok(refused !== undefined)
    isError(refused, 429, "RATE_LIMITED")
    assert.strictEqual(refused.headers.get("retry-after"), "2")
    assert.match(textAt(refused.body, "error.message"), /2 s/)
    const command = await service.ask("POST", "/api/v1/commands/offer.list", { json: {} })
    isError(command, 429, "RATE_LIMITED")
    const { text } = await service.makeKey({})
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", { key: text })).status, 200)
    for (const path of ["/healthz", "/readyz", "/api/v1/openapi.json"]) {
      assert.strictEqual((await service.ask("GET", path)).status, 200)
    }
    isError(await service.ask("GET", "/api/v1/offers", { key: "x" }), 401, "UNAUTHENTICATED")
    vi.setSystemTime(Date.now() + 2_100)
    assert.strictEqual((await service.ask("GET", "/api/v1/offers")).status, 200)
    await service.svc.close()
  })

  it("refused requests carry the headers too, whatever refused them", async () => {
    const service = await openService({ rateLimit: 300 })
    for (const reply of [
      await service.ask("POST", "/api/v1/offers", { json: {} }),
      await service.ask("POST", "/api/v1/commands/nothing", { json: {} }),
      await service.ask("GET", "/api/v1/offers?x=1")
    ]) {
      for (const name of headerNames) assert.ok(reply.headers.has(name), name)
    }
    await service.svc.close()
  })

  it("an organization has four times as much over all its keys", async () => {
    const service = await openService({ rateLimit: 10 })
    const statuses: Array<number> = []
    for (let n = 0; n < 5; n++) {
      const { text } = await service.makeKey({})
      for (let m = 0; m < 2; m++) statuses.push((await service.ask("GET", "/api/v1/offers", { key: text })).status)
    }
    assert.deepStrictEqual(statuses, [...Array<number>(8).fill(200), 429, 429])
    const { apiKey } = await service.svc.createOrganization("Other")
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", { key: apiKey })).status, 200)
    await service.svc.close()
  })

  it("what a key asks beyond its own limit takes nothing from its organization", async () => {
    const service = await openService({ rateLimit: 10 })
    const greedy = await service.makeKey({})
    for (let n = 0; n < 20; n++) await service.ask("GET", "/api/v1/offers", { key: greedy.text })
    const { text } = await service.makeKey({})
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", { key: text })).status, 200)
    await service.svc.close()
  })

  it("unknown keys are throttled by network address, valid ones from there are not", async () => {
    const service = await openService({ rateLimit: 6000 })
    const statuses: Array<number> = []
    for (let n = 0; n < 14; n++)
      statuses.push((await service.ask("GET", "/api/v1/offers", { key: `guess${n}` })).status)
    assert.deepStrictEqual(statuses, [...Array<number>(12).fill(401), 429, 429])
    isError(await service.ask("GET", "/api/v1/offers", { key: null }), 401, "UNAUTHENTICATED")
    assert.strictEqual((await service.ask("GET", "/api/v1/offers")).status, 200)
    await service.svc.close()
  })

  it("uploads of files count as imports", async () => {
    const service = await openService({ rateLimit: 6000 })
    const upload = () =>
      service.ask("POST", "/api/v1/missions/none/imports", { body: "email\n", headers: { "content-type": "text/csv" } })
    for (let n = 0; n < 10; n++) isError(await upload(), 404, "NOT_FOUND")
    isError(await upload(), 429, "RATE_LIMITED")
    isError(await service.ask("POST", "/api/v1/commands/import.csv", { json: {} }), 429, "RATE_LIMITED")
    assert.strictEqual((await service.ask("GET", "/api/v1/imports")).status, 200)
    await service.svc.close()
  })

  it("searches are limited to ten a minute for each key, other commands are not held up by them", async () => {
    const service = await openService({ rateLimit: 6000 })
    const search = () => service.ask("POST", "/api/v1/commands/import.sales-nav.search", { json: {} })
    for (let n = 0; n < 10; n++) assert.strictEqual((await search()).status, 400)
    const refused = await search()
    isError(refused, 429, "RATE_LIMITED")
    assert.strictEqual(refused.headers.get("retry-after"), "6")
    assert.strictEqual((await service.ask("POST", "/api/v1/commands/offer.list", { json: {} })).status, 200)
    await service.svc.close()
  })

  it("the smallest limit still lets one through", async () => {
    const service = await openService({ rateLimit: 1 })
    assert.strictEqual((await service.ask("GET", "/api/v1/offers")).status, 200)
    isError(await service.ask("GET", "/api/v1/offers"), 429, "RATE_LIMITED")
    await service.svc.close()
  })

  it("0 switches every limit off, and its headers", async () => {
    const service = await openService({ rateLimit: 0 })
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => service.ask("POST", "/api/v1/offers?dry_run=true", { json: smallOffer }))
    )
    for (const { headers, status } of replies) {
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("x-ratelimit-limit"), null)
    }
    await service.svc.close()
  })
})
