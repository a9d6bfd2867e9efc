/** Serving the review page: its policy, its assets, and what leads there. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { HttpHandlers } from "#http/HttpHandlers.ts"
import { isError } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"
import { openPage, script } from "../support/reviewPage.ts"

let service: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  service = await openPage()
})
afterAll(() => service.close())

describe("the review page", () => {
  it("allows what is its own, and nothing else", async () => {
    const { headers, status } = await service.ask("GET", "/review")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
    assert.strictEqual(
      headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert.strictEqual(headers.get("x-frame-options"), "DENY")
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("cross-origin-opener-policy"), "same-origin")
  })

  it.each(["/review", "/review/d/drf_1"])("%s names assets that are found from there, at any mount", async (path) => {
    const { headers, text } = await service.ask("GET", path)
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = ""]) => source)
    assert.lengthOf(sources, 2)
    for (const source of sources) {
      const found = new URL(source, `http://svc.test/outreach${path}`).pathname
      assert.match(found, /^\/outreach\/review\/assets\//)
      assert.strictEqual((await service.ask("GET", found.slice("/outreach".length))).status, 200, found)
    }
    const known = { "if-none-match": headers.get("etag") ?? "" }
    assert.strictEqual((await service.ask("GET", path, { headers: known })).status, 304)
  })

  it.each([
    ["gzip, deflate, br", "br"],
    ["GZIP", "gzip"],
    ["gzip, br;q=0", "gzip"],
    ["br;q=0.0, gzip; q=0", null],
    ["deflate", null],
    ["", null]
  ])("accepting %j gets an asset in %s, to keep for ever", async (accepted, encoding) => {
    await listening(await service.runtime.runPromise(HttpHandlers), async (origin) => {
      const ask = (headers: Record<string, string> = {}) =>
        fetch(`${origin}/review/assets/page-1.js`, { headers: { "accept-encoding": accepted, ...headers } })
      const response = await ask()
      assert.strictEqual(response.headers.get("content-encoding"), encoding)
      assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual(response.headers.get("vary"), "accept-encoding")
      assert.strictEqual(response.headers.get("content-type"), "text/javascript; charset=utf-8")
      assert.strictEqual(await response.text(), script.toString())
      const again = await ask({ "if-none-match": response.headers.get("etag") ?? "" })
      assert.strictEqual(again.status, 304)
      assert.strictEqual((await ask({ "if-none-match": '"something else"' })).status, 200)
    })
  })

  it("has no other asset, path or method", async () => {
    for (const path of ["/review/assets/none.js", "/review/assets/", "/review/d/", "/review/x", "/review/"])
      isError(await service.ask("GET", path), 404, "NOT_FOUND")
    isError(await service.ask("POST", "/review"), 405, "METHOD_NOT_ALLOWED")
  })
})

describe("/", () => {
  it("is the page for browsers, and is not found by programs", async () => {
    const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }
    assert.include((await service.ask("GET", "/", browser)).text, 'src="review/assets/page-')
    for (const path of ["/overview", "/replies", "/leads", "/missions", "/offers", "/agents", "/import", "/settings"]) {
      assert.include((await service.ask("GET", path)).text, 'src="review/assets/page-')
      assert.include((await service.ask("GET", `${path}/one`)).text, 'src="../review/assets/page-')
    }
    isError(await service.ask("GET", "/leads/one/two"), 404, "NOT_FOUND")
    isError(await service.ask("GET", "/"), 404, "NOT_FOUND")
    isError(await service.ask("GET", "/", { headers: { accept: "application/json" } }), 404, "NOT_FOUND")
  })

  it("and the page are not found where they are off, and / is the host's own", async () => {
    const off = await openPage({ http: { review: false } })
    for (const path of ["/", "/review", "/review/d/x", "/review/assets/page-1.js"])
      isError(await off.ask("GET", path, { headers: { accept: "text/html" } }), 404, "NOT_FOUND")
    await off.close()
    const host = await openPage({ isHost: true })
    isError(await host.ask("GET", "/", { headers: { accept: "text/html" } }), 404, "NOT_FOUND")
    assert.strictEqual((await host.ask("GET", "/review")).status, 200)
    const { owns } = await host.runtime.runPromise(HttpHandlers)
    assert.isFalse(owns({ url: "/", headers: {}, socket: {} }))
    await host.close()
  })
})
