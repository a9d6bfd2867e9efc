/** Starting before the database. */
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { freePort } from "../support/freePort.ts"
import { oneJson, startSvc, svc } from "../support/svcProcess.ts"

describe.skipIf(!hasPostgres())("a server that starts before its database", () => {
  let scope: Scope.Closeable
  let real: URL
  beforeAll(async () => {
    scope = Effect.runSync(Scope.make())
    real = new URL(clearUrl((await Effect.runPromise(Scope.provide(freshPostgres(), scope))).url))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** The database's URL at another port, where nothing listens. */
  const closedUrl = async () => Object.assign(new URL(real), { port: String(await freePort()) }).href

  it("waits for it, says so once, and then serves", async () => {
    let tries = 0
    const forwarder = createServer((socket) => {
      // A database that is not there yet.
      if (++tries <= 2) return void socket.destroy()
      const other = connect(Number(real.port), real.hostname)
      socket.pipe(other).pipe(socket)
      for (const end of [socket, other]) end.on("error", () => undefined)
    }).listen(0, "127.0.0.1")
    await once(forwarder, "listening")
    const { port } = Object(forwarder.address())
    const url = Object.assign(new URL(real), { port: String(port) }).href
    const server = await startSvc(["serve"], { env: { SVC_DATABASE_URL: url, SVC_DATABASE_WAIT_SECONDS: "60" } })
    assert.strictEqual((await fetch(`${server.url}/readyz`)).status, 200)
    assert.strictEqual(await server.stop(), 0)
    forwarder.close()
    const logged = server.stderr()
    assert.strictEqual(logged.split("Waiting for the database").length, 2, logged)
    assert.include(logged, "The database responds")
  })

  it("ends with the usual error when the wait is over", async () => {
    const url = await closedUrl()
    for (const command of ["serve", "worker"]) {
      const begun = Date.now()
      const env = { SVC_DATABASE_URL: url, SVC_DATABASE_WAIT_SECONDS: "2" }
      const ran = await svc([command, "--json"], { env })
      assert.isAtLeast(Date.now() - begun, 2_000)
      assert.strictEqual(ran.code, 6)
      assert.match(String(Object(oneJson(ran)["error"]).message), /^Can't reach the database .*Check SVC_DATABASE_URL/)
    }
  })

  it("does not wait for what waiting does not change, nor for a command of an operator", async () => {
    const missing = Object.assign(new URL(real), { pathname: "/nobody" }).href
    const serve = await svc(["serve", "--json"], {
      env: { SVC_DATABASE_URL: missing, SVC_DATABASE_WAIT_SECONDS: "60" }
    })
    assert.strictEqual(serve.code, 6)
    assert.notInclude(serve.stderr, "Waiting")
    const url = await closedUrl()
    const env = { SVC_DATABASE_URL: url, SVC_DATABASE_WAIT_SECONDS: "60" }
    const orgs = await svc(["orgs", "create", "Nobody", "--json"], { env })
    assert.strictEqual(orgs.code, 6)
    assert.notInclude(orgs.stderr, "Waiting")
  })
})
