/** How a service in a host program ends. */

import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { HostActor } from "#embed/HostActor.ts"
import { makeLife } from "#embed/life.ts"
import type { Svc } from "#embed/Svc.ts"
import { SvcError } from "../../packages/client/src/SvcError.ts"
import { selectedBackends } from "../support/backendSelection.ts"

const open = (databaseUrl = "memory:") =>
  createSvc({ databaseUrl, worker: false, callerOf: () => ({}), defaultScopes: scopes, rateLimit: 0 })

const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail("it was not refused"),
    (error: unknown) => (error instanceof SvcError ? error.code : `no SvcError: ${String(error)}`)
  )

const emails = Array.from({ length: 40 }, (_, index) => `person-${index}@example.com`)

const portOf = (server: ReturnType<typeof createServer>): number => Number(Object(server.address()).port)

describe("close()", () => {
  it.skipIf(!selectedBackends().has("pglite"))(
    "lets calls that were begun finish, and what they wrote stays",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "svc-life-"))
      const url = `pglite:${join(folder, "data")}`
      const svc = await open(url)
      const begun = emails.map((email) => svc.leads.upsert({ email }))
      await svc.close()
      const stored = await Promise.all(begun)
      assert.lengthOf(new Set(stored.map(({ lead_id }) => lead_id)), emails.length)
      const again = await open(url)
      const { leads } = await again.leads.search({ limit: 100 })
      assert.sameMembers(
        leads.map(({ email }) => email),
        emails
      )
      await again.close()
      await rm(folder, { recursive: true })
    }
  )

  it("lets requests that were begun finish", async () => {
    const svc = await open()
    const requests = emails.map((email) =>
      svc.fetch(
        new Request("http://host/api/v1/commands/lead.upsert", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email })
        })
      )
    )
    await Promise.all([svc.close(), svc.close()])
    for (const response of await Promise.all(requests)) assert.strictEqual(response.status, 200)
  })

  const streamed = (svc: Svc) =>
    svc.fetch(
      new Request("http://host/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "offer_list", arguments: {}, _meta: { progressToken: 1 } }
        })
      })
    )

  it("waits for responses that are still read", async () => {
    const svc = await open()
    const response = await streamed(svc)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    let isClosed = false
    const closed = svc.close().then(() => {
      isClosed = true
    })
    assert.strictEqual(await rejection(svc.offers.list()), "UNAVAILABLE")
    await new Promise(setImmediate)
    assert.isFalse(isClosed)
    const events = await response.text()
    await closed
    assert.include(events, '"content"')
  })

  it("does not wait for a response that its reader gives up", async () => {
    const svc = await open()
    await (await streamed(svc)).body?.cancel()
    await svc.close()
  })

  it("waits for a request that never ends no longer than it says", async () => {
    let disposed = 0
    const life = makeLife(async () => void disposed++, 20)
    void life.during(() => new Promise(() => {}))
    await life.close()
    assert.strictEqual(disposed, 1)
  })

  it("refuses everything afterwards, on every way in, also as somebody else", async () => {
    const svc = await open()
    const other: Svc = svc.as({ userId: "ada" })
    await svc.close()
    assert.strictEqual(await rejection(svc.leads.upsert({ email: "late@example.com" })), "UNAVAILABLE")
    assert.strictEqual(await rejection(other.offers.list({})), "UNAVAILABLE")
    assert.strictEqual(await rejection(svc.resources.read("svc://status")), "UNAVAILABLE")
    assert.strictEqual(await rejection(svc.createOrganization("Late")), "UNAVAILABLE")
    const envelope = await svc.commands.run("offer.list", {})
    assert.strictEqual(envelope.status, 503)
    assert.isTrue(!envelope.ok && envelope.error.message.includes("createSvc()"), JSON.stringify(envelope))
    const failure = await Effect.runPromise(Effect.flip(svc.effect.run("offer.list", {})))
    assert.strictEqual(failure._tag, "Unavailable")
    const response = await svc.fetch(new Request("http://host/api/v1/offers"))
    assert.strictEqual(response.status, 503)
    assert.deepInclude(await response.json(), {
      error: { message: envelope.ok ? "" : envelope.error.message, code: "UNAVAILABLE" }
    })
  })

  it("answers 503 on a Node server, and leaves the host its own paths", async () => {
    const svc = await open()
    const server = createServer((request, reply) => svc.node(request, reply, () => reply.end("the host's")))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const ask = (path: string) => fetch(`http://127.0.0.1:${portOf(server)}${path}`)
    assert.strictEqual((await ask("/api/v1/offers")).status, 200)
    await svc.close()
    assert.strictEqual((await ask("/api/v1/offers")).status, 503)
    assert.strictEqual(await (await ask("/own")).text(), "the host's")
    server.closeAllConnections()
    server.close()
  })

  it("is what `await using` does at the end of a block", async () => {
    const svc = await open()
    await svc[Symbol.asyncDispose]()
    assert.strictEqual(await rejection(svc.offers.list({})), "UNAVAILABLE")
  })
})

