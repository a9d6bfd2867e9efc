/** The REST endpoints of the spec: exact shapes, 201 with Location, pages. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  at,
  hasExactly,
  isError,
  namesOf,
  offerFields,
  openService,
  type Service,
  smallOffer,
  textAt
} from "../support/httpService.ts"

const referenceFields =
  "type title content author jobTitle company companyLocation companySize industry keyResult source publishedAt url tags metadata".split(
    " "
  )
const missionFields =
  "id organizationId agentHandle offerId handle name language status objective description channels emailReviewStrategy emailReviewWebhookUrl importType whoAreThey whyWeContactThem desiredAction keyMessage ctaUrl toneInstructions emailExamples lastUsedAt leadCount createdAt updatedAt".split(
    " "
  )
const agentFields =
  "handle organizationId firstName lastName jobTitle avatarUrl linkedinUrl emailSignature calendarUrl timezone workingHours personality company smartDeliverability emailAccounts createdAt updatedAt".split(
    " "
  )
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

describe("offers", () => {
  it("POST answers 201 with Location, ETag and the whole offer", async () => {
    const reply = await service.ask("POST", "/api/v1/offers", { json: smallOffer })
    assert.strictEqual(reply.status, 201)
    hasExactly(reply.body, ["data"])
    hasExactly(at(reply.body, "data"), ["offer"])
    const offer = at(reply.body, "data.offer")
    hasExactly(offer, offerFields)
    const expected = {
      ...smallOffer,
      organizationId: service.organizationId,
      description: null,
      landingPageUrl: null,
      salesBriefUrl: null,
      isDraft: false,
      lastUsedAt: null,
      references: [],
      problemSolutions: [],
      differentiators: [],
      resources: []
    }
    for (const [name, value] of Object.entries(expected)) assert.deepStrictEqual(at(offer, name), value, name)
    assert.match(textAt(offer, "createdAt"), instant)
    assert.strictEqual(at(offer, "updatedAt"), at(offer, "createdAt"))
    assert.strictEqual(reply.headers.get("location"), `http://svc.test/api/v1/offers/${textAt(offer, "id")}`)
    assert.match(reply.headers.get("etag") ?? "", /^"[0-9a-f]{32}"$/)
    assert.strictEqual(reply.headers.get("cache-control"), "no-store")
  })

  it("keeps every nested part, with every field present and null where nothing was said", async () => {
    const reply = await service.ask("POST", "/api/v1/offers", {
      json: {
        ...smallOffer,
        references: [{ type: "STATS", content: "4 days saved", tags: ["finance"], metadata: { deep: { n: 1.5 } } }],
        problemSolutions: [{ problem: "p", solution: "s", feature: "f" }],
        differentiators: [{ title: "t" }],
        resources: [{ type: "GUIDE", title: "How", publishedAt: "2026-01-02T03:04:05Z" }]
      }
    })
    assert.strictEqual(reply.status, 201, reply.text)
    const offer = at(reply.body, "data.offer")
    hasExactly(at(offer, "references.0"), referenceFields)
    assert.deepStrictEqual(at(offer, "references.0.metadata"), { deep: { n: 1.5 } })
    assert.strictEqual(at(offer, "references.0.author"), null)
    assert.deepStrictEqual(at(offer, "problemSolutions"), [{ problem: "p", solution: "s", feature: "f" }])
    assert.deepStrictEqual(at(offer, "differentiators"), [{ title: "t", description: null }])
    hasExactly(at(offer, "resources.0"), ["type", "title", "description", "url", "publishedAt"])
  })

  it("POST says which of the three texts are missing", async () => {
    const reply = await service.ask("POST", "/api/v1/offers", { json: { name: "Only a name" } })
    isError(reply, 400, "INVALID_INPUT")
    assert.match(textAt(reply.body, "error.message"), /oneLiner/)
    assert.match(textAt(reply.body, "error.message"), /valueProposition/)
  })

  it("PATCH changes what is sent, clears with null, and leaves the rest", async () => {
    const made = await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, description: "long" } })
    const path = `/api/v1/offers/${textAt(made.body, "data.offer.id")}`
    const changed = await service.ask("PATCH", path, { json: { name: "Other", description: null } })
    assert.strictEqual(changed.status, 200)
    hasExactly(at(changed.body, "data"), ["offer"])
    hasExactly(at(changed.body, "data.offer"), offerFields)
    assert.strictEqual(at(changed.body, "data.offer.name"), "Other")
    assert.strictEqual(at(changed.body, "data.offer.description"), null)
    assert.strictEqual(at(changed.body, "data.offer.oneLiner"), smallOffer.oneLiner)
    for (const empty of [{ json: {} }, {}]) {
      const same = await service.ask("PATCH", path, empty)
      assert.strictEqual(same.status, 200, same.text)
      assert.deepStrictEqual(same.body, changed.body)
    }
  })

  it("PATCH of an unknown offer, and of another organization's, answers the same 404", async () => {
    const other = await service.svc.createOrganization("Other")
    const foreign = await service.ask("POST", "/api/v1/offers", { json: smallOffer, key: other.apiKey })
    const id = textAt(foreign.body, "data.offer.id")
    const unknownId = `${id.slice(0, -4)}ZZZZ`
    const replies = await Promise.all(
      [id, unknownId].map((one) => service.ask("PATCH", `/api/v1/offers/${one}`, { json: { name: "x" } }))
    )
    for (const reply of replies) isError(reply, 404, "NOT_FOUND")
    assert.strictEqual(replies[0]?.text.replaceAll(id, "ID"), replies[1]?.text.replaceAll(unknownId, "ID"))
  })

  it("a path parameter of any length is answered, and not echoed at length", async () => {
    const reply = await service.ask("PATCH", `/api/v1/offers/${"x".repeat(6000)}`, { json: { name: "x" } })
    assert.ok(reply.status === 404 || reply.status === 400, reply.text)
    assert.isBelow(reply.text.length, 500)
  })
})

describe("pages", () => {
  let paged: Service
  beforeAll(async () => {
    paged = await openService()
    for (let n = 0; n < 28; n++) {
      await paged.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name: `Offer ${n}` } })
    }
  })
  afterAll(() => paged.svc.close())

  const ids = (body: unknown): ReadonlyArray<unknown> => {
    const offers = at(body, "data.offers")
    assert.ok(Array.isArray(offers))
    return offers.map((offer) => at(offer, "name"))
  }

  it("pages are 25 long, newest first, and end with nextCursor null", async () => {
    const first = await paged.ask("GET", "/api/v1/offers")
    assert.strictEqual(first.status, 200)
    hasExactly(at(first.body, "data"), ["offers", "nextCursor"])
    assert.strictEqual(ids(first.body).length, 25)
    const cursor = textAt(first.body, "data.nextCursor")
    const second = await paged.ask("GET", `/api/v1/offers?cursor=${encodeURIComponent(cursor)}`)
    assert.strictEqual(at(second.body, "data.nextCursor"), null)
    const all = [...ids(first.body), ...ids(second.body)]
    assert.strictEqual(new Set(all).size, 28)
    const created = [first, second].flatMap(({ body }) => {
      const offers = at(body, "data.offers")
      return Array.isArray(offers) ? offers.map((offer) => textAt(offer, "createdAt")) : []
    })
    assert.deepStrictEqual(created, created.toSorted().toReversed())
  })

  it("walking with limit 1, 7, 100 sees everything once, also when something is created meanwhile", async () => {
    for (const limit of [1, 7, 100]) {
      const seen: Array<unknown> = []
      let cursor: unknown = ""
      do {
        const query = cursor === "" ? "" : `&cursor=${String(cursor)}`
        const page: Awaited<ReturnType<Service["ask"]>> = await paged.ask(
          "GET",
          `/api/v1/offers?limit=${limit}${query}`
        )
        assert.strictEqual(page.status, 200, page.text)
        seen.push(...ids(page.body))
        cursor = at(page.body, "data.nextCursor")
        if (seen.length === 7) await paged.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name: "Meanwhile" } })
      } while (cursor !== null)
      const old = seen.filter((name) => name !== "Meanwhile")
      assert.strictEqual(old.length, 28, `limit ${limit}`)
      assert.strictEqual(new Set(old).size, 28)
    }
  })

  it("an exact last page has nextCursor null", async () => {
    const fresh = await openService()
    for (let n = 0; n < 2; n++) await fresh.ask("POST", "/api/v1/offers", { json: smallOffer })
    const page = await fresh.ask("GET", "/api/v1/offers?limit=2")
    assert.strictEqual(ids(page.body).length, 2)
    assert.strictEqual(at(page.body, "data.nextCursor"), null)
    await fresh.svc.close()
  })

  it.each(["0", "101", "-1", "1.5", "abc", "", "1e2", "0x10", " 5", "９"])("limit %s is refused", async (limit) => {
    for (const path of ["/api/v1/offers", "/api/v1/agents"]) {
      const reply = await paged.ask("GET", `${path}?limit=${encodeURIComponent(limit)}`)
      isError(reply, 400, "INVALID_INPUT")
      assert.match(textAt(reply.body, "error.message"), /limit/)
    }
  })

  it("limit 1 and 100 are taken", async () => {
    assert.strictEqual(ids((await paged.ask("GET", "/api/v1/offers?limit=1")).body).length, 1)
    assert.isAbove(ids((await paged.ask("GET", "/api/v1/offers?limit=100")).body).length, 27)
  })

  it("an empty cursor is 400; garbage, tampered, foreign and other lists' cursors are INVALID_CURSOR", async () => {
    const page = await paged.ask("GET", "/api/v1/offers?limit=1")
    const cursor = textAt(page.body, "data.nextCursor")
    assert.strictEqual((await paged.ask("GET", "/api/v1/offers?cursor=")).status, 400)
    const tampered = `${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}`
    for (const bad of ["x", "a.b", "a.b.c", tampered, `${cursor}x`, "eyJ9"]) {
      isError(await paged.ask("GET", `/api/v1/offers?cursor=${encodeURIComponent(bad)}`), 400, "INVALID_CURSOR")
    }
    isError(await paged.ask("GET", `/api/v1/agents?cursor=${cursor}`), 400, "INVALID_CURSOR")
    const { apiKey } = await paged.svc.createOrganization("Other")
    isError(await paged.ask("GET", `/api/v1/offers?cursor=${cursor}`, { key: apiKey }), 400, "INVALID_CURSOR")
  })
})

describe("agents", () => {
  it("POST, PATCH, GET and DELETE answer what the spec says", async () => {
    const made = await service.ask("POST", "/api/v1/agents", { json: { firstName: "Noor", lastName: "Haddad" } })
    assert.strictEqual(made.status, 201, made.text)
    hasExactly(at(made.body, "data"), ["agent"])
    const agent = at(made.body, "data.agent")
    hasExactly(agent, agentFields)
    assert.strictEqual(at(agent, "handle"), "noor-haddad")
    assert.strictEqual(made.headers.get("location"), "http://svc.test/api/v1/agents/noor-haddad")
    const strings = "jobTitle avatarUrl linkedinUrl emailSignature calendarUrl personality company".split(" ")
    for (const name of strings) assert.strictEqual(typeof at(agent, name), "string", name)
    assert.strictEqual(at(agent, "timezone"), "UTC")
    assert.strictEqual(at(agent, "smartDeliverability"), true)
    assert.deepStrictEqual(at(agent, "emailAccounts"), [])
    assert.strictEqual(typeof at(agent, "workingHours"), "object")

    const second = await service.ask("POST", "/api/v1/agents", { json: { firstName: "Noor", lastName: "Haddad" } })
    assert.strictEqual(at(second.body, "data.agent.handle"), "noor-haddad-2")

    const emailAccounts = [{ provider: "GOOGLE", email: "noor@example.com" }]
    const changed = await service.ask("PATCH", "/api/v1/agents/noor-haddad", {
      json: { jobTitle: "AE", emailAccounts }
    })
    assert.strictEqual(changed.status, 200, changed.text)
    assert.strictEqual(at(changed.body, "data.agent.jobTitle"), "AE")
    assert.deepStrictEqual(at(changed.body, "data.agent.emailAccounts"), emailAccounts)
    hasExactly(at(changed.body, "data.agent"), agentFields)

    const list = await service.ask("GET", "/api/v1/agents")
    hasExactly(at(list.body, "data"), ["agents", "nextCursor"])
    hasExactly(at(list.body, "data.agents.0"), agentFields)
    assert.strictEqual(at(list.body, "data.nextCursor"), null)

    const gone = await service.ask("DELETE", "/api/v1/agents/noor-haddad-2")
    assert.strictEqual(gone.status, 200)
    assert.deepStrictEqual(gone.body, { data: { handle: "noor-haddad-2" } })
    isError(await service.ask("DELETE", "/api/v1/agents/noor-haddad-2"), 404, "NOT_FOUND")
    isError(await service.ask("PATCH", "/api/v1/agents/noor-haddad-2", { json: {} }), 404, "NOT_FOUND")
  })

  it("DELETE of an agent in use is 409 and takes force=true; force must be true or false", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "In", lastName: "Use" } })
    await service.ask("POST", "/api/v1/missions", { json: { name: "Uses it", agentHandle: "in-use" } })
    isError(await service.ask("DELETE", "/api/v1/agents/in-use"), 409, "AGENT_IN_USE")
    isError(await service.ask("DELETE", "/api/v1/agents/in-use?force=yes"), 400, "INVALID_INPUT")
    assert.strictEqual((await service.ask("DELETE", "/api/v1/agents/in-use?force=true")).status, 200)
  })

  it("a missing name, a taken handle and an unknown field are refused", async () => {
    isError(await service.ask("POST", "/api/v1/agents", { json: { firstName: "A" } }), 400, "INVALID_INPUT")
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "A", lastName: "B", handle: "taken" } })
    const taken = await service.ask("POST", "/api/v1/agents", {
      json: { firstName: "C", lastName: "D", handle: "taken" }
    })
    isError(taken, 409, "DUPLICATE_HANDLE")
    const unknown = await service.ask("POST", "/api/v1/agents", { json: { firstname: "A", lastName: "B" } })
    isError(unknown, 400, "UNKNOWN_FIELD")
    assert.match(textAt(unknown.body, "error.message"), /firstName/)
  })
})

describe("missions", () => {
  it("POST, GET and POST leads answer the REST representation", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Mia", lastName: "Lo" } })
    const made = await service.ask("POST", "/api/v1/missions", {
      json: { name: "Spring outreach", language: "en", handle: "spring", agentHandle: "mia-lo" }
    })
    assert.strictEqual(made.status, 201, made.text)
    hasExactly(at(made.body, "data"), ["mission"])
    hasExactly(at(made.body, "data.mission"), missionFields)
    assert.strictEqual(at(made.body, "data.mission.handle"), "spring")
    assert.strictEqual(at(made.body, "data.mission.status"), "ACTIVE")
    assert.strictEqual(at(made.body, "data.mission.leadCount"), 0)
    assert.strictEqual(at(made.body, "data.mission.lastUsedAt"), null)
    assert.strictEqual(at(made.body, "data.mission.objective"), "")
    assert.strictEqual(made.headers.get("location"), "http://svc.test/api/v1/missions/spring")

    const posted = await service.ask("POST", "/api/v1/missions/spring/leads", {
      json: {
        leads: [
          { email: "a@example.com" },
          { email: "b@example.com" },
          { email: "no address" },
          { emial: "c@example.com" }
        ]
      }
    })
    assert.strictEqual(posted.status, 200, posted.text)
    hasExactly(at(posted.body, "data"), ["mission"])
    hasExactly(at(posted.body, "data.mission"), missionFields)
    assert.strictEqual(at(posted.body, "data.mission.leadCount"), 2)
    assert.match(posted.headers.get("svc-import-id") ?? "", /^imp_/)

    const read = await service.ask("GET", "/api/v1/missions/spring")
    assert.strictEqual(read.status, 200)
    assert.deepStrictEqual(read.body, posted.body)
    assert.strictEqual(namesOf(at(read.body, "data")).length, 1)
  })

  it("GET narrows the list down like mission.list", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Nia", lastName: "Lo" } })
    for (const handle of ["narrow-one", "narrow-two"]) {
      await service.ask("POST", "/api/v1/missions", { json: { name: handle, handle, agentHandle: "nia-lo" } })
    }
    await service.ask("PATCH", "/api/v1/missions/narrow-two", { json: { status: "ARCHIVED" } })
    const handles = async (query: string) => {
      const { body } = await service.ask("GET", `/api/v1/missions?${query}`)
      return (at(body, "data.missions") as ReadonlyArray<{ handle: string }>).map(({ handle }) => handle)
    }
    assert.deepStrictEqual(await handles("agentHandle=nia-lo"), ["narrow-two", "narrow-one"])
    assert.deepStrictEqual(await handles("query=narrow&status=active"), ["narrow-one"])
    isError(await service.ask("GET", "/api/v1/missions?status=PAUSED"), 400, "INVALID_INPUT")
  })

  it("an unknown agent, mission or offer is 404; a taken handle 409; leads must be an array that holds something", async () => {
    isError(
      await service.ask("POST", "/api/v1/missions", { json: { name: "x", agentHandle: "nobody" } }),
      404,
      "NOT_FOUND"
    )
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Zed", lastName: "A" } })
    const base = { name: "x", agentHandle: "zed-a" }
    isError(await service.ask("POST", "/api/v1/missions", { json: { ...base, offerId: "nothing" } }), 404, "NOT_FOUND")
    await service.ask("POST", "/api/v1/missions", { json: { ...base, handle: "once" } })
    isError(
      await service.ask("POST", "/api/v1/missions", { json: { ...base, handle: "once" } }),
      409,
      "DUPLICATE_HANDLE"
    )
    isError(await service.ask("GET", "/api/v1/missions/nothing"), 404, "NOT_FOUND")
    // Also for a key that may not read missions.
    const { text: key } = await service.makeKey({ name: "Lists", scopes: ["leads:read", "imports:read"] })
    for (const list of ["leads", "imports"]) {
      isError(await service.ask("GET", `/api/v1/missions/nothing/${list}`, { key }), 404, "NOT_FOUND")
      const none = await service.ask("GET", `/api/v1/missions/once/${list}`, { key })
      assert.deepStrictEqual([none.status, at(none.body, `data.${list}`)], [200, []])
    }
    const leads = { leads: [{ email: "a@example.com" }] }
    isError(await service.ask("POST", "/api/v1/missions/nothing/leads", { json: leads }), 404, "NOT_FOUND")
    for (const bad of [{}, { leads: [] }, { leads: {} }, { leads: ["a@example.com"] }, { leads: [null] }]) {
      isError(await service.ask("POST", "/api/v1/missions/once/leads", { json: bad }), 400, "INVALID_INPUT")
    }
    const all = await service.ask("POST", "/api/v1/missions/once/leads", { json: { leads: [{ email: "nope" }] } })
    assert.strictEqual(all.status, 400, all.text)
  })
})

describe("unknown names", () => {
  it("an unknown query parameter is UNKNOWN_FIELD and names the nearest one", async () => {
    const reply = await service.ask("GET", "/api/v1/offers?limt=5")
    isError(reply, 400, "UNKNOWN_FIELD")
    assert.match(textAt(reply.body, "error.message"), /limit/)
    for (const path of [
      "/api/v1/commands?x=1",
      "/api/v1/resources?x=1",
      "/api/v1/resources/read?uri=svc://status&x=1"
    ]) {
      isError(await service.ask("GET", path), 400, "UNKNOWN_FIELD")
    }
    isError(await service.ask("GET", "/api/v1/offers?dry_run=true"), 400, "UNKNOWN_FIELD")
    isError(await service.ask("PATCH", "/api/v1/offers/x?limit=5", { json: {} }), 400, "UNKNOWN_FIELD")
  })

  it("a query parameter given twice, or badly encoded, is 400", async () => {
    isError(await service.ask("GET", "/api/v1/offers?limit=5&limit=6"), 400, "INVALID_INPUT")
    isError(await service.ask("GET", "/api/v1/offers?limit=%ff"), 400, "INVALID_INPUT")
  })

  it("an unknown body field is UNKNOWN_FIELD, as are the path's own parameters and ifMatch", async () => {
    const reply = await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, one_liner: "x" } })
    isError(reply, 400, "UNKNOWN_FIELD")
    assert.match(textAt(reply.body, "error.message"), /oneLiner/)
    for (const field of ["offerId", "ifMatch", "constructor", "__proto__x"]) {
      isError(await service.ask("PATCH", "/api/v1/offers/x", { json: { [field]: "y" } }), 400, "UNKNOWN_FIELD")
    }
    isError(
      await service.ask("PATCH", "/api/v1/offers/x", { body: '{"__proto__":{"name":"y"}}' }),
      400,
      "UNKNOWN_FIELD"
    )
  })
})
