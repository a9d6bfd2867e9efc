/** Idempotency keys, dry runs and entity tags over HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "#core/kernel/command/Command.ts"
import { Execution } from "#core/kernel/command/Execution.ts"
import { at, isError, isFailedCommand, openService, smallOffer, textAt } from "../support/httpService.ts"

/** The slow command has begun, and may end. */
const begun = Deferred.makeUnsafe<void>()
const mayEnd = Deferred.makeUnsafe<void>()

/** Reaches outside, slowly: its idempotency key is claimed for all to see while it runs. */
const SlowOutside = Command.make({
  id: "host.slow",
  title: "Wait outside",
  summary: "Wait outside any transaction.",
  description: "Waits until the test goes on, then answers.",
  whenToUse: "In tests.",
  category: "workspace",
  risk: "mutate",
  scope: "offers:read",
  outward: true,
  input: Schema.Struct({ count: Schema.Int }),
  output: Schema.Struct({ done: Schema.Boolean }),
  failures: [],
  examples: [{ title: "Once", input: { count: 1 } }],
  run: Effect.fnUntraced(function* () {
    const execution = yield* Execution
    yield* Deferred.succeed(begun, undefined)
    yield* Deferred.await(mayEnd)
    return yield* execution.finish(Effect.succeed({ done: true }))
  })
})

let service: Awaited<ReturnType<typeof openService<typeof SlowOutside>>>
beforeAll(async () => {
  service = await openService({ commands: [SlowOutside] })
})
afterAll(() => service.svc.close())

const count = async (): Promise<number> => {
  const offers = at((await service.ask("GET", "/api/v1/offers?limit=100")).body, "data.offers")
  return Array.isArray(offers) ? offers.length : -1
}
const keyed = (key: string, more: Readonly<Record<string, string>> = {}) => ({ "idempotency-key": key, ...more })

