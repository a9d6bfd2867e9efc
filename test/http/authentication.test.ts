/** Keys over HTTP: who is let in, as what, and how the others are refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { generateKey } from "#core/workspace/organizations/ApiKey.ts"
import { revokeKey, rotateKey } from "#core/workspace/organizations/Provisioning.ts"
import { at, isError, openService, type Service, smallOffer, textAt } from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const everyRoute = [
  ["GET", "/api/v1/commands"],
  ["GET", "/api/v1/commands/offer.create/schema"],
  ["POST", "/api/v1/commands/offer.create"],
  ["POST", "/api/v1/commands/nothing"],
  ["GET", "/api/v1/resources"],
  ["GET", "/api/v1/resources/read?uri=svc://status"],
  ["GET", "/api/v1/offers"],
  ["POST", "/api/v1/offers"],
  ["PATCH", "/api/v1/offers/x"],
  ["POST", "/api/v1/missions"],
  ["GET", "/api/v1/missions/x"],
  ["POST", "/api/v1/missions/x/leads"],
  ["GET", "/api/v1/agents"],
  ["POST", "/api/v1/agents"],
  ["PATCH", "/api/v1/agents/x"],
  ["DELETE", "/api/v1/agents/x"],
  ["GET", "/api/v1/me"]
] as const

describe("without a key", () => {
  it.each(everyRoute)("%s %s is 401 with WWW-Authenticate, whatever else is wrong with it", async (method, path) => {
    const reply = await service.ask(method, path, { key: null, ...(method === "GET" ? {} : { body: "{" }) })
    isError(reply, 401, "UNAUTHENTICATED")
    assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/)
  })

  it.each(["/healthz", "/readyz", "/api/v1/openapi.json", "/docs"])("%s answers", async (path) => {
    const reply = await service.ask("GET", path, { key: null })
    assert.strictEqual(reply.status, 200)
    assert.match(reply.headers.get("svc-request-id") ?? "", /^req_/)
  })
})

describe("a key that does not hold", () => {
  it("reads the same whether it is malformed, mistyped, unknown or of another scheme", async () => {
    const good = service.key
    const mistyped = `${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`
    const wrong = [
      "x",
      "svc_live_short",
      generateKey(),
      mistyped,
      good.slice(0, -1),
      `${good}x`,
      good.toUpperCase(),
      "x".repeat(5000)
    ]
    const replies = await Promise.all(wrong.map((key) => service.ask("GET", "/api/v1/offers", { key })))
    for (const reply of replies) {
      isError(reply, 401, "UNAUTHENTICATED")
      assert.strictEqual(reply.text, replies[0]?.text)
    }
    for (const header of [
      `Basic ${good}`,
      good,
      "Bearer",
      "Bearer  ",
      `Bearer ${good}, Bearer ${good}`,
      `Token ${good}`
    ]) {
      const reply = await service.ask("GET", "/api/v1/offers", { key: null, headers: { authorization: header } })
      isError(reply, 401, "UNAUTHENTICATED")
    }
    const secret = generateKey(good.split("_")[2])
    isError(await service.ask("GET", "/api/v1/offers", { key: secret }), 401, "UNAUTHENTICATED")
  })

  it("expired and revoked keys say so; a scheme in any case is read", async () => {
    const expired = await service.makeKey({ expiresAt: "2020-01-01T00:00:00.000Z" })
    isError(await service.ask("GET", "/api/v1/offers", { key: expired.text }), 401, "KEY_EXPIRED")
    const revoked = await service.makeKey({})
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", { key: revoked.text })).status, 200)
    const lower = await service.ask("GET", "/api/v1/offers", {
      key: null,
      headers: { authorization: `bearer ${revoked.text}` }
    })
    assert.strictEqual(lower.status, 200)
    await service.svc.effect.runtime.runPromise(revokeKey(revoked.keyId))
    const reply = await service.ask("GET", "/api/v1/offers", { key: revoked.text })
    isError(reply, 401, "KEY_REVOKED")
    assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/)
  })

  it("a rotated key holds at once, together with the old one for the overlap; without overlap alone", async () => {
    const status = async (key: string) => (await service.ask("GET", "/api/v1/offers", { key })).status
    const first = await service.makeKey({})
    assert.strictEqual(await status(first.text), 200)
    const second = await service.svc.effect.runtime.runPromise(rotateKey(first.keyId, 3600))
    assert.strictEqual(await status(second.text), 200, "the process that remembers the key must know the new secret")
    assert.strictEqual(await status(first.text), 200)
    const third = await service.svc.effect.runtime.runPromise(rotateKey(first.keyId, 0))
    assert.strictEqual(await status(third.text), 200)
    assert.deepStrictEqual(
      [await status(first.text), await status(second.text), await status(third.text)],
      [401, 401, 200]
    )
  })
})

describe("scopes", () => {
  it("a missing scope is a 403 error object that names it, on commands, REST and resources", async () => {
    const { text: key } = await service.makeKey({ scopes: ["missions:read"] })
    for (const reply of [
      await service.ask("POST", "/api/v1/commands/offer.create", { key, json: {} }),
      await service.ask("POST", "/api/v1/offers", { key, json: smallOffer })
    ]) {
      isError(reply, 403, "FORBIDDEN_SCOPE")
      assert.match(textAt(reply.body, "error.message"), /offers:write/)
    }
    const offers = await service.ask("GET", "/api/v1/resources/read?uri=svc%3A%2F%2Foffers", { key })
    isError(offers, 403, "FORBIDDEN_SCOPE")
    assert.strictEqual((await service.ask("GET", "/api/v1/commands", { key })).status, 200)
  })

  it("admin holds every scope", async () => {
    const { text: key } = await service.makeKey({ scopes: ["admin"] })
    assert.strictEqual((await service.ask("POST", "/api/v1/offers", { key, json: smallOffer })).status, 201)
  })
})

describe("who acted", () => {
  let sampled: Service
  const draft = { email: "pat@example.com", agent_handle: "kim-lee", variations: [{ body_text: "Hello" }] }
  beforeAll(async () => {
    sampled = await openService()
    await sampled.ask("POST", "/api/v1/agents", { json: { firstName: "Kim", lastName: "Lee" } })
    for (const email of ["pat@example.com", "sam@example.com", "lou@example.com"]) {
      const slug = email.split("@")[0]
      const lead = { email, linkedin_url: `https://www.linkedin.com/in/${slug}`, name: "Pat" }
      const reply = await sampled.ask("POST", "/api/v1/commands/lead.upsert", { json: lead })
      assert.strictEqual(reply.status, 200, reply.text)
    }
  })
  afterAll(() => sampled.svc.close())

  it("is the key's user and kind; Svc-Actor-Kind may lower it and never raise it", async () => {
    const create = async (email: string, key: string, kind?: string) => {
      const reply = await sampled.ask("POST", "/api/v1/commands/linkedin.draft.create", {
        key,
        json: { ...draft, email },
        ...(kind === undefined ? {} : { headers: { "svc-actor-kind": kind } })
      })
      assert.strictEqual(reply.status, 200, reply.text)
      return at(reply.body, "data.draft.created_by_actor_kind")
    }
    assert.strictEqual(await create("pat@example.com", sampled.key), "USER")
    assert.strictEqual(await create("sam@example.com", sampled.key, "AI_AGENT"), "AI_AGENT")
    const { text } = await sampled.makeKey({ actorKind: "AI_AGENT" })
    assert.strictEqual(await create("lou@example.com", text, "USER"), "AI_AGENT")
    const bad = await sampled.ask("GET", "/api/v1/offers", { headers: { "svc-actor-kind": "ROBOT" } })
    isError(bad, 400, "INVALID_INPUT")
  })

  it("a draft-only key reads and drafts, and can neither approve nor send nor write anything else", async () => {
    const { text: key } = await sampled.makeKey({ mode: "draft_only" })
    const page = await sampled.ask("POST", "/api/v1/commands/linkedin.draft.list", { key, json: {} })
    assert.strictEqual(page.status, 200, page.text)
    const draftId = textAt(page.body, "data.drafts.0.draft_id")
    const updated = await sampled.ask("POST", "/api/v1/commands/linkedin.draft.update", {
      key,
      json: { draft_id: draftId, variations: [{ body_text: "Better" }] }
    })
    assert.strictEqual(updated.status, 200, updated.text)
    for (const input of [{}, { send_now: true }]) {
      const approved = await sampled.ask("POST", "/api/v1/commands/linkedin.draft.approve", {
        key,
        json: { draft_id: draftId, ...input }
      })
      isError(approved, 403, "APPROVAL_POLICY")
    }
    isError(await sampled.ask("POST", "/api/v1/offers", { key, json: smallOffer }), 403, "APPROVAL_POLICY")
    isError(await sampled.ask("DELETE", "/api/v1/agents/kim-lee", { key }), 403, "APPROVAL_POLICY")
  })

  it("GET /api/v1/me says so", async () => {
    const reply = await sampled.ask("GET", "/api/v1/me")
    assert.strictEqual(reply.status, 200)
    assert.strictEqual(at(reply.body, "data.organization_id"), sampled.organizationId)
    assert.strictEqual(at(reply.body, "data.actor_kind"), "USER")
    assert.strictEqual(at(reply.body, "data.mode"), "full")
    assert.notInclude(reply.text, sampled.key)
  })
})
