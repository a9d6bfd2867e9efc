/** The REST endpoints of events, audit, keys and webhooks, and what a policy does to REST. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  at,
  hasExactly,
  isError,
  namesOf,
  openService,
  type Reply,
  type Service,
  smallOffer,
  textAt
} from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const listAt = (reply: Reply, path: string): ReadonlyArray<unknown> => {
  const list = at(reply.body, path)
  assert.ok(Array.isArray(list), path)
  return list
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe("GET /api/v1/events", () => {
  it("answers the feed from the beginning, in order, with next to read on", async () => {
    for (const name of ["One", "Two", "Three"]) {
      await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name } })
    }
    const first = await service.ask("GET", "/api/v1/events?limit=2")
    assert.strictEqual(first.status, 200, first.text)
    hasExactly(at(first.body, "data"), ["events", "next"])
    const [event] = listAt(first, "data.events")
    hasExactly(event, ["id", "type", "created_at", "organization_id", "sequence", "actor", "subject", "data"])
    assert.match(textAt(event, "id"), /^evt_/)
    assert.match(textAt(event, "created_at"), instant)
    assert.strictEqual(at(event, "organization_id"), service.organizationId)
    assert.strictEqual(at(event, "type"), "offer.created")
    assert.strictEqual(at(event, "actor.kind"), "USER")
    assert.deepStrictEqual(
      listAt(first, "data.events").map((one) => at(one, "sequence")),
      [1, 2]
    )
    assert.strictEqual(at(first.body, "data.next"), 2)
    const rest = await service.ask("GET", "/api/v1/events?after=2")
    assert.deepStrictEqual(
      listAt(rest, "data.events").map((one) => at(one, "sequence")),
      [3]
    )
    const end = await service.ask("GET", `/api/v1/events?after=${at(rest.body, "data.next")}`)
    assert.deepStrictEqual(at(end.body, "data"), { events: [], next: 3 })
    const resource = await service.ask("GET", "/api/v1/resources/read?uri=svc://events/recent")
    assert.deepStrictEqual(
      listAt(resource, "data.resource.payload.events").map((one) => at(one, "sequence")),
      [3, 2, 1]
    )
  })

  it("filters by type, and refuses what is no type, number, limit or parameter", async () => {
    const none = await service.ask("GET", "/api/v1/events?types=lead.created,lead.replied")
    assert.deepStrictEqual(at(none.body, "data.events"), [])
    assert.strictEqual((await service.ask("GET", "/api/v1/events?types=offer.created")).status, 200)
    const wrong = await service.ask("GET", "/api/v1/events?types=offer.creatd")
    isError(wrong, 400, "INVALID_INPUT")
    assert.include(textAt(wrong.body, "error.message"), "offer.created?")
    for (const query of ["after=-1", "after=x", "after=1.5", "after=", "limit=0", "limit=101", "types="]) {
      isError(await service.ask("GET", `/api/v1/events?${query}`), 400, "INVALID_INPUT")
    }
    isError(await service.ask("GET", "/api/v1/events?since=1"), 400, "UNKNOWN_FIELD")
  })

  it("needs the scope, a key, and shows another organization nothing", async () => {
    const { text } = await service.makeKey({ scopes: ["offers:read"] })
    isError(await service.ask("GET", "/api/v1/events", { key: text }), 403, "FORBIDDEN_SCOPE")
    isError(await service.ask("GET", "/api/v1/events", { key: null }), 401, "UNAUTHENTICATED")
    const other = await service.svc.createOrganization("Other")
    const reply = await service.ask("GET", "/api/v1/events", { key: other.apiKey })
    assert.deepStrictEqual(at(reply.body, "data"), { events: [], next: 0 })
  })
})

describe("GET /api/v1/audit", () => {
  it("answers rows newest first, with refusals, a cursor and filters", async () => {
    const { text } = await service.makeKey({ scopes: ["offers:read"] })
    await service.ask("POST", "/api/v1/offers", { json: smallOffer, key: text })
    const first = await service.ask("GET", "/api/v1/audit?limit=1")
    assert.strictEqual(first.status, 200, first.text)
    hasExactly(at(first.body, "data"), ["entries", "nextCursor"])
    const [row] = listAt(first, "data.entries")
    assert.deepInclude(row, { command_id: "offer.create", outcome: "FORBIDDEN_SCOPE", subject: null })
    assert.match(textAt(row, "hash"), /^[0-9a-f]{64}$/)
    const cursor = textAt(first.body, "data.nextCursor")
    const second = await service.ask("GET", `/api/v1/audit?limit=1&cursor=${cursor}`)
    assert.strictEqual(at(listAt(second, "data.entries")[0], "outcome"), "ok")
    const ok = await service.ask("GET", "/api/v1/audit?outcome=ok&command_id=offer.create")
    assert.strictEqual(listAt(ok, "data.entries").length, 3)
    isError(await service.ask("GET", "/api/v1/audit?after=yesterday"), 400, "INVALID_INPUT")
    isError(await service.ask("GET", "/api/v1/audit", { key: text }), 403, "FORBIDDEN_SCOPE")
  })
})

describe("keys", () => {
  it("are made, listed, rotated and revoked", async () => {
    const made = await service.ask("POST", "/api/v1/keys", { json: { name: "Sync", scopes: ["events:read"] } })
    assert.strictEqual(made.status, 201, made.text)
    hasExactly(at(made.body, "data"), ["key", "api_key"])
    const id = textAt(made.body, "data.key.key_id")
    assert.strictEqual(made.headers.get("location"), `http://svc.test/api/v1/keys/${id}`)
    const key = textAt(made.body, "data.api_key")
    assert.strictEqual((await service.ask("GET", "/api/v1/events", { key })).status, 200)
    const list = await service.ask("GET", "/api/v1/keys")
    hasExactly(at(list.body, "data"), ["keys", "nextCursor"])
    assert.notInclude(list.text, key.slice(-50))
    const rotated = await service.ask("POST", `/api/v1/keys/${id}/rotate`)
    assert.strictEqual(rotated.status, 200, rotated.text)
    const fresh = textAt(rotated.body, "data.api_key")
    assert.strictEqual((await service.ask("GET", "/api/v1/events", { key: fresh })).status, 200)
    const revoked = await service.ask("DELETE", `/api/v1/keys/${id}`)
    assert.match(textAt(revoked.body, "data.key.revoked_at"), instant)
    await new Promise((resolve) => setTimeout(resolve, 600))
    isError(await service.ask("GET", "/api/v1/events", { key: fresh }), 401, "KEY_REVOKED")
    isError(await service.ask("POST", `/api/v1/keys/${id}/rotate`), 409, "WRONG_STATE")
    isError(await service.ask("DELETE", "/api/v1/keys/aaaaaaaaaaaa"), 404, "NOT_FOUND")
  })

  it("cannot be made with more than the caller has", async () => {
    const { text } = await service.makeKey({ scopes: ["keys:manage"] })
    const more = { name: "More", scopes: ["admin"] }
    isError(await service.ask("POST", "/api/v1/keys", { json: more, key: text }), 403, "FORBIDDEN_SCOPE")
    const headers = { "svc-actor-kind": "AI_AGENT" }
    const person = { name: "Person", actor_kind: "USER" }
    isError(await service.ask("POST", "/api/v1/keys", { json: person, headers }), 403, "FORBIDDEN_SCOPE")
  })

  it("a repeated request under an idempotency key makes one key and shows its text once", async () => {
    const asked = { json: { name: "Once" }, headers: { "idempotency-key": "make-a-key" } }
    const first = await service.ask("POST", "/api/v1/keys", asked)
    const second = await service.ask("POST", "/api/v1/keys", asked)
    assert.match(textAt(first.body, "data.api_key"), /^svc_live_/)
    assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    assert.isNull(at(second.body, "data.api_key"))
    assert.deepStrictEqual(at(second.body, "data.key"), at(first.body, "data.key"))
    assert.include(second.headers.get("svc-warnings") ?? "", "api_key")
  })
})

describe("webhooks", () => {
  it("are made, read, changed, tested, rotated and deleted", async () => {
    const made = await service.ask("POST", "/api/v1/webhooks", {
      json: { url: "https://hooks.example.com/x", event_types: ["lead.created"] }
    })
    assert.strictEqual(made.status, 201, made.text)
    assert.match(textAt(made.body, "data.secret"), /^whsec_/)
    const path = `/api/v1/webhooks/${textAt(made.body, "data.webhook.webhook_id")}`
    assert.strictEqual(made.headers.get("location"), `http://svc.test${path}`)
    const read = await service.ask("GET", path)
    assert.deepStrictEqual(at(read.body, "data"), { webhook: at(made.body, "data.webhook") })
    const etag = read.headers.get("etag") ?? ""
    const stale = { json: { description: "x" }, headers: { "if-match": '"stale"' } }
    isError(await service.ask("PATCH", path, stale), 412, "PRECONDITION_FAILED")
    const changed = await service.ask("PATCH", path, { json: { is_active: false }, headers: { "if-match": etag } })
    assert.strictEqual(at(changed.body, "data.webhook.is_active"), false)
    const rotated = await service.ask("POST", `${path}/rotate`, { json: { overlap_seconds: 60 } })
    assert.notStrictEqual(textAt(rotated.body, "data.secret"), textAt(made.body, "data.secret"))
    const tested = await service.ask("POST", `${path}/test`)
    assert.strictEqual(at(tested.body, "data.delivery.state"), "pending")
    const delivery = textAt(tested.body, "data.delivery.delivery_id")
    const again = await service.ask("POST", `${path}/deliveries/${delivery}/redeliver`)
    assert.strictEqual(at(again.body, "data.delivery.redelivery_of"), delivery)
    const deliveries = await service.ask("GET", `${path}/deliveries?state=pending`)
    assert.strictEqual(listAt(deliveries, "data.deliveries").length, 2)
    hasExactly(at(deliveries.body, "data"), ["deliveries", "nextCursor"])
    assert.include(namesOf(at((await service.ask("GET", "/api/v1/webhooks")).body, "data")), "nextCursor")
    assert.strictEqual((await service.ask("DELETE", path)).status, 200)
    isError(await service.ask("GET", path), 404, "NOT_FOUND")
    isError(await service.ask("GET", `${path}/deliveries`), 404, "NOT_FOUND")
  })

  it("refuse private networks, and addresses that are not https", async () => {
    const plain = await service.ask("POST", "/api/v1/webhooks", { json: { url: "http://hooks.example.com/x" } })
    isError(plain, 400, "INVALID_INPUT")
    assert.match(plain.text, /url: must start with https/)
    for (const url of ["http://127.0.0.1:9/", "http://[::1]/", "http://169.254.169.254/", "http://localhost/"]) {
      isError(await service.ask("POST", "/api/v1/webhooks", { json: { url } }), 400, "INVALID_INPUT")
    }
  })
})

describe("a policy that asks", () => {
  it("answers REST and commands with the approval output, runs nothing, and is settled over HTTP", async () => {
    const { keyId, text } = await service.makeKey({ actorKind: "AI_AGENT", scopes: ["admin"] })
    const set = { json: { key_id: keyId, mutate: "ask" } }
    assert.strictEqual((await service.ask("POST", "/api/v1/commands/policy.set", set)).status, 200)
    const asked = await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name: "Asked" }, key: text })
    assert.strictEqual(asked.status, 202, asked.text)
    assert.deepStrictEqual(asked.body, { data: { account_id: service.organizationId, approval_required: true } })
    const id = asked.headers.get("svc-approval-request-id") ?? ""
    assert.match(id, /^apr_/)
    const command = { offer_id: "by-command", name: "C", one_liner: "One", value_proposition: "Gain" }
    const again = await service.ask("POST", "/api/v1/commands/offer.create", { json: command, key: text })
    assert.strictEqual(again.status, 200)
    assert.strictEqual(at(again.body, "ok"), true)
    assert.strictEqual(at(again.body, "meta.approval_required"), true)
    assert.match(textAt(again.body, "meta.approval_request_id"), /^apr_/)
    const own = { json: { approval_request_id: id, decision: "approve" } }
    isError(
      await service.ask("POST", "/api/v1/commands/approval.resolve", { ...own, key: text }),
      403,
      "APPROVAL_POLICY"
    )
    const resolved = await service.ask("POST", "/api/v1/commands/approval.resolve", own)
    assert.strictEqual(resolved.status, 200, resolved.text)
    assert.strictEqual(at(resolved.body, "data.result.offer.name"), "Asked")
    assert.strictEqual(at(resolved.body, "data.approval.outcome"), "ok")
  })

  it("that denies is a 403, and reading goes on", async () => {
    const { keyId, text } = await service.makeKey({})
    await service.ask("POST", "/api/v1/commands/policy.set", { json: { key_id: keyId, mutate: "deny" } })
    isError(await service.ask("POST", "/api/v1/offers", { json: smallOffer, key: text }), 403, "APPROVAL_POLICY")
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", { key: text })).status, 200)
  })
})