describe("Idempotency-Key", () => {
  it("the same REST request has one effect and the same answer, marked as replayed", async () => {
    const before = await count()
    const asked = { json: { ...smallOffer, name: "Once" }, headers: keyed("rest 1 ~") }
    const [first, second] = [
      await service.ask("POST", "/api/v1/offers", asked),
      await service.ask("POST", "/api/v1/offers", asked)
    ]
    assert.strictEqual(first.status, 201)
    assert.strictEqual(first.headers.get("idempotency-replayed"), null)
    assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    assert.strictEqual(second.status, 201)
    assert.strictEqual(second.text, first.text)
    for (const name of ["location", "etag"]) assert.strictEqual(second.headers.get(name), first.headers.get(name), name)
    assert.strictEqual(await count(), before + 1)
  })

  it("the same command has one effect and the same envelope", async () => {
    const before = await count()
    const asked = { json: { name: "Once more", is_draft: true }, headers: keyed("command-1") }
    const path = "/api/v1/commands/offer.create"
    const [first, second] = [await service.ask("POST", path, asked), await service.ask("POST", path, asked)]
    assert.strictEqual(first.headers.get("idempotency-replayed"), null)
    assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    assert.strictEqual(second.text, first.text)
    assert.strictEqual(await count(), before + 1)
  })

  it("another body under the same key is 409; another route or organization is another key", async () => {
    const headers = keyed("mismatch")
    await service.ask("POST", "/api/v1/offers", { json: smallOffer, headers })
    const rest = await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name: "Other" }, headers })
    isError(rest, 409, "IDEMPOTENCY_MISMATCH")
    const path = "/api/v1/commands/offer.create"
    const command = await service.ask("POST", path, { json: { name: "a", is_draft: true }, headers })
    assert.strictEqual(command.status, 200)
    isFailedCommand(
      await service.ask("POST", path, { json: { name: "b", is_draft: true }, headers }),
      409,
      "IDEMPOTENCY_MISMATCH"
    )
    const { apiKey } = await service.svc.createOrganization("Other")
    const other = await service.ask("POST", "/api/v1/offers", {
      json: { ...smallOffer, name: "Else" },
      headers,
      key: apiKey
    })
    assert.strictEqual(other.status, 201)
  })

  it("a path parameter is part of the request", async () => {
    const ids = []
    for (const name of ["a", "b"]) {
      const made = await service.ask("POST", "/api/v1/offers", { json: { ...smallOffer, name } })
      ids.push(textAt(made.body, "data.offer.id"))
    }
    const change = (id: string | undefined) =>
      service.ask("PATCH", `/api/v1/offers/${id}`, { json: { name: "c" }, headers: keyed("patch") })
    assert.strictEqual((await change(ids[0])).status, 200)
    isError(await change(ids[1]), 409, "IDEMPOTENCY_MISMATCH")
  })

  it("DELETE takes it: the second answer is the first, not 404", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Go", lastName: "Ne" } })
    const remove = () => service.ask("DELETE", "/api/v1/agents/go-ne", { headers: keyed("delete") })
    assert.strictEqual((await remove()).status, 200)
    const again = await remove()
    assert.strictEqual(again.status, 200)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
    isError(await service.ask("DELETE", "/api/v1/agents/go-ne"), 404, "NOT_FOUND")
  })

  it("while the first still runs, the second is told to come back", async () => {
    const path = "/api/v1/commands/host.slow"
    const asked = { json: { count: 1 }, headers: keyed("slow") }
    const first = service.ask("POST", path, asked)
    await Effect.runPromise(Deferred.await(begun))
    const second = await service.ask("POST", path, asked)
    isFailedCommand(second, 409, "IDEMPOTENCY_IN_PROGRESS")
    assert.match(second.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
    const other = await service.ask("POST", path, { json: { count: 2 }, headers: keyed("slow") })
    isFailedCommand(other, 409, "IDEMPOTENCY_MISMATCH")
    Deferred.doneUnsafe(mayEnd, Effect.void)
    assert.strictEqual((await first).status, 200)
    const third = await service.ask("POST", path, asked)
    assert.strictEqual(third.headers.get("idempotency-replayed"), "true")
    assert.strictEqual(third.text, (await first).text)
  })

  it("ten at once make one", async () => {
    const before = await count()
    const asked = { json: { ...smallOffer, name: "Race" }, headers: keyed("race") }
    const replies = await Promise.all(Array.from({ length: 10 }, () => service.ask("POST", "/api/v1/offers", asked)))
    for (const reply of replies) {
      if (reply.status !== 201) isError(reply, 409, "IDEMPOTENCY_IN_PROGRESS")
    }
    assert.strictEqual(
      replies.filter((reply) => reply.headers.get("idempotency-replayed") === null && reply.status === 201).length,
      1
    )
    assert.strictEqual(await count(), before + 1)
  })

  it.each(["", "x".repeat(256), "caf\u00e9", "a\tb"])("%j is refused", async (key) => {
    const rest = await service.ask("POST", "/api/v1/offers", { json: smallOffer, headers: keyed(key) })
    isError(rest, 400, "INVALID_INPUT")
    const command = await service.ask("POST", "/api/v1/commands/offer.create", {
      json: { name: "x", is_draft: true },
      headers: keyed(key)
    })
    isFailedCommand(command, 400, "INVALID_INPUT")
    assert.match(textAt(command.body, "error.message"), /Idempotency-Key/)
  })

  it("255 characters are taken; a refused request leaves its key free", async () => {
    const headers = keyed("x".repeat(255))
    isError(await service.ask("POST", "/api/v1/offers", { json: { name: "x" }, headers }), 400, "INVALID_INPUT")
    assert.strictEqual((await service.ask("POST", "/api/v1/offers", { json: smallOffer, headers })).status, 201)
  })

  it("a dry run neither uses nor leaves a record", async () => {
    const headers = keyed("dry")
    const dry = await service.ask("POST", "/api/v1/offers?dry_run=true", { json: smallOffer, headers })
    assert.strictEqual(dry.status, 200)
    const real = await service.ask("POST", "/api/v1/offers", { json: smallOffer, headers })
    assert.strictEqual(real.status, 201)
    assert.strictEqual(real.headers.get("idempotency-replayed"), null)
    const after = await service.ask("POST", "/api/v1/offers?dry_run=true", { json: smallOffer, headers })
    assert.strictEqual(after.headers.get("idempotency-replayed"), null)
    assert.notStrictEqual(at(after.body, "data.offer.id"), at(real.body, "data.offer.id"))
  })
})

