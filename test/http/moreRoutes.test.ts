/** REST endpoints beyond the spec's: lists, single objects with ETag, PATCH of missions, DELETE of offers. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { at, hasExactly, isError, openService, type Service, smallOffer, textAt } from "../support/httpService.ts"

let service: Service
const created: Record<string, string> = {}

const post = async (path: string, json: unknown): Promise<unknown> => {
  const reply = await service.ask("POST", `/api/v1${path}`, { json })
  assert.isBelow(reply.status, 300, reply.text)
  return at(reply.body, "data")
}

beforeAll(async () => {
  service = await openService()
  created["offer"] = textAt(await post("/offers", smallOffer), "offer.id")
  await post("/agents", { firstName: "Kim", lastName: "Lee" })
  for (const name of ["One", "Two", "Three"]) await post("/missions", { name, agentHandle: "kim-lee" })
  await post("/missions/one/leads", {
    leads: ["a", "b", "c"].map((name) => ({ email: `${name}@example.com`, name: `Person ${name}`, company: "Acme" }))
  })
})
afterAll(() => service.svc.close())

const get = (path: string, headers: Record<string, string> = {}) => service.ask("GET", `/api/v1${path}`, { headers })

describe("single objects", () => {
  it("are what lists and writes answer, with an ETag that spares reading again", async () => {
    for (const [path, object, list] of [
      [`/offers/${created["offer"]}`, "offer", "/offers"],
      ["/agents/kim-lee", "agent", "/agents"],
      ["/missions/two", "mission", "/missions"]
    ] as const) {
      const reply = await get(path)
      assert.strictEqual(reply.status, 200, reply.text)
      hasExactly(reply.body, ["data"])
      hasExactly(at(reply.body, "data"), [object])
      const listed = at((await get(list)).body, `data.${object}s`)
      assert.ok(Array.isArray(listed))
      assert.deepInclude(listed, at(reply.body, `data.${object}`))
      const etag = reply.headers.get("etag") ?? ""
      assert.match(etag, /^"[0-9a-f]{32}"$/)
      const known = await get(path, { "if-none-match": etag })
      assert.deepStrictEqual([known.status, known.text], [304, ""])
      assert.strictEqual((await get(path, { "if-none-match": '"other"' })).status, 200)
    }
  })

  it("answer 404 to unknown names and to other organizations", async () => {
    const other = await service.svc.createOrganization("Others")
    for (const path of [`/offers/${created["offer"]}`, "/agents/kim-lee", "/missions/one", "/missions/one/leads"]) {
      isError(await service.ask("GET", `/api/v1${path}`, { key: other.apiKey }), 404, "NOT_FOUND")
    }
    for (const path of ["/offers/nope", "/agents/nope", "/missions/nope/leads"])
      isError(await get(path), 404, "NOT_FOUND")
    isError(await service.ask("DELETE", "/api/v1/offers/nope"), 404, "NOT_FOUND")
    isError(await service.ask("PATCH", "/api/v1/missions/nope", { json: {} }), 404, "NOT_FOUND")
  })
})

describe("lists", () => {
  it("of missions and of a mission's leads come page by page", async () => {
    for (const [path, name, count] of [
      ["/missions", "missions", 3],
      ["/missions/one/leads", "leads", 3]
    ] as const) {
      const ids = new Set<string>()
      let cursor = ""
      for (let page = 0; page < count; page++) {
        const reply = await get(`${path}?limit=1${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
        assert.strictEqual(reply.status, 200, reply.text)
        ids.add(textAt(reply.body, `data.${name}.0.id`))
        const next = at(reply.body, "data.nextCursor")
        assert.strictEqual(next === null, page === count - 1, path)
        cursor = String(next)
      }
      assert.strictEqual(ids.size, count)
      isError(await get(`${path}?limit=0`), 400, "INVALID_INPUT")
      isError(await get(`${path}?cursor=abc.def`), 400, "INVALID_CURSOR")
      isError(await get(`${path}?colour=red`), 400, "UNKNOWN_FIELD")
    }
    const empty = await get("/missions/two/leads")
    assert.deepStrictEqual(at(empty.body, "data"), { leads: [], count: 0, nextCursor: null })
  })
})

describe("PATCH missions", () => {
  const patch = (json: unknown, headers: Record<string, string> = {}) =>
    service.ask("PATCH", "/api/v1/missions/two", { json, headers })

  it("changes what is sent and keeps the rest; the same again changes nothing", async () => {
    const before = at((await get("/missions/two")).body, "data.mission")
    const reply = await patch({ toneInstructions: "Short", channels: ["LINKEDIN", "EMAIL"], offerId: created["offer"] })
    assert.strictEqual(reply.status, 200, reply.text)
    const mission = at(reply.body, "data.mission")
    const changed = {
      toneInstructions: "Short",
      channels: ["EMAIL", "LINKEDIN"],
      offerId: created["offer"],
      updatedAt: at(mission, "updatedAt")
    }
    assert.deepStrictEqual(mission, { ...Object(before), ...changed })
    assert.notStrictEqual(at(mission, "updatedAt"), at(before, "updatedAt"))
    assert.deepStrictEqual(at((await patch({ toneInstructions: "Short" })).body, "data.mission"), mission)
    assert.deepStrictEqual(at((await patch({})).body, "data.mission"), mission)
    const cleared = await patch({ toneInstructions: null, offerId: null })
    assert.deepInclude(at(cleared.body, "data.mission"), { toneInstructions: "", offerId: "" })
  })

  it("moves along the statuses of a mission only", async () => {
    const statusAfter = async (status: string) => {
      const reply = await patch({ status })
      return reply.status === 200
        ? at(reply.body, "data.mission.status")
        : `${reply.status} ${at(reply.body, "error.code")}`
    }
    const moves: ReadonlyArray<readonly [string, string]> = [
      ["ACTIVE", "ACTIVE"],
      ["DRAFT", "409 WRONG_STATE"],
      ["PAUSED", "PAUSED"],
      ["ACTIVE", "ACTIVE"],
      ["COMPLETED", "COMPLETED"],
      ["ACTIVE", "409 WRONG_STATE"],
      ["PAUSED", "409 WRONG_STATE"],
      ["ARCHIVED", "ARCHIVED"],
      ["ARCHIVED", "ARCHIVED"],
      ["ACTIVE", "409 WRONG_STATE"],
      ["COMPLETED", "409 WRONG_STATE"],
      ["PAUSED", "PAUSED"],
      ["GONE", "400 INVALID_INPUT"]
    ]
    for (const [status, expected] of moves) assert.strictEqual(await statusAfter(status), expected, status)
    assert.strictEqual(at((await get("/missions/two")).body, "data.mission.status"), "PAUSED")
  })

  it("a draft becomes active with an agent only", async () => {
    await post("/commands/mission.create", { name: "Later", handle: "later" })
    const start = (json: unknown) => service.ask("PATCH", "/api/v1/missions/later", { json })
    isError(await start({ status: "ACTIVE" }), 409, "WRONG_STATE")
    const reply = await start({ status: "ACTIVE", agentHandle: "kim-lee" })
    assert.deepInclude(at(reply.body, "data.mission"), { status: "ACTIVE", agentHandle: "kim-lee" })
  })

  it("refuses a stale If-Match, the handle, and names that are not there", async () => {
    const { headers } = await get("/missions/two")
    const tag = { "if-match": headers.get("etag") ?? "" }
    assert.strictEqual((await patch({ objective: "More" }, tag)).status, 200)
    isError(await patch({ objective: "Most" }, tag), 412, "PRECONDITION_FAILED")
    isError(await patch({ handle: "new" }), 400, "UNKNOWN_FIELD")
    isError(await patch({ agentHandle: "nobody" }), 404, "NOT_FOUND")
    isError(await patch({ offerId: "nothing" }), 404, "NOT_FOUND")
    const dry = await service.ask("PATCH", "/api/v1/missions/two?dry_run=true", { json: { objective: "Dry" } })
    assert.strictEqual(at(dry.body, "data.mission.objective"), "Dry")
    assert.strictEqual(at((await get("/missions/two")).body, "data.mission.objective"), "More")
  })
})

describe("DELETE offers", () => {
  it("deletes once, unless a mission proposes the offer or it changed", async () => {
    const id = textAt(await post("/offers", { ...smallOffer, name: "Gone" }), "offer.id")
    const path = `/api/v1/offers/${id}`
    await service.ask("PATCH", "/api/v1/missions/three", { json: { offerId: id } })
    isError(await service.ask("DELETE", path), 409, "OFFER_IN_USE")
    await service.ask("PATCH", "/api/v1/missions/three", { json: { status: "ARCHIVED" } })
    isError(await service.ask("DELETE", path, { headers: { "if-match": '"stale"' } }), 412, "PRECONDITION_FAILED")
    const { headers } = await get(`/offers/${id}`)
    const reply = await service.ask("DELETE", path, { headers: { "if-match": headers.get("etag") ?? "" } })
    assert.deepStrictEqual([reply.status, reply.body], [200, { data: { id } }])
    assert.match(reply.headers.get("svc-warnings") ?? "", /unlinked: 1 archived/)
    isError(await service.ask("DELETE", path), 404, "NOT_FOUND")
    assert.strictEqual(at((await get("/missions/three")).body, "data.mission.offerId"), "")
  })
})

describe("scopes", () => {
  it("are those of the commands", async () => {
    const { text: key } = await service.makeKey({ scopes: ["agents:read"] })
    const cases = [
      ["GET", "/missions", "missions:read"],
      ["PATCH", "/missions/one", "missions:write"],
      ["GET", "/missions/one/leads", "leads:read"],
      ["GET", `/offers/${created["offer"]}`, "offers:read"],
      ["DELETE", `/offers/${created["offer"]}`, "offers:write"]
    ] as const
    for (const [method, path, scope] of cases) {
      const reply = await service.ask(method, `/api/v1${path}`, { key, ...(method === "PATCH" ? { json: {} } : {}) })
      isError(reply, 403, "FORBIDDEN_SCOPE")
      assert.include(textAt(reply.body, "error.message"), scope)
    }
    assert.strictEqual((await service.ask("GET", "/api/v1/agents/kim-lee", { key })).status, 200)
  })
})

describe("svc://actions/today", () => {
  it("shows the work list of all missions", async () => {
    const { body } = await get("/resources/read?uri=svc%3A%2F%2Factions%2Ftoday")
    hasExactly(at(body, "data.resource.payload"), ["actions", "generated_at"])
    const actions = at(body, "data.resource.payload.actions")
    assert.ok(Array.isArray(actions))
    assert.deepStrictEqual(
      actions.map((action: unknown) => [at(action, "kind"), at(action, "mission.handle")]),
      [1, 2, 3].map(() => ["draft_missing", "one"])
    )
  })
})
