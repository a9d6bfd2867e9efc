/** The surface inside host programs: fetch, node:http, Express, Fastify; body parsers; a host that knows its users. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Logger from "effect/Logger"
import express from "express"
import { fastify } from "fastify"
import { createSvc, type SvcOptions } from "#embed/createSvc.ts"
import {
  at,
  isError,
  openService,
  type Reply,
  readReply,
  requestInit,
  type Service,
  smallOffer,
  textAt
} from "../support/httpService.ts"

type Ask = (method: string, path: string, asked?: Parameters<typeof requestInit>[1]) => Promise<Reply>
type Opened = Pick<Service, "key"> & { readonly svc: Pick<Service["svc"], "close"> }

const asker =
  (port: number, key: string): Ask =>
  async (method, path, asked = {}) =>
    readReply(await fetch(`http://127.0.0.1:${port}${path}`, requestInit(method, asked, key)))

const portOf = (server: Server): number => {
  const address = server.address()
  assert.ok(typeof address === "object" && address !== null)
  return (address satisfies AddressInfo).port
}

/** Runs `use` against a listening server and ends both. */
const withServer = async (server: Server, service: Opened, use: (ask: Ask) => Promise<void>): Promise<void> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    await use(asker(portOf(server), service.key))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await service.svc.close()
  }
}

/** What every host must see. */
const worksUnder = async (ask: Ask, prefix = ""): Promise<void> => {
  const made = await ask("POST", `${prefix}/api/v1/offers`, { json: { ...smallOffer, description: "é 漢字" } })
  assert.strictEqual(made.status, 201, made.text)
  assert.strictEqual(at(made.body, "data.offer.description"), "é 漢字")
  const changed = await ask("PATCH", `${prefix}/api/v1/offers/${textAt(made.body, "data.offer.id")}`)
  assert.strictEqual(changed.status, 200, changed.text)
  const command = await ask("POST", `${prefix}/api/v1/commands/offer.list?response_profile=compact`, { json: {} })
  assert.strictEqual(at(command.body, "data.offers.0.name"), smallOffer.name)
  const page = await ask("GET", `${prefix}/api/v1/offers?limit=1`)
  assert.strictEqual(page.status, 200)
  isError(await ask("GET", `${prefix}/api/v1/offers?limit=x`), 400, "INVALID_INPUT")
  isError(await ask("GET", `${prefix}/api/v1/offers`, { key: null }), 401, "UNAUTHENTICATED")
  const empty = await ask("POST", `${prefix}/api/v1/commands/offer.create`)
  assert.strictEqual(at(empty.body, "error.code"), "INVALID_JSON", empty.text)
  isError(await ask("PUT", `${prefix}/api/v1/offers`, { json: {} }), 405, "METHOD_NOT_ALLOWED")
}

const open = (options: SvcOptions = {}) => openService(options)

describe("node:http", () => {
  it("serves every path itself without next", async () => {
    const service = await open()
    await withServer(createServer(service.svc.node), service, async (ask) => {
      await worksUnder(ask)
      isError(await ask("GET", "/mine"), 404, "NOT_FOUND")
      isError(
        await ask("POST", "/api/v1/offers", { json: { ...smallOffer, name: "x".repeat(2_000_000) } }),
        413,
        "PAYLOAD_TOO_LARGE"
      )
    })
  })

  it("leaves foreign paths to next", async () => {
    const service = await open()
    const server = createServer((request, response) =>
      service.svc.node(request, response, () => response.end(`mine: ${request.url}`))
    )
    await withServer(server, service, async (ask) => {
      await worksUnder(ask)
      for (const path of ["/mine", "/", "/api/v1/mine", "/api/v1/offers/", "//api/v1/offers"]) {
        assert.strictEqual((await ask("GET", path)).text, `mine: ${path}`)
      }
      isError(await ask("DELETE", "/api/v1/offers"), 405, "METHOD_NOT_ALLOWED")
    })
  })
})

