/** A whole service over HTTP beside the fake provider: what is told badly, and what is read when it is not told at all. */
import { createServer, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createSvc, type Svc } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pollInboxes } from "#core/outreach/conversations/pollInboxes.ts"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { tellMessage } from "../support/fakeUnipile/tellings.ts"
import { adapter, secret } from "./unipileWorld.ts"

let fake: FakeUnipile
let svc: Svc
let server: Server
let origin = ""

beforeAll(async () => {
  fake = await startFakeUnipile({ apiKey: secret })
  fake.world.addAccount("ua-1")
  server = createServer((request, response) => svc.node(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  const gateway = Layer.orDie(adapter(fake.url))
  svc = await createSvc({ databaseUrl: "memory:", gateway, worker: false, publicUrl: origin, rateLimit: 0 })
  await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
})
afterAll(async () => {
  await svc.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await fake.close()
})

const post = (path: string, body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  fetch(`${origin}${path}`, { method: "POST", headers, body })

const lead = async (slug: string): Promise<string> => {
  fake.world.addPerson(slug)
  const made = await svc.leads.upsert({ name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
  return made.lead_id
}

const write = (slug: string, text: string, own = false): void =>
  tellMessage(fake, fake.world.write(fake.world.openChat("ua-1", slug), text, own))

const contents = async (lead_id: string): Promise<ReadonlyArray<string>> =>
  (await svc.linkedin.conversation.get({ lead_id, limit: 100 })).messages.map(({ content }) => content).toSorted()

const hookPath = (): string => new URL(fake.webhooks.registrations[0]?.url ?? origin).pathname

describe("A service and its provider", () => {
  it("has the provider tell at an address of its own, once", async () => {
    const linked = await svc.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: "ua-1" })
    assert.deepInclude(linked.account, { status: "OK", tier: "SALES_NAVIGATOR" })
    await svc.linkedin.account.unlink({ agent_handle: "ada-martin" })
    await svc.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: "ua-1" })
    const sources = fake.webhooks.registrations.map(({ source }) => source).toSorted()
    assert.deepStrictEqual(sources, ["account_status", "messaging", "users"])
    assert.match(hookPath(), /^\/api\/v1\/gateways\/unipile\/webhook\/[A-Za-z0-9_-]{43}$/)
    const unknown = await svc.commands.run("linkedin.account.link", {
      agent_handle: "ada-martin",
      gateway_account_id: "ua-none"
    })
    assert.isFalse(unknown.ok)
  })

  it("takes in what is told twice and in the wrong order, and reads what was lost", async () => {
    const [ann, ben] = [await lead("ann-told"), await lead("ben-told")]
    fake.webhooks.unreliability = { duplicateEvery: 2, loseEvery: 3, reverseBatch: 4, retryAfter: 20 }
    for (const text of ["one", "two", "three"]) {
      write("ann-told", text)
      write("ben-told", text)
    }
    await fake.webhooks.flush()
    assert.isTrue(fake.webhooks.delivered.every(({ status }) => status === 200))
    const told = [...(await contents(ann)), ...(await contents(ben))]
    assert.isBelow(told.length, 6, "some were lost")
    assert.isAbove(told.length, 0)
    const poll = Effect.provide(pollInboxes(), Ports.layer)
    assert.strictEqual(await svc.effect.runtime.runPromise(poll), 1)
    assert.deepStrictEqual(await contents(ann), ["one", "three", "two"])
    assert.deepStrictEqual(await contents(ben), ["one", "three", "two"])
    fake.webhooks.unreliability = {}
  })

  it("answers strangers as if nothing were there, and tellings that cannot be understood with what is wrong", async () => {
    const nowhere = await post(`/api/v1/gateways/unipile/webhook/${"A".repeat(43)}`, "{}")
    assert.strictEqual(nowhere.status, 404)
    const elsewhere = await post(hookPath().replace("unipile", "http"), "{}")
    assert.strictEqual(elsewhere.status, 404)
    for (const body of ["", "{", "[]", "{}", '{"event":"message_received"}']) {
      assert.strictEqual((await post(hookPath(), body)).status, 400, body)
    }
    assert.strictEqual((await post(hookPath(), `"${"x".repeat(600_000)}"`)).status, 413)
    const nothing = JSON.stringify({ event: "message_reaction", account_id: "ua-1" })
    assert.strictEqual((await post(hookPath(), nothing)).status, 200)
    assert.strictEqual((await fetch(`${origin}${hookPath()}`)).status, 405)
  })

  it("says 502 where a provider that fails is asked, and keeps what it knows", async () => {
    const ann = await lead("ann-told")
    const before = await contents(ann)
    for (const answer of ["drop", "cut", { status: 500 }, { status: 200, body: "<html>" }, { status: 503 }] as const) {
      fake.scripts.add({ action: "profile", accept: false, answer, times: 3 })
      const asked = await svc.commands.run("linkedin.conversation.sync", { lead_id: ann })
      assert.isFalse(asked.ok)
      if (!asked.ok) assert.include([502, 503], asked.status, JSON.stringify(asked.error))
      fake.scripts.clear()
    }
    assert.deepStrictEqual(await contents(ann), before)
    assert.isTrue((await svc.linkedin.conversation.sync({ lead_id: ann })).synced)
    assert.deepStrictEqual(await contents(ann), before)
  })
})
