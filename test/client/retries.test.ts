/** The client against a service that fails. */
import { createServer } from "node:http"
import { type Client, type ClientOptions, createClient, SvcError } from "@svc/client"
import { createSvc, type Svc } from "@svc/embed"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { caught, codeOf } from "./caught.ts"

const url = "http://svc.example"
let svc: Svc
let remote: Client
let key: string

beforeAll(async () => {
  svc = await createSvc({ databaseUrl: "memory:", worker: false, rateLimit: 0, publicUrl: url })
  const { apiKey } = await svc.createOrganization("Remote")
  key = apiKey
  remote = createClient({ url, key, fetch: svc.fetch })
})
afterAll(() => svc.close())
afterEach(() => vi.useRealTimers())

type FailedResponse = { readonly status: number; readonly code?: string; readonly after?: string }

/** A client whose first requests get these responses, or none; later ones get those of the service. */
const failing = (first: ReadonlyArray<FailedResponse | "lost">, options: Partial<ClientOptions> = {}) => {
  const sent: Array<string> = []
  const left = [...first]
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(`${request.method} ${new URL(request.url).pathname.replace("/api/v1/", "")}`)
    const next = left.shift()
    if (next === undefined) return svc.fetch(request)
    if (next === "lost") throw new TypeError("fetch failed")
    const { after, code, status } = next
    const body = code === undefined ? "<html>" : JSON.stringify({ error: { code, message: "No." } })
    return new Response(body, { status, headers: after === undefined ? {} : { "retry-after": after } })
  }
  return { client: createClient({ url, key, fetch, ...options }), sent }
}

/** Runs with timers that pass by themselves; resolves to how many milliseconds it waited. */
const waited = async (work: () => Promise<unknown>): Promise<number> => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
  const begun = Date.now()
  let done = false
  const running = work().finally(() => {
    done = true
  })
  running.catch(() => undefined)
  while (!done) {
    await vi.advanceTimersByTimeAsync(50)
    await new Promise(setImmediate)
  }
  const passed = Date.now() - begun
  vi.useRealTimers()
  await running
  return passed
}

describe("a retry", () => {
  const limited = (after: string) => ({ status: 429, code: "RATE_LIMITED", after })
  const unavailable = { status: 503, code: "UNAVAILABLE" }

  it("waits for Retry-After, whatever the call, at most three times and 30 seconds", async () => {
    const { client, sent } = failing([limited("7"), limited("2")])
    const millis = await waited(() => client.leads.upsert({ email: "wait@example.com" }))
    assert.isAtLeast(millis, 9_000)
    assert.isBelow(millis, 10_000)
    assert.deepStrictEqual(sent, Array(3).fill("POST commands/lead.upsert"))
    const often = failing(Array(9).fill(limited("1")))
    let code = ""
    await waited(async () => {
      code = await codeOf(often.client.leads.upsert({ email: "wait@example.com" }))
    })
    assert.strictEqual(code, "RATE_LIMITED")
    assert.strictEqual(often.sent.length, 4)
    const long = failing([limited("31")])
    assert.strictEqual(await codeOf(long.client.leads.upsert({ email: "wait@example.com" })), "RATE_LIMITED")
    assert.strictEqual(long.sent.length, 1)
  })

  it("follows a lost connection or an unavailable service for a read", async () => {
    for (const failure of ["lost", unavailable, { status: 502 }] as const) {
      const { client, sent } = failing([failure])
      await waited(() => client.offers.list({}))
      await waited(() => client.resources.read("svc://status"))
      assert.deepStrictEqual(sent, [
        "POST commands/offer.list",
        "GET commands/offer.list/schema",
        "POST commands/offer.list",
        "GET resources/read"
      ])
    }
    const twice = failing(["lost", unavailable])
    await waited(() => twice.client.resources.read("svc://status"))
    assert.strictEqual(twice.sent.length, 3)
  })

  it("never follows for a call that may have taken effect, unless it has an idempotency key", async () => {
    for (const failure of ["lost", unavailable, { status: 504 }] as const) {
      const without = failing([failure])
      assert.strictEqual(await codeOf(without.client.leads.upsert({ email: "once@example.com" })), "UNAVAILABLE")
      assert.strictEqual(await codeOf(remote.leads.get({ email: "once@example.com" })), "NOT_FOUND")
      assert.deepStrictEqual(without.sent, ["POST commands/lead.upsert", "GET commands/lead.upsert/schema"])
    }
    const keyed = failing(["lost", unavailable])
    await waited(() => keyed.client.leads.upsert({ email: "keyed@example.com" }, { idempotencyKey: "again" }))
    assert.deepStrictEqual(keyed.sent, Array(3).fill("POST commands/lead.upsert"))
  })

  it("never follows another failure", async () => {
    for (const [code, status] of [
      ["USAGE_LIMIT", 429],
      ["GATEWAY_UNCONFIGURED", 503],
      ["INTERNAL", 500]
    ] as const) {
      const { client, sent } = failing([{ status, code, after: "1" }])
      assert.strictEqual(await codeOf(client.offers.list({}, { idempotencyKey: "k" })), code)
      assert.strictEqual(sent.length, 1)
    }
  })

  it("ends with the signal", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const { client, sent } = failing(Array(9).fill(limited("20")))
    const controller = new AbortController()
    const running = caught(client.offers.list({}, { signal: controller.signal }))
    while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    controller.abort(new Error("enough"))
    assert.strictEqual(String(await running), "Error: enough")
    assert.deepStrictEqual([sent.length, vi.getTimerCount()], [1, 0])
  })
})