describe("dry_run", () => {
  it("REST answers 200 with Svc-Dry-Run and the output that would result, and changes nothing", async () => {
    const before = await count()
    const reply = await service.ask("POST", "/api/v1/offers?dry_run=true", { json: smallOffer })
    assert.strictEqual(reply.status, 200)
    assert.strictEqual(reply.headers.get("svc-dry-run"), "true")
    assert.strictEqual(reply.headers.get("location"), null)
    assert.strictEqual(at(reply.body, "data.offer.name"), smallOffer.name)
    assert.strictEqual(await count(), before)
    const real = await service.ask("POST", "/api/v1/offers?dry_run=false", { json: smallOffer })
    assert.strictEqual(real.status, 201)
    assert.strictEqual(real.headers.get("svc-dry-run"), null)
    const path = `/api/v1/offers/${textAt(real.body, "data.offer.id")}`
    const changed = await service.ask("PATCH", `${path}?dry_run=true`, { json: { name: "Other" } })
    assert.strictEqual(at(changed.body, "data.offer.name"), "Other")
    assert.strictEqual(at((await service.ask("PATCH", path, { json: {} })).body, "data.offer.name"), smallOffer.name)
  })

  it("works on agents, missions and posted leads", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Dry", lastName: "Run" } })
    await service.ask("POST", "/api/v1/missions", { json: { name: "Dry", handle: "dry", agentHandle: "dry-run" } })
    const leads = { leads: [{ email: "dry@example.com" }] }
    const posted = await service.ask("POST", "/api/v1/missions/dry/leads?dry_run=true", { json: leads })
    assert.strictEqual(posted.status, 200, posted.text)
    assert.strictEqual(at(posted.body, "data.mission.leadCount"), 1)
    assert.strictEqual(at((await service.ask("GET", "/api/v1/missions/dry")).body, "data.mission.leadCount"), 0)
    const removed = await service.ask("DELETE", "/api/v1/agents/dry-run?dry_run=true&force=true")
    assert.deepStrictEqual(removed.body, { data: { handle: "dry-run" } })
    assert.strictEqual((await service.ask("PATCH", "/api/v1/agents/dry-run", { json: {} })).status, 200)
  })

  it("a command answers its output with the warning dry_run first", async () => {
    const before = await count()
    const reply = await service.ask("POST", "/api/v1/commands/offer.create?dry_run=true", {
      json: { name: "x", is_draft: true }
    })
    assert.strictEqual(reply.status, 200)
    assert.strictEqual(at(reply.body, "meta.warnings.0"), "dry_run")
    assert.strictEqual(at(reply.body, "data.offer.name"), "x")
    assert.strictEqual(await count(), before)
  })

  it("refuses what the real run would refuse", async () => {
    isError(await service.ask("POST", "/api/v1/offers?dry_run=true", { json: {} }), 400, "INVALID_INPUT")
    isError(await service.ask("PATCH", "/api/v1/offers/none?dry_run=true", { json: {} }), 404, "NOT_FOUND")
    isError(await service.ask("POST", "/api/v1/offers?dry_run=1", { json: smallOffer }), 400, "INVALID_INPUT")
  })
})

