/** `svc.work()`: what the worker would do, when a host says so. */
import { once } from "node:events"
import { createServer } from "node:http"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"

const open = (databaseUrl: string): Promise<Svc> =>
  createSvc({
    databaseUrl,
    env: false,
    worker: false,
    settings: { sendHoldSeconds: 0, linkedinPacing: "off", allowPrivateTargets: true, logLevel: "none" }
  })

/** Approves a message to each of some people, whose slugs end in `suffix`. */
const approved = async (svc: Svc, count: number, suffix = ""): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const { lead_id } = await svc.leads.upsert({ linkedin_url: `https://www.linkedin.com/in/person-${n}${suffix}` })
    const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: `Hello ${n}` }] })
    const approval = await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
    // A change in the same millisecond as another one is dated one later.
    while (Date.now() <= Date.parse(approval.draft.updated_at)) await setImmediate()
  }
}

const nothing = {
  messages: 0,
  invitations: 0,
  emails: 0,
  expired: 0,
  notices: 0,
  settled: 0,
  inboxes: 0,
  mails: 0,
  webhooks: 0,
  deleted: 0
}

describe("work()", () => {
  it("sends everything that is due, more than fits a round and whatever fails, and then finds nothing to do", async () => {
    const svc = await open("memory:")
    await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
    await approved(svc, 230, "-blocked")
    await approved(svc, 120)
    assert.deepInclude(await svc.work(), { messages: 120, inboxes: 1 })
    assert.deepStrictEqual(await svc.work(), nothing)
    await svc.close()
  })

  it("delivers webhooks, and closing waits for it", async () => {
    const received: Array<string> = []
    const server = createServer((request, response) => {
      request.on("data", (chunk) => received.push(JSON.parse(String(chunk)).type))
      request.on("end", () => response.end())
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const svc = await open("memory:")
    const url = `http://127.0.0.1:${Object(server.address()).port}/`
    await svc.webhooks.create({ url, event_types: ["lead.created"] })
    for (let n = 0; n < 70; n++) await svc.leads.upsert({ email: `${n}@example.com` })
    const [counts] = await Promise.all([svc.work(), svc.close()])
    assert.strictEqual(counts.webhooks, 70)
    assert.deepStrictEqual(
      received,
      Array.from({ length: 70 }, () => "lead.created")
    )
    assert.strictEqual(Object(await svc.work().catch((error: unknown) => error)).code, "UNAVAILABLE")
    server.closeAllConnections()
    server.close()
  })

  it.live.skipIf(!hasPostgres())("shares the work of two processes: every message leaves once", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      yield* Effect.promise(async () => {
        const services = [await open(clearUrl(url)), await open(clearUrl(url))]
        const [first] = services
        assert.isDefined(first)
        await first.agents.create({ first_name: "Ada", last_name: "Martin" })
        await approved(first, 30)
        const counts = await Promise.all(services.map((svc) => svc.work()))
        assert.strictEqual(
          counts.reduce((sum, { messages }) => sum + messages, 0),
          30
        )
        const { drafts } = await first.linkedin.draft.list({ status: ["DISPATCHED"], limit: 100 })
        assert.lengthOf(drafts, 30)
        await Promise.all(services.map((svc) => svc.close()))
      })
    })
  )
})
