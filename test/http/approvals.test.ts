/** REST where a policy asks a person first: nothing that came with the request is lost until it is approved. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { at, isError, openService, type Service, smallOffer, textAt } from "../support/httpService.ts"

let service: Service
/** A key whose changes wait for a person. */
let asking: string

beforeAll(async () => {
  service = await openService()
  const { keyId, text } = await service.makeKey({ name: "Asks first" })
  asking = text
  const policy = { key_id: keyId, mutate: "ask", approval: "ask" }
  assert.strictEqual((await service.ask("POST", "/api/v1/commands/policy.set", { json: policy })).status, 200)
  await service.ask("POST", "/api/v1/agents", { json: { firstName: "Mia", lastName: "Lo" } })
  const mission = { name: "Kept", agentHandle: "mia-lo", handle: "kept" }
  assert.strictEqual((await service.ask("POST", "/api/v1/missions", { json: mission })).status, 201)
})
afterAll(() => service.svc.close())

/** The id of the request for approval that a call became. */
const kept = (reply: Awaited<ReturnType<Service["ask"]>>): string => {
  assert.strictEqual(reply.status, 202, reply.text)
  assert.deepStrictEqual(reply.body, { data: { account_id: service.organizationId, approval_required: true } })
  return reply.headers.get("svc-approval-request-id") ?? ""
}

const approve = async (id: string) => {
  const json = { approval_request_id: id, decision: "approve" }
  const reply = await service.ask("POST", "/api/v1/commands/approval.resolve", { json })
  assert.strictEqual(reply.status, 200, reply.text)
  return at(reply.body, "data")
}

describe("If-Match of a change that waits for a person", () => {
  const made = async () => {
    const reply = await service.ask("POST", "/api/v1/offers", { json: smallOffer })
    return { path: `/api/v1/offers/${textAt(reply.body, "data.offer.id")}`, etag: reply.headers.get("etag") ?? "" }
  }
  const change = (path: string, etag: string, json: object) =>
    service.ask("PATCH", path, { key: asking, json, headers: { "if-match": etag } })
  const nameAt = async (path: string) => textAt((await service.ask("GET", path)).body, "data.offer.name")

  it("is checked when it is asked for", async () => {
    const { path } = await made()
    isError(await change(path, '"of-another-version"', { name: "New" }), 412, "PRECONDITION_FAILED")
  })

  it("holds when it is approved and nobody changed the object", async () => {
    const { etag, path } = await made()
    const id = kept(await change(path, etag, { name: "New" }))
    assert.strictEqual(at(await approve(id), "approval.outcome"), "ok")
    assert.strictEqual(await nameAt(path), "New")
  })

  it("refuses the approved change of an object that was changed meanwhile", async () => {
    const { etag, path } = await made()
    const id = kept(await change(path, etag, { name: "New" }))
    await service.ask("PATCH", path, { json: { description: "changed meanwhile" } })
    const resolved = await approve(id)
    assert.strictEqual(at(resolved, "error.code"), "PRECONDITION_FAILED")
    assert.strictEqual(at(resolved, "approval.outcome"), "PRECONDITION_FAILED")
    assert.strictEqual(await nameAt(path), smallOffer.name)
  })

  it("is the newest one where the same is asked for again", async () => {
    const { etag, path } = await made()
    const first = kept(await change(path, etag, { name: "New" }))
    const changed = await service.ask("PATCH", path, { json: { description: "changed meanwhile" } })
    const again = kept(await change(path, changed.headers.get("etag") ?? "", { name: "New" }))
    assert.strictEqual(again, first)
    assert.strictEqual(at(await approve(again), "approval.outcome"), "ok")
  })
})