describe("a failure on the way", () => {
  it("names the service and what to do, and keeps its cause", async () => {
    const { client } = failing(["lost"], { url: `${url}/mounted/` })
    const error = await caught(client.offers.create({ name: "Lost" }))
    assert.instanceOf(error, SvcError)
    assert.match(String(error), /Can't reach http:\/\/svc\.example\/mounted\. Is svc running\?/)
    assert.match(String(Object(error).cause), /fetch failed/)
  })

  it("is a lost connection or a redirect, which is not followed", async () => {
    const paths: Array<string> = []
    const server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      if (request.url?.startsWith("/lost/")) request.socket.destroy()
      else response.writeHead(307, { location: "/elsewhere" }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const at = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    for (const mount of ["lost", "moved"]) {
      const client = createClient({ url: `${at}/${mount}`, key })
      await waited(async () => {
        assert.strictEqual(await codeOf(client.leads.upsert({ email: "far@example.com" })), "UNAVAILABLE")
      })
    }
    const sent = (mount: string) => [
      `POST /${mount}/api/v1/commands/lead.upsert`,
      ...Array(4).fill(`GET /${mount}/api/v1/commands/lead.upsert/schema`)
    ]
    assert.deepStrictEqual(paths, [...sent("lost"), ...sent("moved")])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it("tells a URL that leads elsewhere from a service that fails", async () => {
    const { client, sent } = failing([{ status: 404 }])
    const envelope = await client.commands.run("offer.list", {})
    assert.match(envelope.ok ? "" : envelope.error.message, /HTTP 404, but not as svc does\. Check the URL\./)
    assert.strictEqual(sent.length, 1)
  })

  it("refuses a URL or a key that cannot be sent, and repeats neither", () => {
    for (const options of [
      { url: "svc" },
      { url: "ftp://svc" },
      { url: "http://hush@svc" },
      { url: "http://:hush@svc" },
      { url, key: "hush\n" }
    ]) {
      try {
        createClient(options)
        assert.fail(options.url)
      } catch (error) {
        assert.strictEqual(Object(error).code, "INVALID_INPUT", String(error))
        assert.notInclude(String(error), "hush")
      }
    }
  })
})