describe("warnings of REST", () => {
  it("travel in Svc-Warnings as JSON of printable ASCII, as the body has no place for them", async () => {
    const references = Array.from({ length: 4 }, () => ({ type: "STATS", content: "é".repeat(300) }))
    const reply = await service.ask("POST", "/api/v1/offers?response_profile=compact&dry_run=true", {
      json: { ...smallOffer, references }
    })
    const header = reply.headers.get("svc-warnings") ?? ""
    assert.match(header, /^[\x20-\x7e]+$/)
    const warnings: unknown = JSON.parse(header)
    assert.ok(Array.isArray(warnings) && warnings.length >= 2)
    assert.strictEqual(warnings[0], "dry_run")
    assert.strictEqual(reply.headers.get("etag"), null, "a tag belongs to the full profile")
  })
})

describe("entity tags", () => {
  it("If-Match lets the reader's version through and refuses a stale one with 412, on offers and agents", async () => {
    const offer = await service.ask("POST", "/api/v1/offers", { json: smallOffer })
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Tag", lastName: "Ged", handle: "tagged" } })
    const agent = await service.ask("PATCH", "/api/v1/agents/tagged", { json: { jobTitle: "A" } })
    const cases = [
      [`/api/v1/offers/${textAt(offer.body, "data.offer.id")}`, offer, "name"],
      ["/api/v1/agents/tagged", agent, "jobTitle"]
    ] as const
    for (const [path, read, field] of cases) {
      const tag = read.headers.get("etag") ?? ""
      const change = (value: string, ifMatch: string) =>
        service.ask("PATCH", path, { json: { [field]: value }, headers: { "if-match": ifMatch } })
      const changed = await change("first", `"other", ${tag}`)
      assert.strictEqual(changed.status, 200, changed.text)
      assert.notStrictEqual(changed.headers.get("etag"), tag)
      for (const stale of [tag, `W/${changed.headers.get("etag")}`, "nonsense", '""']) {
        isError(await change("second", stale), 412, "PRECONDITION_FAILED")
      }
      assert.strictEqual((await change("third", "*")).status, 200)
      const after = await service.ask("PATCH", path, { json: {} })
      assert.include(after.text, "third")
    }
    const stale = await service.ask("DELETE", "/api/v1/agents/tagged", { headers: { "if-match": '"x"' } })
    isError(stale, 412, "PRECONDITION_FAILED")
    const fresh = (await service.ask("PATCH", "/api/v1/agents/tagged", { json: {} })).headers.get("etag") ?? ""
    const gone = await service.ask("DELETE", "/api/v1/agents/tagged", { headers: { "if-match": fresh } })
    assert.strictEqual(gone.status, 200)
  })

  it("If-Match on what does not exist is 404", async () => {
    isError(
      await service.ask("PATCH", "/api/v1/offers/none", { json: {}, headers: { "if-match": "*" } }),
      404,
      "NOT_FOUND"
    )
  })

  it("If-None-Match answers 304 to a reader who has the mission", async () => {
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Cache", lastName: "D" } })
    const made = await service.ask("POST", "/api/v1/missions", {
      json: { name: "Cached", handle: "cached", agentHandle: "cache-d" }
    })
    const tag = made.headers.get("etag") ?? ""
    const read = (ifNoneMatch: string) =>
      service.ask("GET", "/api/v1/missions/cached", { headers: { "if-none-match": ifNoneMatch } })
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const reply = await read(known)
      assert.strictEqual(reply.status, 304, known)
      assert.strictEqual(reply.text, "")
      assert.strictEqual(reply.headers.get("etag"), tag)
      assert.match(reply.headers.get("svc-request-id") ?? "", /^req_/)
    }
    assert.strictEqual((await read('"x"')).status, 200)
    await service.ask("POST", "/api/v1/missions/cached/leads", { json: { leads: [{ email: "c@example.com" }] } })
    const changed = await read(tag)
    assert.strictEqual(changed.status, 200)
    assert.notStrictEqual(changed.headers.get("etag"), tag)
  })
})
