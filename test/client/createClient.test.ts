/** The client and the embedded service, which are used alike. */

import { gzipSync } from "node:zlib"
import { type Client, commandTree, createClient, items, pages, SvcError } from "@svc/client"
import { createSvc, type Svc } from "@svc/embed"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commands } from "#core/commands.ts"
import { commonFailures } from "#core/kernel/failure/failures.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { bundled, loadedInBrowser } from "./bundled.ts"
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
    const pathsOf = (tree: object): ReadonlyArray<ReadonlyArray<string>> =>
      Object.entries(tree).flatMap(([name, value]) =>
        typeof value === "function" ? [[name]] : pathsOf(value).map((rest) => [name, ...rest])
      )
    const ids = commands.map(({ id }) => id)
    const paths = pathsOf(commandTree(ids, async () => undefined))
    const asked: Array<string> = []
    const client = createClient({
      url,
      fetch: async (request) => {
        asked.push(decodeURIComponent(new URL(request.url).pathname.replace("/api/v1/commands/", "")))
        return Response.json({ ok: true, data: {} })
      }
    })
    for (const path of paths) {
      const methodOf = (of: object): unknown => path.reduce((at, name) => Reflect.get(Object(at), name), of)
      assert.isFunction(methodOf(svc), path.join("."))
      const method = methodOf(client)
      if (typeof method === "function") await method({})
    }
    assert.sameMembers(asked, ids)
  })

  it("needs no input for a list", async () => {
    for (const either of [svc, remote]) assert.isArray((await either.offers.list()).offers)
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

describe("unknown options", () => {
  it("are refused with the nearest name, before anything is sent", async () => {
    const message = (error: unknown) => (error instanceof SvcError ? `${error.code} ${error.message}` : String(error))
    const made = async (options: object) => createClient({ url, ...options })
    assert.strictEqual(
      message(await caught(made({ fetsh: svc.fetch }))),
      "INVALID_INPUT createClient: fetsh is unknown. Did you mean fetch?"
    )
    assert.include(
      message(await caught(made({ apiKey: key }))),
      "createClient: apiKey is unknown. Known are url, key, fetch."
    )
    const silent = createClient({ url, key, fetch: () => assert.fail("it was sent") })
    const dry = Object({ dry_run: true })
    const refused = "INVALID_INPUT options: dry_run is unknown. Did you mean dryRun?"
    assert.strictEqual(message(await caught(silent.leads.upsert({ email: "ada@example.com" }, dry))), refused)
    const envelope = await silent.commands.run("lead.upsert", { email: "ada@example.com" }, dry)
    assert.isTrue(!envelope.ok && refused.endsWith(envelope.error.message))
    assert.include(
      message(await caught(silent.resources.read("svc://status", dry))),
      "Known are responseProfile, signal."
    )
    const actor = Object({ actor: { userId: "ada" } })
    assert.include(message(await caught(silent.offers.list({}, actor))), "options: actor is unknown")
    assert.isArray((await remote.offers.list({}, Object({ actor: undefined }))).offers)
  })
})

describe("in a browser", () => {
  it("is at most 15 kB compressed, without Effect, and needs nothing of Node", async () => {
    const { bundle, sources } = await bundled()
    assert.isAtMost(gzipSync(bundle).length, 15_000)
    assert.deepStrictEqual(
      sources.filter((source) => !source.startsWith("packages/client/src/")),
      ["kernel/schema/nearestName.ts", "kernel/schema/options.ts", "kernel/schema/plainJson.ts", "names.ts"].map(
        (file) => `packages/core/src/${file}`
      )
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
