/** Health and metrics on a port of their own. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { oneJson, startSvc, svc } from "../support/svcProcess.ts"

const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

describe("the admin port", () => {
  let scope: Scope.Closeable
  beforeAll(() => {
    scope = Effect.runSync(Scope.make())
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("has health, readiness and metrics of a server, and nothing else; the public port lacks them", async () => {
    const server = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:", SVC_ADMIN_PORT: "0" } })
    const admin = String(server.ready["admin_url"])
    assert.match(admin, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      assert.strictEqual(await statusOf(admin + path), 200, path)
      assert.strictEqual(await statusOf(server.url + path), 404, path)
    }
    for (const path of ["/api/v1/me", "/docs", "/api/v1/openapi.json", "/mcp", "/"]) {
      assert.strictEqual(await statusOf(admin + path), 404, path)
    }
    const { paths } = Object(await (await fetch(`${server.url}/api/v1/openapi.json`)).json())
    assert.notProperty(paths, "/readyz")
    assert.property(paths, "/docs")
    const text = await (await fetch(`${admin}/metrics`)).text()
    assert.include(text, "svc_http_requests_total{")
    assert.strictEqual(await server.stop(), 0)
  })

  it("still shows the end of a server that stops, which a second signal ends at once", async () => {
    const env = { SVC_DATABASE_URL: "memory:", SVC_ADMIN_PORT: "0", SVC_DRAIN_SECONDS: "60" }
    const server = await startSvc(["serve"], { env })
    const admin = String(server.ready["admin_url"])
    assert.strictEqual(await statusOf(`${server.url}/docs`), 200)
    const exit = server.stop()
    while ((await statusOf(`${admin}/readyz`)) === 200) await new Promise((resolve) => setTimeout(resolve, 25))
    assert.strictEqual(await statusOf(`${admin}/readyz`), 503)
    assert.strictEqual(await statusOf(`${admin}/healthz`), 200)
    assert.strictEqual(await statusOf(`${server.url}/docs`), 200)
    await server.stop()
    assert.isNull(await exit, "the second signal ended it, not the time")
  })

  it("that is taken is named", async () => {
    const server = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:" } })
    const env = { SVC_DATABASE_URL: "memory:", SVC_ADMIN_PORT: new URL(server.url).port }
    const ran = await svc(["serve", "--json", "--port", "0"], { env })
    assert.strictEqual(ran.code, 6)
    assert.include(String(Object(oneJson(ran)["error"]).message), "Choose another with SVC_ADMIN_PORT.")
    await server.stop()
  })

  it.skipIf(!hasPostgres())("has health, readiness and metrics of a worker", async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    const worker = await startSvc(["worker"], { env: { SVC_DATABASE_URL: clearUrl(url), SVC_ADMIN_PORT: "0" } })
    const admin = String(worker.ready["admin_url"])
    for (const path of ["/healthz", "/readyz"]) assert.strictEqual(await statusOf(admin + path), 200, path)
    assert.include(await (await fetch(`${admin}/metrics`)).text(), "svc_database_up 1")
    assert.strictEqual(await statusOf(`${admin}/api/v1/me`), 404)
    assert.strictEqual(await worker.stop(), 0)
  })
})
