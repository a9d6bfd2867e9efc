/** A service for tests of hosts: its time, its provider, its roles. */
import { assert, describe, it } from "@effect/vitest"
import { EmailGateway } from "@svc/core/email"
import { LinkedInGateway, sendingOnly } from "@svc/core/outreach"
import { defineCommand } from "@svc/embed"
import { testSvc } from "@svc/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Svc } from "#embed/Svc.ts"

/** Approves a message to a new person; returns the lead. */
const approved = async (svc: Svc, slug = "grace-hopper"): Promise<string> => {
  const { lead_id } = await svc.leads.upsert({ linkedin_url: `https://www.linkedin.com/in/${slug}` })
  const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: `Hello ${slug}` }] })
  await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
  return lead_id
}

const agent = { first_name: "Ada", last_name: "Martin" }

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "ok",
    (error: unknown) => Object(error).code
  )

describe("the time of testSvc", () => {
  it("begins on a Monday morning, stands still and moves only forwards", async () => {
    const { clock, close, svc } = await testSvc()
    assert.strictEqual(clock.now().toISOString(), "2026-01-05T09:00:00.000Z")
    const { offer } = await svc.offers.create({ name: "Travel", is_draft: true })
    assert.strictEqual(offer.createdAt, "2026-01-05T09:00:00.000Z")
    await clock.advance("36 hours")
    const { offer: later } = await svc.offers.create({ name: "Trains", is_draft: true })
    assert.strictEqual(later.createdAt, "2026-01-06T21:00:00.000Z")
    await clock.set("2027-01-01T00:00:00Z")
    assert.strictEqual(clock.now().getTime(), Date.UTC(2027, 0))
    assert.throws(() => clock.set("2026-12-31T00:00:00Z"), RangeError)
    assert.throws(() => clock.set("tomorrow"), RangeError)
    await close()
  })

  it("is that of requests and keys, too", async () => {
    await using test = await testSvc({ at: new Date("2030-05-05T05:05:05Z") })
    const { id: organizationId } = await test.svc.organizations.ensure({ externalId: "acme" })
    const expiresAt = "2030-05-06T00:00:00Z"
    const { apiKey } = await test.svc.keys.issue({ organizationId, name: "CRM", expiresAt })
    const ask = async () =>
      (await test.svc.fetch(new Request("http://h/api/v1/me", { headers: { authorization: `Bearer ${apiKey}` } })))
        .status
    assert.strictEqual(await ask(), 200)
    await test.clock.advance("1 day")
    assert.strictEqual(await ask(), 401)
  })

  it("holds an approved message back until it moves, with settings that say so", async () => {
    await using test = await testSvc({ settings: { sendHoldSeconds: 60 } })
    await test.svc.agents.create(agent)
    await approved(test.svc)
    await test.work()
    assert.deepStrictEqual(test.sent(), [])
    await test.clock.advance(60_000)
    assert.deepInclude(await test.work(), { messages: 1 })
    assert.deepInclude(test.sent()[0], { at: "2026-01-05T09:01:02.000Z", text: "Hello grace-hopper" })
  })
})

describe("pacing in testSvc", () => {
  it("sends on working days and in working hours only", async () => {
    // A Saturday.
    await using test = await testSvc({ at: "2026-01-10T09:00:00Z", settings: { linkedinPacing: "on" } })
    await test.svc.agents.create(agent)
    for (let n = 0; n < 4; n++) await approved(test.svc, `paced-${n}`)
    for (let hour = 0; hour < 9 * 24; hour++) {
      await test.work()
      await test.clock.advance("1 hour")
    }
    assert.lengthOf(test.sent(), 4)
    const outside = test.sent().filter(({ at }) => {
      const instant = new Date(at)
      return instant.getUTCDay() % 6 === 0 || instant.getUTCHours() < 9 || instant.getUTCHours() >= 18
    })
    assert.deepStrictEqual(outside, [])
  })
})

