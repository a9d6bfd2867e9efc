/** Where a host mounts the surface, and what of it: links, switches, and what `callerOf` sees. */

import { once } from "node:events"
import { createServer, get } from "node:http"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import express from "express"
import { fastify } from "fastify"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createSvc, type SvcOptions } from "#embed/createSvc.ts"
import { at, isError, readReply, requestInit, smallOffer } from "../support/httpService.ts"
import { type AskHost, liesBelow } from "../support/mountedHost.ts"

const known: SvcOptions = {
  databaseUrl: "memory:",
  worker: false,
  callerOf: () => ({}),
  defaultScopes: scopes
}

/** Runs `use` against a server for this handler, and ends it. */
const served = async (
  handler: Parameters<typeof createServer>[1],
  use: (ask: AskHost) => Promise<void>
): Promise<void> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = Object(server.address())
  await use(async (method, path, json) =>
    readReply(await fetch(`http://127.0.0.1:${port}${path}`, requestInit(method, { key: null, json }, "")))
  ).finally(() => {
    server.closeAllConnections()
    server.close()
  })
}

describe("a mount", () => {
  it("that Express takes off has its links", async () => {
    const svc = await createSvc(known)
    const app = express()
    app.use("/outreach", svc.node)
    await served(app, (ask) => liesBelow(ask, "/outreach"))
    await svc.close()
  })

  it("in a path that callers choose is no way into the documentation page", async () => {
    const svc = await createSvc(known)
    const app = express()
    app.use("/:tenant", svc.node)
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    // fetch would encode the path.
    const request = get({ port: Object(server.address()).port, path: "/<script>alert(1)/docs", agent: false })
    const [response] = await once(request, "response")
    const page = await text(response)
    assert.include(page, "alert(1)")
    assert.notInclude(page, "<script>alert(1)")
    server.close()
    await svc.close()
  })

  it.each(["/outreach", "/apps/outreach.v1"])("named by http.mount is the same everywhere: %s", async (mount) => {
    const svc = await createSvc({ ...known, http: { mount } })
    await liesBelow(async (method, path, json) => {
      const request = new Request(`http://host${path}`, requestInit(method, { key: null, json }, ""))
      return readReply(await svc.fetch(request))
    }, mount)
    await served(svc.node, (ask) => liesBelow(ask, mount))
    const app = express()
    app.use(mount, svc.node)
    await served(app, (ask) => liesBelow(ask, mount))
    await svc.close()
  })

  it("leaves what lies elsewhere to the host", async () => {
    const svc = await createSvc({ ...known, http: { mount: "/outreach" } })
    const app = express()
    app.use(svc.node)
    app.use((request, response) => void response.send(`mine: ${request.url}`))
    await served(app, async (ask) => {
      for (const path of ["/", "/api/v1/offers", "/outreach", "/outreach/", "/outreach/mine", "/outreachx/docs"])
        assert.strictEqual((await ask("GET", path)).text, `mine: ${path}`)
      assert.strictEqual((await ask("GET", "/outreach/api/v1/offers")).status, 200)
    })
    await svc.close()
  })

  it("behind a public URL has that in its links", async () => {
    const publicUrl = "https://app.example.com/outreach"
    const svc = await createSvc({ ...known, publicUrl, http: { mount: "/internal" } })
    const ask = async (method: string, path: string, json?: unknown) =>
      readReply(await svc.fetch(new Request(`http://host${path}`, requestInit(method, { key: null, json }, ""))))
    const made = await ask("POST", "/internal/api/v1/agents", { firstName: "A", lastName: "B" })
    assert.strictEqual(made.headers.get("location"), `${publicUrl}/api/v1/agents/a-b`)
    const document = await ask("GET", "/internal/api/v1/openapi.json")
    assert.deepStrictEqual(at(document.body, "servers"), [{ url: publicUrl }])
    assert.include((await ask("GET", "/internal/docs")).text, `The URL of this service is <code>${publicUrl}</code>`)
    await svc.close()
  })
})

describe("a switch", () => {
  const docs = ["/docs", "/docs/commands.md", "/docs/errors.md", "/llms.txt", "/api/v1/openapi.json"]
  const health = ["/healthz", "/readyz"]

  it.each([
    [{ docs: false }, docs, health],
    [{ health: false }, health, docs],
    [{}, [], [...docs, ...health]]
  ] as const)("%j: off is not found, as any unknown path", async (http, off, on) => {
    const svc = await createSvc({ ...known, http })
    const ask = async (path: string, method = "GET") =>
      readReply(await svc.fetch(new Request(`http://host${path}`, { method })))
    const unknown = await ask("/unknown")
    for (const path of on) assert.strictEqual((await ask(path)).status, 200, path)
    for (const path of off) {
      const reply = await ask(path)
      isError(reply, 404, "NOT_FOUND")
      assert.strictEqual(reply.text, unknown.text)
      isError(await ask(path, "POST"), 404, "NOT_FOUND")
    }
    assert.strictEqual(unknown.text.includes("/docs"), !("docs" in http))
    assert.strictEqual((await ask("/api/v1/offers")).status, 200)
    if ("health" in http) assert.notProperty(at((await ask("/api/v1/openapi.json")).body, "paths"), "/healthz")
    await svc.close()
  })

  it("leaves what is off to the host", async () => {
    const svc = await createSvc({ ...known, http: { docs: false, health: false } })
    await served(
      (request, response) => svc.node(request, response, () => response.end("mine")),
      async (ask) => {
        for (const path of [...docs, ...health]) assert.strictEqual((await ask("GET", path)).text, "mine", path)
      }
    )
    await svc.close()
  })
})

describe("Fastify 5", () => {
  it("with a plain route after its parser: bodies arrive, and callerOf sees its request", async () => {
    const app = fastify()
    app.decorateRequest("user", "")
    app.addHook("preHandler", async (request) => void Object.assign(request, { user: "lea" }))
    const svc = await createSvc({
      ...known,
      http: { mount: "/outreach" },
      callerOf: ({ source }) => ("user" in source ? { userId: String(source.user) } : undefined)
    })
    app.all("/outreach/*", svc.node)
    app.get("/mine", () => "mine")
    await app.ready()
    await served(app.routing, async (ask) => {
      await liesBelow(ask, "/outreach")
      const made = await ask("POST", "/outreach/api/v1/offers", { ...smallOffer, description: "é 漢字" })
      assert.strictEqual(at(made.body, "data.offer.description"), "é 漢字")
      assert.strictEqual(at((await ask("GET", "/outreach/api/v1/me")).body, "data.user_id"), "lea")
      assert.strictEqual((await ask("GET", "/mine")).text, "mine")
    })
    await app.close()
    await svc.close()
  })
})
