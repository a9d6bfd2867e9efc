/** The client against a server, and against one that fails. */
import { gzipSync } from "node:zlib"
import { type Client, type ClientOptions, createClient, items, pages, SvcError } from "@svc/client"
import { createSvc, type Svc } from "@svc/embed"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { commands } from "#core/commands.ts"
import { commonFailures } from "#core/kernel/failure/commonFailures.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { bundled, loadedInBrowser } from "./bundled.ts"

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

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await caught(promise)
  return error instanceof SvcError ? error.code : assert.fail(String(error))
}

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

describe("embedded and remote", () => {
  it("run the same program", async () => {
    const program = async (either: Client) => {
      const { lead } = await either.leads.upsert({ email: "ada@example.com", name: "Ada" })
      const error = await caught(either.offers.delete({ offer_id: "off_none" }))
      assert.instanceOf(error, SvcError)
      const parsed = await either.imports.salesNav.parse({
        url: "https://www.linkedin.com/sales/search/people?query=(keywords:ada)"
      })
      const found = await either.resources.read("svc://status")
      return {
        name: lead.name,
        parsed,
        code: error instanceof SvcError && [error.code, error.status, error.envelope.ok, error.message],
        failed: either.commands.failed("offer.delete", error),
        failedOther: either.commands.failed("offer.create", error),
        payload: Object.keys(found.payload),
        commands: await either.commands.list(),
        schema: await either.commands.schema("offer.delete"),
        resources: await either.resources.list(),
        unknown: await codeOf(either.commands.schema("offer.burn")),
        nowhere: await codeOf(either.resources.read("svc://nowhere"))
      }
    }
    const here = await program(svc)
    assert.deepStrictEqual(await program(remote), here)
    assert.isTrue(here.failed)
    assert.isFalse(here.failedOther)
    assert.deepStrictEqual([here.unknown, here.nowhere], ["UNKNOWN_COMMAND", "UNKNOWN_RESOURCE"])
  })

  it("list page by page, and item by item", async () => {
    for (const either of [svc, remote]) {
      for (const name of ["One", "Two", "Three", "Four", "Five"]) await either.offers.create({ name, is_draft: true })
      const counts: Array<number> = []
      for await (const { offers } of pages(either.offers.list, { limit: 2 })) counts.push(offers.length)
      assert.deepStrictEqual(counts, [2, 2, 1])
      const names: Array<string> = []
      for await (const { name } of items(either.offers.list, { limit: 2 })) names.push(name)
      assert.deepStrictEqual(names, ["Five", "Four", "Three", "Two", "One"])
      const first = await either.offers.list({ limit: 2 })
      const rest: Array<string> = []
      for await (const { name } of items(either.offers.list, { limit: 2, cursor: first.next_cursor ?? "" }))
        rest.push(name)
      assert.deepStrictEqual(rest, ["Three", "Two", "One"])
    }
  })

  it("take the three options of a call", async () => {
    for (const either of [svc, remote]) {
      const options = { idempotencyKey: "import-1" }
      const { lead_id } = await either.leads.upsert({ email: "key@example.com" }, options)
      const repeated = await either.leads.upsert({ email: "key@example.com" }, options)
      assert.strictEqual(repeated.lead_id, lead_id)
      assert.strictEqual(await codeOf(either.leads.upsert({ email: "b@example.com" }, options)), "IDEMPOTENCY_MISMATCH")
      assert.strictEqual(
        await codeOf(either.leads.upsert({ email: "b@example.com" }, { idempotencyKey: "ü" })),
        "INVALID_INPUT"
      )
      await either.leads.upsert({ email: "dry@example.com" }, { dryRun: true })
      assert.strictEqual(await codeOf(either.leads.get({ email: "dry@example.com" })), "NOT_FOUND")
    }
  })

  it("refuse an input that is no JSON", async () => {
    for (const either of [svc, remote]) {
      const upsert = either.leads.upsert({ email: "big@example.com", custom_id: 1n as never })
      assert.strictEqual(await codeOf(upsert), "INVALID_INPUT")
    }
  })

  it("reject a cancelled call with the signal's reason, and save nothing", async () => {
    const reason = new Error("enough")
    const controller = new AbortController()
    const { signal } = controller
    const cancelling = await createSvc({
      databaseUrl: "memory:",
      worker: false,
      hooks: { before: async ({ command }) => (command === "lead.upsert" ? controller.abort(reason) : undefined) }
    })
    const upsert = cancelling.leads.upsert({ email: "gone@example.com" }, { signal })
    assert.strictEqual(await caught(upsert), reason)
    assert.strictEqual(await codeOf(cancelling.leads.get({ email: "gone@example.com" })), "NOT_FOUND")
    await cancelling.close()
    for (const either of [svc, remote]) {
      assert.strictEqual(await caught(either.leads.upsert({ email: "gone@example.com" }, { signal })), reason)
      assert.strictEqual(await caught(either.resources.read("svc://status", { signal })), reason)
      assert.strictEqual(await codeOf(either.leads.get({ email: "gone@example.com" })), "NOT_FOUND")
    }
    const waiting = new AbortController()
    const client = createClient({
      url,
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason))
          waiting.abort(reason)
        })
    })
    assert.strictEqual(await caught(client.offers.list({}, { signal: waiting.signal })), reason)
  })
})