describe("the provider of testSvc", () => {
  it("takes what is sent, unless the script says otherwise", async () => {
    await using test = await testSvc()
    const { provider, svc } = test
    await svc.agents.create(agent)
    const slugs = ["grace", "ida", "joan", "mary", "katherine"]
    for (const slug of slugs) await approved(svc, slug)
    provider.next("refuse", "unavailable", "unknown", "lost")
    const counts = await test.work()
    assert.deepInclude(counts, { messages: 1 })
    assert.deepStrictEqual(
      test.sent().map(({ outcome }) => outcome),
      ["unknown", "confirmed"]
    )
    // What arrived is found in the conversation, what did not is never sent twice, and what was refused for now is tried again.
    for (let hours = 0; hours < 48; hours++) {
      await test.clock.advance("1 hour")
      await test.work()
    }
    assert.lengthOf(test.sent(), 3)
    assert.lengthOf(new Set(test.sent().map(({ text }) => text)), 3)
    const { drafts } = await svc.linkedin.draft.list({ limit: 100, status: ["DISPATCHED"] })
    assert.lengthOf(drafts, 3)
  })

  it("lets a person reply, which the service reads", async () => {
    await using test = await testSvc()
    await test.svc.agents.create(agent)
    const leadId = await approved(test.svc)
    assert.match(await test.provider.reply({ leadId, text: "Early" }).then(String, String), /No message left/)
    await test.work()
    await test.provider.reply({ leadId, text: "Tell me more" })
    await test.clock.advance("10 minutes")
    assert.deepInclude(await test.work(), { inboxes: 1 })
    const { lead } = await test.svc.leads.get({ lead_id: leadId })
    assert.strictEqual(lead.status, "Replied")
    const types = (await test.events()).map(({ type }) => type)
    assert.includeMembers(types, ["lead.created", "message.received"])
    const { messages } = await test.svc.linkedin.conversation.get({ lead_id: leadId })
    assert.deepStrictEqual(
      messages.map(({ content }) => content),
      ["Tell me more", "Hello grace-hopper"]
    )
  })

  it("may be the host's own, whose sends are recorded and replaced as well", async () => {
    const calls: Array<string> = []
    const confirmed = { _tag: "Confirmed", messageId: null, externalId: null } as const
    const gateway = Layer.succeed(LinkedInGateway, {
      ...sendingOnly,
      name: "outbox",
      automaticAccount: ({ id }) => ({ gatewayAccountId: id, tier: "FREE", features: [] }),
      relation: () =>
        Effect.succeed({ _tag: "Known", relation: { connected: true, chatId: "chat", invitation: "none" } } as const),
      sendToChat: (_, { text }) => Effect.sync(() => void calls.push(text)).pipe(Effect.as(confirmed)),
      startChat: () => Effect.succeed(confirmed),
      sendInvitation: () => Effect.succeed(confirmed),
      searchPeople: () => Effect.succeed({ people: [], next: null, total: 0 })
    })
    const email = Layer.succeed(EmailGateway, {
      send: ({ messageId, subject }) =>
        Effect.sync(() => void calls.push(subject)).pipe(Effect.as({ _tag: "Confirmed", messageId } as const))
    })
    await using test = await testSvc({ gateway, email })
    const { svc } = test
    await svc.agents.create({ ...agent, email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }] })
    await svc.missions.create({ name: "Letters", agent_handle: "ada-martin" })
    const { lead_id } = await svc.leads.upsert({ email: "grace@example.com" })
    await svc.email.send({ lead_id, mission_id: "letters", subject: "Dear Grace", body_text: "Hello" })
    await approved(svc, "first")
    await approved(svc, "second")
    test.provider.next("lost")
    await test.work()
    assert.lengthOf(calls, 2)
    assert.includeMembers(
      test.sent().map(({ kind }) => kind),
      ["message", "email"]
    )
    assert.deepInclude(
      test.sent().find(({ kind }) => kind === "email"),
      { to: "grace@example.com", subject: "Dear Grace", text: "Hello", outcome: "confirmed" }
    )
  })
})

describe("the roles of testSvc", () => {
  it("may do what their scopes allow, and work in one organization", async () => {
    await using test = await testSvc({ sample: true })
    const upsert = (svc: Svc) => codeOf(svc.leads.upsert({ email: "new@example.com" }))
    const keys = (svc: Svc) => codeOf(svc.keys.list({}))
    assert.deepStrictEqual([await upsert(test.as("owner")), await keys(test.as("owner"))], ["ok", "ok"])
    assert.deepStrictEqual(
      [await upsert(test.as("drafter")), await keys(test.as("drafter"))],
      ["ok", "FORBIDDEN_SCOPE"]
    )
    assert.strictEqual(await upsert(test.as("read_only")), "FORBIDDEN_SCOPE")
    assert.strictEqual(await upsert(test.as({ scopes: ["leads:write"] })), "ok")
    const { drafts } = await test.svc.linkedin.draft.list({ status: ["PENDING_REVIEW"] })
    const draft_id = drafts[0]?.draft_id ?? assert.fail("the sample has drafts that wait for review")
    assert.strictEqual(await codeOf(test.as("ai_agent").linkedin.draft.approve({ draft_id })), "FORBIDDEN_SCOPE")
    assert.strictEqual(await codeOf(test.as("drafter").linkedin.draft.approve({ draft_id })), "FORBIDDEN_SCOPE")
    assert.strictEqual(await codeOf(test.as("approver").linkedin.draft.approve({ draft_id })), "ok")
    assert.strictEqual((await test.as("owner").offers.get({ offer_id: "sample-offer" })).offer.id, "sample-offer")
  })
})

describe("testSvc", () => {
  it("has the host's own commands, hooks and settings, and reads no environment", async () => {
    const Ping = defineCommand({
      id: "host.ping",
      summary: "Return a word",
      risk: "read",
      scope: "offers:read",
      run: () => ({ word: "pong" })
    })
    process.env["SVC_WORKERS"] = "many"
    try {
      await using test = await testSvc({ commands: [Ping] })
      assert.deepStrictEqual(await test.svc.host.ping({}), { word: "pong" })
      assert.deepStrictEqual(await test.as("read_only").host.ping({}), { word: "pong" })
    } finally {
      delete process.env["SVC_WORKERS"]
    }
  })

  it("refuses unknown options, and those that a test decides itself", async () => {
    const message = (options: object) =>
      testSvc(options).then(
        () => assert.fail("it started"),
        (error: unknown) => `${Object(error).code} ${Object(error).message}`
      )
    assert.strictEqual(await message({ hook: {} }), "INVALID_INPUT testSvc: hook is unknown. Did you mean hooks?")
    for (const name of ["database", "databaseUrl", "env", "worker"])
      assert.include(await message({ [name]: "memory:" }), `INVALID_INPUT testSvc: ${name} is unknown.`)
    assert.include(await message({ settings: { holdSeconds: 1 } }), "settings.holdSeconds is unknown")
  })

  it("ends with close, for everything", async () => {
    const test = await testSvc()
    await test.close()
    for (const late of [test.svc.work(), test.events(), test.as("owner").offers.list()])
      assert.strictEqual(await codeOf(late), "UNAVAILABLE")
  })
})
