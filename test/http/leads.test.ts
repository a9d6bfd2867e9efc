/** Leads over REST. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { memoryService } from "../support/memoryService.ts"

describe("/api/v1/leads", () => {
  let service: Awaited<ReturnType<typeof memoryService>>
  beforeAll(async () => {
    service = await memoryService({ callerOf: () => ({}) })
  })
  afterAll(() => service.close())

  const ask = async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await service.svc.fetch(
      new Request(`http://host/api/v1/leads${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...content
      })
    )
    const text = await response.text()
    return { status: response.status, etag: response.headers.get("etag"), body: text === "" ? null : JSON.parse(text) }
  }

  it("stores a person once, whatever the spelling, and answers 200 as it may have been there", async () => {
    const first = await ask("POST", "", { email: "Rest@Example.com", name: "Rest Person", jobTitle: "CFO" })
    assert.strictEqual(first.status, 200, JSON.stringify(first.body))
    const again = await ask("POST", "", { email: "rest@example.com", company: "Example" })
    assert.strictEqual(again.body.data.lead.id, first.body.data.lead.id)
    assert.deepInclude(again.body.data.lead, { jobTitle: "CFO", company: "Example" })
    assert.strictEqual((await ask("POST", "", { job_title: "snake", email: "x@example.com" })).status, 400)
  })

  it("answers one lead with a tag that changes with it", async () => {
    const { body } = await ask("POST", "", { email: "tag@example.com" })
    const { id } = body.data.lead
    const read = await ask("GET", `/${id}`)
    assert.deepStrictEqual(read.body.data.lead, body.data.lead)
    const tag = read.etag ?? ""
    assert.match(tag, /^"[0-9a-f]{32}"$/)
    assert.strictEqual((await ask("GET", `/${id}`, undefined, { "if-none-match": tag })).status, 304)
    await ask("POST", "", { leadId: id, company: "Changed" })
    const changed = await ask("GET", `/${id}`, undefined, { "if-none-match": tag })
    assert.strictEqual(changed.status, 200)
    assert.notStrictEqual(changed.etag, tag)
    assert.strictEqual((await ask("GET", "/ld_none")).status, 404)
  })

  it("lists leads by filters, page by page", async () => {
    const first = await ask("GET", "?mission=spring-outreach&limit=2")
    assert.strictEqual(first.body.data.leads.length, 2)
    assert.strictEqual(first.body.data.count, 5)
    const cursor = encodeURIComponent(first.body.data.nextCursor)
    const second = await ask("GET", `?mission=spring-outreach&limit=2&cursor=${cursor}`)
    const ids = [...first.body.data.leads, ...second.body.data.leads].map(({ id }: { id: string }) => id)
    assert.strictEqual(new Set(ids).size, 4)
    assert.strictEqual((await ask("GET", "?query=grace&status=New")).body.data.leads[0].email, "grace@example.com")
    assert.strictEqual((await ask("GET", "?status=Nope")).status, 400)
    assert.strictEqual((await ask("GET", "?colour=red")).status, 400)
  })
})
