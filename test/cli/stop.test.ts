/** The end of a server that others still use, as a process. */
import { assert, describe, it } from "@effect/vitest"
import { keepBusy } from "../support/keepAliveClients.ts"
import { startSvc } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" }
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Asks until the response is not 200, and answers its status and text. */
const untilUnready = async (url: string) => {
  for (;;) {
    const response = await fetch(`${url}/readyz`, { headers: { connection: "close" } })
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, text }
    await pause(25)
  }
}

describe("SIGTERM under load", () => {
  it("turns readiness off first, then responds to everything on open connections, and resets none", async () => {
    const server = await startSvc(["serve"], { env: { ...memory, SVC_DRAIN_SECONDS: "5" } })
    const headers = { authorization: `Bearer ${String(server.ready["api_key"])}` }
    let isReady = true
    const mayConnect = () => isReady
    const url = `${server.url}/api/v1/offers`
    const loads = Promise.all([
      keepBusy(url, headers, { count: 16, thinking: 20, mayConnect }),
      keepBusy(url, headers, { count: 4, thinking: 1_500, mayConnect })
    ])
    const unready = untilUnready(server.url).then((found) => {
      isReady = false
      return found
    })
    await pause(1_000)
    const begun = Date.now()
    const exit = server.stop("SIGTERM")
    // Over a connection that is accepted after the signal.
    const { status, text } = await unready
    assert.strictEqual(status, 503)
    assert.include(text, "stopping")
    for (const { closed, errors, statuses } of await loads) {
      assert.deepStrictEqual(errors, [])
      assert.deepStrictEqual([...statuses.keys()], [200])
      assert.isAtLeast(closed, 4, "responses say that their connection closes")
    }
    assert.strictEqual(await exit, 0)
    assert.isBelow(Date.now() - begun, 60_000)
  })

  it("goes on responding to clients that ignore that readiness is off, until the drain ends", async () => {
    const server = await startSvc(["serve"], { env: { ...memory, SVC_DRAIN_SECONDS: "1" } })
    const headers = { authorization: `Bearer ${String(server.ready["api_key"])}` }
    const load = keepBusy(`${server.url}/api/v1/offers`, headers, { count: 16, thinking: 20, mayConnect: () => true })
    await pause(500)
    const begun = Date.now()
    const exit = server.stop("SIGTERM")
    const { closed, failedAt } = await load
    assert.isAtLeast(failedAt - begun, 1_000)
    assert.isAbove(closed, 32, "they connected again and again")
    assert.strictEqual(await exit, 0)
  })
})