describe("Express 5", () => {
  it("mounted at the root, foreign paths go on", async () => {
    const service = await open()
    const app = express()
    app.use(service.svc.node)
    app.get("/mine", (_, response) => void response.send("mine"))
    await withServer(createServer(app), service, async (ask) => {
      await worksUnder(ask)
      assert.strictEqual((await ask("GET", "/mine")).text, "mine")
    })
  })

  it("mounted under a prefix, with links that say so", async () => {
    const service = await open({ publicUrl: "https://app.example.com/outreach" })
    const app = express()
    app.use("/outreach", service.svc.node)
    app.use((_, response) => void response.status(404).send("not mine"))
    await withServer(createServer(app), service, async (ask) => {
      await worksUnder(ask, "/outreach")
      const made = await ask("POST", "/outreach/api/v1/agents", { json: { firstName: "A", lastName: "B" } })
      assert.strictEqual(made.headers.get("location"), "https://app.example.com/outreach/api/v1/agents/a-b")
      assert.strictEqual((await ask("GET", "/api/v1/offers")).text, "not mine")
      assert.strictEqual((await ask("GET", "/outreach/nothing")).text, "not mine")
    })
  })

  it.each([
    ["json", () => express.json()],
    ["text", () => express.text({ type: "*/*" })],
    ["raw", () => express.raw({ type: "*/*" })]
  ] as const)("behind the %s body parser", async (_, parser) => {
    const service = await open()
    const app = express()
    app.use(parser(), service.svc.node)
    await withServer(createServer(app), service, (ask) => worksUnder(ask))
  })

  it("behind a form parser, a form is refused as any other type", async () => {
    const service = await open()
    const app = express()
    app.use(express.urlencoded({ extended: true }), express.json({ strict: false }), service.svc.node)
    await withServer(createServer(app), service, async (ask) => {
      await worksUnder(ask)
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      isError(await ask("POST", "/api/v1/offers", { body: "name=x", headers }), 415, "UNSUPPORTED_MEDIA_TYPE")
      for (const body of ["null", "1", '"x"', "true", "[]"]) {
        isError(await ask("POST", "/api/v1/offers", { body }), 400, "INVALID_JSON")
      }
    })
  })
})

describe("Fastify 5", () => {
  it("as a hook, before anything is parsed", async () => {
    const service = await open()
    const app = fastify()
    app.addHook("onRequest", (request, reply, done) => service.svc.node(request.raw, reply.raw, done))
    app.get("/mine", () => "mine")
    await app.ready()
    await withServer(app.server, service, async (ask) => {
      await worksUnder(ask)
      assert.strictEqual((await ask("GET", "/mine")).text, "mine")
    })
  })

  it("as a handler, after its own parser", async () => {
    const service = await open()
    const app = fastify()
    app.all("/api/*", service.svc.node)
    await app.ready()
    await withServer(app.server, service, async (ask) => {
      const made = await ask("POST", "/api/v1/offers", { json: smallOffer })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual((await ask("GET", "/api/v1/offers")).status, 200)
      isError(await ask("GET", "/api/v1/mine"), 404, "NOT_FOUND")
    })
  })

  it("as a handler that passes on less than its parser read: refused at once, nothing hangs", async () => {
    const service = await open()
    const app = fastify()
    app.all("/api/*", (request, reply) => {
      reply.hijack()
      service.svc.node(request.raw, reply.raw)
    })
    await app.ready()
    await withServer(app.server, service, async (ask) => {
      isError(await ask("POST", "/api/v1/offers", { json: smallOffer }), 400, "INVALID_JSON")
    })
  })
})

describe("fetch", () => {
  it("works without a server, also with an aborted request and a streamed body", async () => {
    const service = await open()
    await worksUnder((method, path, asked) => service.ask(method, path, asked))
    const stream = new Blob([JSON.stringify(smallOffer)]).stream()
    const init = { ...requestInit("POST", { body: "" }, service.key), body: stream, duplex: "half" as const }
    const streamed = await service.svc.fetch(new Request("http://any.host:1/api/v1/offers", init))
    assert.strictEqual(streamed.status, 201)
    const controller = new AbortController()
    const pending = service.svc.fetch(
      new Request("http://svc.test/api/v1/offers", {
        ...requestInit("GET", {}, service.key),
        signal: controller.signal
      })
    )
    controller.abort()
    assert.ok([200, 499, 503].includes((await pending).status))
    await service.svc.close()
  })
})