describe("an upload that waits for a person", () => {
  const path = "/api/v1/missions/kept/imports"
  const upload = (
    body: string | Uint8Array<ArrayBuffer>,
    asked: { readonly query?: string; readonly key?: string } = {}
  ) =>
    service.ask("POST", `${path}${asked.query ?? ""}`, {
      key: asking,
      body,
      headers: { "content-type": "text/csv", ...(asked.key === undefined ? {} : { "idempotency-key": asked.key }) }
    })

  it("is kept whole, and imported when it is approved", async () => {
    const id = kept(await upload("Email;Name\nada@example.com;Ada Byron\n", { query: "?name=By%20hand&delimiter=;" }))
    const shown = await service.ask("POST", "/api/v1/commands/approval.get", { json: { approval_request_id: id } })
    assert.deepStrictEqual(at(shown.body, "data.input"), {
      mission_handle: "kept",
      name: "By hand",
      delimiter: ";",
      mapping: {},
      again: false,
      encoding: "text",
      content: "Email;Name\nada@example.com;Ada Byron\n"
    })
    const resolved = await approve(id)
    assert.strictEqual(at(resolved, "result.created_count"), 1, JSON.stringify(resolved))
    assert.strictEqual(at(resolved, "result.import_name"), "By hand")
  })

  it("is erased with a person whom it names, in UTF-16 too", async () => {
    const files = ["", "\ufeff"].map((mark) => Buffer.from(`${mark}Email\nerased@example.com\n`, "utf16le"))
    const ids: Array<string> = []
    for (const file of files) ids.push(kept(await upload(new Uint8Array(file))))
    const lead = await service.ask("POST", "/api/v1/commands/lead.upsert", {
      json: { email: "erased@example.com", name: "Erased" }
    })
    const lead_id = at(lead.body, "data.lead.id")
    const erased = await service.ask("POST", "/api/v1/commands/lead.erase", { json: { lead_id, confirm: lead_id } })
    assert.strictEqual(erased.status, 200, erased.text)
    for (const id of ids) {
      const shown = await service.ask("POST", "/api/v1/commands/approval.get", { json: { approval_request_id: id } })
      assert.strictEqual(shown.status, 404, shown.text)
    }
  })

  it("is a request of its own for each file", async () => {
    const first = kept(await upload("Email\nfirst@example.com\n"))
    const second = kept(await upload("Email\nsecond@example.com\n"))
    assert.notStrictEqual(first, second)
    assert.strictEqual(kept(await upload("Email\nfirst@example.com\n")), first)
    assert.strictEqual(at(await approve(second), "result.created_count"), 1)
    assert.strictEqual(at(await approve(first), "result.created_count"), 1)
  })

  it("is one request under one idempotency key, and another file under it is refused", async () => {
    const id = kept(await upload("Email\nonce@example.com\n", { key: "once" }))
    const again = await upload("Email\nonce@example.com\n", { key: "once" })
    assert.strictEqual(kept(again), id)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
    isError(await upload("Email\nother@example.com\n", { key: "once" }), 409, "IDEMPOTENCY_MISMATCH")
  })

  it("is kept as bytes where they are no UTF-8", async () => {
    const latin1 = new Uint8Array(Buffer.from("Email,Name\nrene@example.com,Ren\xe9 Descartes\n", "latin1"))
    const resolved = await approve(kept(await upload(latin1)))
    assert.strictEqual(at(resolved, "result.created_count"), 1, JSON.stringify(resolved))
    const found = await service.ask("GET", "/api/v1/leads?query=rene")
    assert.strictEqual(at(found.body, "data.leads.0.name"), "René Descartes")
  })

  it("is refused with the reason where it is too large to keep, as fast as that is known", async () => {
    const rows = `Email\n${Array.from({ length: 20_001 }, (_, n) => `p${n}@example.com`).join("\n")}\n`
    const many = await upload(rows)
    isError(many, 413, "PAYLOAD_TOO_LARGE")
    assert.include(textAt(many.body, "error.message"), "20,000 rows")
    const large = await upload(new Uint8Array(20 * 1024 * 1024 + 1).fill(0x61))
    isError(large, 413, "PAYLOAD_TOO_LARGE")
    assert.include(textAt(large.body, "error.message"), "20 MB")
    assert.include(textAt(large.body, "error.message"), "policy")
  })

  it("previews without asking anybody", async () => {
    const reply = await upload("Email\ndry@example.com\n", { query: "?dry_run=true" })
    assert.strictEqual(reply.status, 200, reply.text)
    assert.strictEqual(at(reply.body, "data.import.created_count"), 1)
    assert.strictEqual(reply.headers.get("svc-dry-run"), "true")
  })

  it("is refused where a policy denies it", async () => {
    const { keyId, text } = await service.makeKey({ name: "May not" })
    await service.ask("POST", "/api/v1/commands/policy.set", { json: { key_id: keyId, approval: "deny" } })
    isError(
      await service.ask("POST", path, {
        key: text,
        body: "Email\nno@example.com\n",
        headers: { "content-type": "text/csv" }
      }),
      403,
      "APPROVAL_POLICY"
    )
  })
})
