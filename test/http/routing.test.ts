/** Methods, paths, request ids, and a 500 that hides everything. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as fc from "fast-check"
import { Unavailable } from "#core/kernel/failure/failures.ts"
import { OffersRepo } from "#core/offers/Offer.ts"
import { makeRouter, type Route } from "#http/Route.ts"
import { at, isError, openService, type Service, smallOffer, textAt } from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const paths: ReadonlyArray<readonly [path: string, allowed: ReadonlyArray<string>]> = [
  ["/healthz", ["GET", "HEAD"]],
  ["/readyz", ["GET", "HEAD"]],
  ["/docs", ["GET", "HEAD"]],
  ["/docs/commands.md", ["GET", "HEAD"]],
  ["/docs/errors.md", ["GET", "HEAD"]],
  ["/llms.txt", ["GET", "HEAD"]],
  ["/api/v1/openapi.json", ["GET", "HEAD"]],
  ["/api/v1/me", ["GET", "HEAD"]],
  ["/api/v1/commands", ["GET", "HEAD"]],
  ["/api/v1/commands/offer.create/schema", ["GET", "HEAD"]],
  ["/api/v1/commands/offer.create", ["POST"]],
  ["/api/v1/resources", ["GET", "HEAD"]],
  ["/api/v1/resources/read", ["GET", "HEAD"]],
  ["/api/v1/offers", ["GET", "HEAD", "POST"]],
  ["/api/v1/offers/x", ["DELETE", "GET", "HEAD", "PATCH"]],
  ["/api/v1/missions", ["GET", "HEAD", "POST"]],
  ["/api/v1/missions/x", ["GET", "HEAD", "PATCH"]],
  ["/api/v1/missions/x/leads", ["GET", "HEAD", "POST"]],
  ["/api/v1/agents", ["GET", "HEAD", "POST"]],
  ["/api/v1/agents/x", ["DELETE", "GET", "HEAD", "PATCH"]]
]

describe("methods", () => {
  it.each(paths)(
    "%s answers 405 with Allow to the others, before key and content type are looked at",
    async (path, allowed) => {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
        if (allowed.includes(method)) continue
        const body =
          method === "GET" || method === "HEAD" ? {} : { body: "<x/>", headers: { "content-type": "text/xml" } }
        const reply = await service.ask(method, path, { key: null, ...body })
        assert.strictEqual(reply.status, 405, `${method} ${path}`)
        const allow = (reply.headers.get("allow") ?? "").split(", ").sort()
        assert.deepStrictEqual(allow, [...allowed, "OPTIONS"].sort())
        assert.match(reply.headers.get("svc-request-id") ?? "", /^req_/)
        if (method !== "HEAD") isError(reply, 405, "METHOD_NOT_ALLOWED")
      }
      const options = await service.ask("OPTIONS", path, { key: null })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.text, "")
      assert.deepStrictEqual((options.headers.get("allow") ?? "").split(", ").sort(), [...allowed, "OPTIONS"].sort())
    }
  )

  it("HEAD answers what GET answers, without the body", async () => {
    for (const path of ["/healthz", "/api/v1/commands", "/api/v1/offers"]) {
      const [get, head] = [await service.ask("GET", path), await service.ask("HEAD", path)]
      assert.strictEqual(head.status, get.status)
      assert.strictEqual(head.text, "")
      assert.strictEqual(head.headers.get("content-length"), String(Buffer.byteLength(get.text)))
    }
    const refused = await service.ask("HEAD", "/api/v1/offers", { key: null })
    assert.strictEqual(refused.status, 401)
    assert.strictEqual(refused.text, "")
  })
})

describe("paths", () => {
  it.each([
    "/",
    "/api",
    "/api/v1",
    "/api/v2/offers",
    "/api/v1/offer",
    "/api/v1/offers/",
    "/api/v1//offers",
    "//api/v1/offers",
    "/api/v1/offers/x/y",
    "/healthz/",
    "/docs/",
    "/api/v1/offers%2Fx",
    "/api/v1/offers/%00",
    "/api/v1/offers/a%00b",
    "/api/v1/offers/%ff",
    "/api/v1/offers/%",
    "/api/v1/missions/%2e%2e",
    "/api/v1/missions//leads",
    "/%61pi/v1//offers"
  ])("%s is 404 for every method", async (path) => {
    for (const method of ["GET", "POST", "PATCH", "OPTIONS"]) {
      isError(
        await service.ask(method, path, method === "GET" || method === "OPTIONS" ? {} : { json: {} }),
        404,
        "NOT_FOUND"
      )
    }
  })

  it("a percent-encoded path is the path", async () => {
    assert.strictEqual((await service.ask("GET", "/%61pi/v1/offers")).status, 200)
    const reply = await service.ask("GET", "/api/v1/missions/caf%C3%A9%20%3F%23")
    isError(reply, 404, "NOT_FOUND")
  })
})

describe("path parameters", () => {
  const open = (path: string): Route => ({
    method: "GET",
    path,
    access: "open",
    handle: () => Effect.die("not called")
  })
  const router = makeRouter([open("/things/{thing}"), open("/things/{thing}/parts/{part}"), open("/things/none")])
  const paramsAt = (target: string) => {
    const found = router.find("GET", target)
    return "params" in found ? { ...found.params } : undefined
  }
  /** What may stand in a path as it is, what has a meaning in URLs, and more than one byte. */
  const unit = fc.constantFrom(...Array.from("aB32-~.;%?#+:*=@ é𝄞"))
  const text = fc.string({ unit, minLength: 1 }).filter((value) => value !== "." && value !== "..")

  it("are what the caller encoded, whatever it is", () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (thing, part, plain) => {
        const written = (value: string) => {
          const encoded = encodeURIComponent(value)
          // Some characters may stand in a path both ways.
          return plain ? encoded.replaceAll(/%(3B|2B|3A|3D|40)/g, decodeURIComponent) : encoded
        }
        assert.deepStrictEqual(paramsAt(`/things/${written(thing)}/parts/${written(part)}?x=1`), { thing, part })
        if (thing !== "none") assert.deepStrictEqual(paramsAt(`/things/${written(thing)}`), { thing })
      })
    )
  })

  it("a semicolon is part of the path and begins no query", () => {
    assert.deepStrictEqual(paramsAt("/things/a;b"), { thing: "a;b" })
    assert.deepStrictEqual(paramsAt("/things/%253B"), { thing: "%3B" })
    assert.isUndefined(paramsAt("/things/a;b/c"))
  })

  it("a literal goes before a parameter, and letters keep their case", () => {
    assert.deepStrictEqual(paramsAt("/things/none"), {})
    assert.deepStrictEqual(paramsAt("/things/None"), { thing: "None" })
    assert.isUndefined(paramsAt("/Things/none"))
    assert.deepStrictEqual(paramsAt(`/things/${"x".repeat(3_000)}`), { thing: "x".repeat(3_000) })
  })
})