describe("callerOf", () => {
  it("sees the host's own request, and shares a mount with keys", async () => {
    const svc = await createSvc({
      databaseUrl: "memory:",
      worker: false,
      auth: ["keys", ({ source }) => ("user" in source ? { userId: String(source.user) } : undefined)]
    })
    const { apiKey, organizationId } = await svc.createOrganization("Agents")
    const app = express()
    app.use((request, _, next) => {
      if (request.headers["x-session"] !== undefined) Object.assign(request, { user: request.headers["x-session"] })
      next()
    })
    app.use(svc.node)
    await withServer(createServer(app), { svc, key: apiKey }, async (ask) => {
      assert.strictEqual(at((await ask("GET", "/api/v1/me")).body, "data.organization_id"), organizationId)
      const session = { key: null, headers: { "x-session": "lea" } }
      assert.strictEqual(at((await ask("GET", "/api/v1/me", session)).body, "data.user_id"), "lea")
      const token = { key: "a-token-of-the-host", headers: { "x-session": "lea" } }
      assert.strictEqual(at((await ask("GET", "/api/v1/me", token)).body, "data.user_id"), "lea")
      isError(await ask("GET", "/api/v1/me", { key: null }), 401, "UNAUTHENTICATED")
      isError(await ask("GET", "/api/v1/me", { key: "a-token-of-the-host" }), 401, "UNAUTHENTICATED")
    })
  })

  it("is not asked where the host names the actor of a request", async () => {
    const svc = await createSvc({ databaseUrl: "memory:", worker: false, callerOf: () => undefined })
    const { organizationId } = await svc.createOrganization("Known")
    const request = () => new Request("http://host/api/v1/me")
    assert.strictEqual((await svc.fetch(request())).status, 401)
    const known = await svc.fetch(request(), { actor: { userId: "ada", organizationId, scopes: ["offers:read"] } })
    assert.deepInclude(Object(await known.json()).data, {
      user_id: "ada",
      organization_id: organizationId,
      scopes: ["offers:read"]
    })
    assert.strictEqual((await svc.fetch(request())).status, 401)
    await svc.close()
  })

  it("may return whatever its own check returns for nobody: that is 401, and the next way is asked", async () => {
    for (const nobody of [undefined, null, false, "", 0] as const) {
      const svc = await createSvc({ databaseUrl: "memory:", worker: false, callerOf: async () => nobody })
      assert.strictEqual((await svc.fetch(new Request("http://host/api/v1/me"))).status, 401)
      await svc.close()
    }
    const svc = await createSvc({
      databaseUrl: "memory:",
      worker: false,
      auth: [() => null, () => ({ userId: "ada" })]
    })
    const { data } = Object(await (await svc.fetch(new Request("http://host/api/v1/me"))).json())
    assert.strictEqual(data.user_id, "ada")
    await svc.close()
  })

  it("lets the host say who calls, from its own session; undefined is 401", async () => {
    const seen: Array<string> = []
    const service = await open({
      layers: Logger.layer([]),
      callerOf: async ({ headers, method, url }) => {
        seen.push(`${method} ${url}`)
        await Promise.resolve()
        const user = headers["x-user"]
        if (user === "broken") throw new Error("session store: password=hunter2")
        if (user === undefined) return undefined
        return user === "reader" ? { userId: user, scopes: ["offers:read"] } : { userId: user }
      }
    })
    const as = (user: string) => ({ key: null, headers: { "x-user": user } })
    const made = await service.ask("POST", "/api/v1/offers", { ...as("ada"), json: smallOffer })
    assert.strictEqual(made.status, 201, made.text)
    assert.strictEqual(at(made.body, "data.offer.organizationId"), service.svc.organization.id)
    assert.deepStrictEqual(seen, ["POST /api/v1/offers"])
    const me = await service.ask("GET", "/api/v1/me", as("ada"))
    assert.strictEqual(at(me.body, "data.user_id"), "ada")
    assert.strictEqual(at(me.body, "data.key_id"), null)
    isError(await service.ask("GET", "/api/v1/offers"), 401, "UNAUTHENTICATED")
    isError(await service.ask("POST", "/api/v1/offers", { ...as("reader"), json: smallOffer }), 403, "FORBIDDEN_SCOPE")
    const broken = await service.ask("GET", "/api/v1/offers", as("broken"))
    isError(broken, 500, "INTERNAL")
    assert.notMatch(broken.text, /hunter2/)
    await service.svc.close()
  })

  it("Svc-Actor-Kind lowers a host's person as it lowers a key's", async () => {
    const service = await open({ callerOf: () => ({ userId: "ada" }) })
    const me = await service.ask("GET", "/api/v1/me", { key: null, headers: { "svc-actor-kind": "AI_AGENT" } })
    assert.strictEqual(at(me.body, "data.actor_kind"), "AI_AGENT")
    await service.svc.close()
  })
})