describe.skipIf(!selectedBackends().has("pglite"))("a folder that this process has open", () => {
  const inFolder = async (use: (url: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "svc-life-"))
    await use(`pglite:${join(folder, "data")}`).finally(() => rm(folder, { recursive: true }))
  }

  it("is taken over, as by a program that is loaded anew", () =>
    inFolder(async (url) => {
      const before = await open(url)
      const begun = before.leads.upsert({ email: "a@example.com" })
      const after = await open(url)
      assert.match((await begun).lead_id, /^ld_/)
      assert.strictEqual((await after.leads.search({})).leads.length, 1)
      const error: unknown = await before.leads.search({}).catch((thrown: unknown) => thrown)
      assert.include(String(error), "Another createSvc() of this process has opened its folder.")
      await before.close()
      assert.strictEqual(
        (await after.leads.search({})).leads.length,
        1,
        "closing the first one again does nothing to it"
      )
      await after.close()
    }))

  it("goes to the last of several at once", () =>
    inFolder(async (url) => {
      const [first, second, third] = await Promise.all([open(url), open(url), open(url)])
      assert.strictEqual((await third.leads.search({})).leads.length, 0)
      for (const svc of [first, second]) assert.strictEqual(await rejection(svc.leads.search({})), "UNAVAILABLE")
      await third.close()
    }))

  it("is free after a failed try", () =>
    inFolder(async (url) => {
      const failed = createSvc({ databaseUrl: url, organization: "org_unknown", worker: false })
      assert.strictEqual(await rejection(failed), "NOT_FOUND")
      const svc = await open(url)
      await svc.close()
    }))
})

describe("an organization that does not exist", () => {
  const stores = selectedBackends().has("pglite") ? ["memory:", "pglite"] : ["memory:"]
  it.each(stores)("is not found over every door on %s, and nothing is written for it", async (store) => {
    const folder = await mkdtemp(join(tmpdir(), "svc-unknown-"))
    const unknown: HostActor = { organizationId: "org_none" }
    const svc = await createSvc({
      databaseUrl: store === "pglite" ? `pglite:${join(folder, "data")}` : store,
      worker: false,
      defaultScopes: scopes,
      callerOf: () => unknown
    })
    const stranger = svc.as(unknown)
    assert.strictEqual(await rejection(stranger.leads.upsert({ email: "a@example.com" })), "NOT_FOUND")
    assert.strictEqual(await rejection(stranger.leads.search({})), "NOT_FOUND")
    assert.strictEqual(await rejection(stranger.resources.read("svc://status")), "NOT_FOUND")
    const failure = await Effect.runPromise(Effect.flip(stranger.effect.run("offer.list", {})))
    assert.strictEqual(failure._tag, "NotFound")
    for (const path of ["/api/v1/offers", "/api/v1/resources/read?uri=svc://status"])
      assert.strictEqual((await svc.fetch(new Request(`http://host${path}`))).status, 404, path)
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc_leads_search", arguments: {} } }
    const asked = new Request("http://host/mcp", { method: "POST", headers, body: JSON.stringify(call) })
    assert.isBelow((await svc.fetch(asked)).status, 500)
    await svc.close()
    await rm(folder, { recursive: true })
  })
})

describe("createSvc", () => {
  it("rejects with SvcError, whatever is wrong", async () => {
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ databaseUrl: "nonsense:" }, "INVALID_INPUT"],
      [{ organization: "org_none" }, "NOT_FOUND"],
      [{ databaseUrl: "postgres://nobody@127.0.0.1:1/none" }, "UNAVAILABLE"],
      [{ publicUrl: "not a URL" }, "INVALID_INPUT"],
      [{ gateway: "pigeon" }, "INVALID_INPUT"],
      [{ gateway: {} }, "INVALID_INPUT"],
      [{ http: true }, "INVALID_INPUT"],
      [{ http: { docs: "no" } }, "INVALID_INPUT"],
      [{ http: { review: "no" } }, "INVALID_INPUT"],
      [{ http: { mount: "outreach" } }, "INVALID_INPUT"],
      [{ http: { mount: "/outreach/" } }, "INVALID_INPUT"],
      [{ email: "smtp" }, "INVALID_INPUT"],
      [{ commands: 5 }, "INVALID_INPUT"],
      [{ commands: [null] }, "INVALID_INPUT"],
      [{ commands: [{}] }, "INVALID_INPUT"],
      [{ rateLimit: Number.NaN }, "INVALID_INPUT"],
      [{ rateLimit: -1 }, "INVALID_INPUT"]
    ]
    for (const [options, code] of wrong) {
      // As a program without types may call it.
      const opening: Promise<unknown> = Reflect.apply(createSvc, undefined, [{ databaseUrl: "memory:", ...options }])
      assert.strictEqual(await rejection(opening), code, JSON.stringify(options))
    }
  })

  it("reads only what an embedded service needs from the environment, what it is given, or nothing", async () => {
    const env = { SVC_PORT: "tcp://10.0.0.1:80", SVC_HOST: "", SVC_ADMIN_PORT: "many", SVC_DATABASE_WAIT_SECONDS: "x" }
    await (await createSvc({ databaseUrl: "memory:", worker: false, env })).close()
    const wrong = { SVC_LINKEDIN_GATEWAY: "carrier pigeon" }
    assert.strictEqual(await rejection(createSvc({ databaseUrl: "memory:", env: wrong })), "INVALID_INPUT")
    vi.stubEnv("SVC_LINKEDIN_GATEWAY", "carrier pigeon")
    try {
      assert.strictEqual(await rejection(createSvc({ databaseUrl: "memory:" })), "INVALID_INPUT")
      await (await createSvc({ databaseUrl: "memory:", worker: false, env: false })).close()
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it("opens and closes a hundred times without leaving listeners", async () => {
    const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
    await (await open()).close()
    const before = listeners()
    for (let times = 0; times < 100; times++) await (await open()).close()
    assert.strictEqual(listeners(), before)
  })
})