describe("request ids", () => {
  it("are on every answer, each its own", async () => {
    const replies = [
      await service.ask("GET", "/healthz"),
      await service.ask("GET", "/api/v1/offers"),
      await service.ask("POST", "/api/v1/offers", { json: smallOffer }),
      await service.ask("POST", "/api/v1/commands/offer.create", { json: {} }),
      await service.ask("POST", "/api/v1/commands/nothing", { json: {} }),
      await service.ask("GET", "/api/v1/offers", { key: null }),
      await service.ask("GET", "/nothing"),
      await service.ask("PUT", "/api/v1/offers"),
      await service.ask("OPTIONS", "/api/v1/offers"),
      await service.ask("GET", "/docs")
    ]
    const ids = replies.map(({ headers }) => headers.get("svc-request-id") ?? "")
    for (const [index, id] of ids.entries()) assert.match(id, /^req_[0-9a-f-]{36}$/, replies[index]?.text.slice(0, 100))
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { headers } of replies) {
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("svc-version") ?? "", /^\d+\.\d+\.\d+/)
    }
  })

  it("are not taken from the request", async () => {
    const reply = await service.ask("GET", "/healthz", { headers: { "svc-request-id": "mine" } })
    assert.notStrictEqual(reply.headers.get("svc-request-id"), "mine")
  })
})

describe("a store that fails", () => {
  const failing = (list: ReturnType<OffersRepo["Service"]["list"]>) =>
    Layer.effect(
      OffersRepo,
      Effect.sync(() => {
        const dies = () => list
        return new Proxy({}, { get: () => dies }) as OffersRepo["Service"]
      })
    )

  it("a defect is a 500 that names the request and nothing else, everywhere", async () => {
    const logged: Array<string> = []
    const logger = Logger.make(
      (entry) => void logged.push(`${JSON.stringify(entry.message)} ${Cause.pretty(entry.cause)}`)
    )
    const broken = await openService({
      layers: Layer.merge(failing(Effect.die(new Error("relation offers: password=hunter2"))), Logger.layer([logger]))
    })
    const replies = [
      await broken.ask("GET", "/api/v1/offers"),
      await broken.ask("POST", "/api/v1/offers", { json: smallOffer }),
      await broken.ask("PATCH", "/api/v1/offers/x", { json: { name: "y" } }),
      await broken.ask("POST", "/api/v1/commands/offer.list", { json: {} }),
      await broken.ask("POST", "/api/v1/commands/offer.get", { json: { offer_id: "x" } }),
      await broken.ask("GET", "/api/v1/resources/read?uri=svc://offers")
    ]
    for (const reply of replies) {
      isError(reply, 500, "INTERNAL")
      const id = reply.headers.get("svc-request-id") ?? "none"
      assert.strictEqual(
        textAt(reply.body, "error.message"),
        `Unexpected error in request ${id}. Report it with this id.`
      )
      assert.ok(
        logged.some((line) => line.includes(id) && line.includes("hunter2")),
        "the cause is in the log, with the id"
      )
    }
    assert.strictEqual((await broken.ask("GET", "/api/v1/agents")).status, 200)
    await broken.svc.close()
  })

  it("one that cannot be reached is a 503", async () => {
    const failure = new Unavailable({ retryAfterSeconds: 5 })
    const broken = await openService({ layers: failing(Effect.fail(failure)) })
    for (const reply of [
      await broken.ask("GET", "/api/v1/offers"),
      await broken.ask("POST", "/api/v1/commands/offer.list", { json: {} })
    ]) {
      isError(reply, 503, "UNAVAILABLE")
      assert.strictEqual(reply.headers.get("retry-after"), "5")
    }
    assert.strictEqual(at((await broken.ask("GET", "/healthz")).body, "status"), "ok")
    await broken.svc.close()
  })
})
