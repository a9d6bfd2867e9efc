/** Texts that stay the same while the service runs have an entity tag, and are not sent twice. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpApp } from "#http/HttpApp.ts"
import { openService, type Service } from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const paths = [
  "/api/v1/commands",
  "/api/v1/commands/lead.upsert/schema",
  "/api/v1/openapi.json",
  "/docs",
  "/docs/commands.md",
  "/docs/errors.md",
  "/llms.txt"
]

describe("a constant text", () => {
  it("is sent to whoever does not have it, and not to others", async () => {
    for (const path of paths) {
      const first = await service.ask("GET", path)
      const etag = first.headers.get("etag") ?? assert.fail(path)
      assert.strictEqual(first.headers.get("cache-control"), "private, no-cache", path)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await service.ask("GET", path, { headers: { "if-none-match": known } })
        assert.deepStrictEqual([again.status, again.text], [304, ""], path)
        assert.strictEqual(again.headers.get("etag"), etag)
      }
      const other = await service.ask("GET", path, { headers: { "if-none-match": '"other"' } })
      assert.deepStrictEqual([other.status, other.text], [200, first.text], path)
    }
  })

  it("is that of its command, and only for those who may read it", async () => {
    const [upsert, get] = await Promise.all(
      ["lead.upsert", "lead.get"].map((id) => service.ask("GET", `/api/v1/commands/${id}/schema`))
    )
    assert.notStrictEqual(upsert?.headers.get("etag"), get?.headers.get("etag"))
    const headers = { "if-none-match": "*" }
    assert.strictEqual((await service.ask("GET", "/api/v1/commands", { key: null, headers })).status, 401)
    assert.strictEqual((await service.ask("GET", "/api/v1/commands/lead.nothing/schema", { headers })).status, 404)
    assert.strictEqual((await service.ask("GET", "/api/v1/me")).headers.get("cache-control"), "no-store")
  })

  it("has headers of its own in each response", async () => {
    const { handle } = await service.svc.effect.runtime.runPromise(HttpApp)
    const ask = () => {
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/llms.txt"))
      return Effect.runPromise(Effect.provideService(handle, HttpServerRequest.HttpServerRequest, request))
    }
    const first = await ask()
    const id = first.headers["svc-request-id"]
    const second = await ask()
    assert.strictEqual(first.headers["svc-request-id"], id)
    assert.notStrictEqual(second.headers["svc-request-id"], id)
  })
})