describe("a method of the client", () => {
  it("runs the command of its name, for every command", async () => {
    const embedded = (own: object): ReadonlyArray<ReadonlyArray<string>> =>
      Object.entries(own).flatMap(([name, value]) =>
        typeof value === "function" ? [[name]] : embedded(value).map((rest) => [name, ...rest])
      )
    const { as, close, commands: _, createOrganization, effect, fetch, node, organization, resources, ...methods } = svc
    const asked: Array<string> = []
    const client = createClient({
      url,
      fetch: async (request) => {
        asked.push(decodeURIComponent(new URL(request.url).pathname.replace("/api/v1/commands/", "")))
        return Response.json({ ok: true, data: {} })
      }
    })
    for (const path of embedded(methods)) {
      const method: unknown = path.reduce((at, name) => Reflect.get(Object(at), name), client)
      if (typeof method === "function") await method({})
    }
    assert.sameMembers(
      asked,
      commands.map(({ id }) => id)
    )
  })

  it("is a promise nowhere on its path", async () => {
    assert.strictEqual(await remote.leads, remote.leads)
    assert.strictEqual(await codeOf(Reflect.get(remote.leads, "burn")({})), "UNKNOWN_COMMAND")
  })
})

describe("commands.failed of the client", () => {
  it("is false for what never reached a command", async () => {
    const declared = new Set(commands.flatMap(({ failures }) => failures.map(({ code }): string => code)))
    for (const { code } of commonFailures) declared.add(code)
    // No part of the product makes these any more.
    const unused = ["DUPLICATE_CUSTOM_ID", "GATEWAY_PARTIAL"]
    const undeclared = Object.keys(failureTable).filter((code) => !declared.has(code) && !unused.includes(code))
    assert.isAbove(undeclared.length, 5)
    for (const code of undeclared) {
      const client = createClient({
        url,
        fetch: async () =>
          Response.json({ error: { code, message: "No." } }, { status: 400, headers: { "retry-after": "99" } })
      })
      const error = await caught(client.offers.delete({ offer_id: "off_1" }))
      assert.instanceOf(error, SvcError)
      assert.isFalse(client.commands.failed("offer.delete", error), code)
    }
  })
})

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
    const { client, sent } = failing(Array(9).fill(limited("20")))
    const controller = new AbortController()
    const running = caught(client.offers.list({}, { signal: controller.signal }))
    while (sent.length === 0) await new Promise(setImmediate)
    controller.abort(new Error("enough"))
    assert.strictEqual(String(await running), "Error: enough")
    assert.strictEqual(sent.length, 1)
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

describe("in a browser", () => {
  it("is at most 15 kB compressed, without Effect, and needs nothing of Node", async () => {
    const { bundle, sources } = await bundled()
    assert.isAtMost(gzipSync(bundle).length, 15_000)
    assert.deepStrictEqual(
      sources.filter((source) => !source.startsWith("packages/client/src/")),
      []
    )
    const { createClient, items, SvcError } = loadedInBrowser(bundle)
    const client = createClient({
      url: "/mounted/",
      key,
      fetch: (request) => {
        assert.match(request.url, /^https:\/\/app\.example\/mounted\/api\/v1\//)
        return svc.fetch(new Request(request.url.replace("https://app.example/mounted", url), request))
      }
    })
    const { offer } = await client.offers.create({ name: "From a browser", is_draft: true })
    const ids: Array<string> = []
    for await (const { id } of items(client.offers.list, {})) ids.push(id)
    assert.include(ids, offer.id)
    const error = await caught(client.offers.delete({ offer_id: "off_none" }))
    assert.instanceOf(error, SvcError)
    assert.strictEqual(Object(error).code, "NOT_FOUND")
  })
})
