import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { SearchSalesNav } from "#core/imports/commands/search.ts"
import { ImportResult } from "#core/imports/Import.ts"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"

import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { GatewayRejected } from "#core/outreach/failures.ts"
import { imports } from "#memory/imports/ImportTables.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { owner } from "../../support/memory.ts"
import { ask, commands, ok, refused } from "../../support/World.ts"
import {
  eventTypes,
  gatewayDown,
  importWorkspace,
  Provider,
  repositories,
  searchUrl,
  seeded
} from "./importWorkspace.ts"

const command = "import.sales-nav.search"
const into = { mission_id: "spring-outreach" }
const decode = Schema.decodeUnknownSync(ImportResult, { onExcessProperty: "error" })

const search = (input: object, extra = {}) =>
  Effect.map(ok(command, { ...into, ...input }, extra), (data): ImportResult => decode(data))

const total = (result: ImportResult) =>
  result.created_count + result.updated_count + result.skipped_count + result.invalid_count

const scriptProvider = (script: Parameters<Provider["Service"]["script"]>[0]) =>
  Effect.flatMap(Provider, (provider) => provider.script(script))
const asked = Effect.flatMap(Provider, (provider) => provider.asked)

const test = (name: string, body: () => Effect.Effect<void, unknown, Dispatch | MemoryStore | Provider>) =>
  it.effect(name, () => Effect.andThen(seeded, body()).pipe(Effect.provide(importWorkspace)))

describe("import.sales-nav.search", () => {
  test("creates leads up to the limit and answers the spec's shape", () =>
    Effect.gen(function* () {
      const { envelope } = yield* ask(command, { ...into, url: searchUrl("sim-60 cfo"), limit: 30 })
      assert.isTrue(envelope.ok)
      const result = decode(envelope.ok ? envelope.data : {})
      assert.strictEqual(result.created_count, 30)
      assert.strictEqual(total(result), 30)
      assert.strictEqual(result.import_type, "SALES_NAV_SEARCH")
      assert.strictEqual(result.import_name, "Sales Navigator: sim-60 cfo, 1970-01-01")
      assert.isFalse(result.already_exists)
      assert.isNull(result.message)
      assert.strictEqual(result.mission.name, "Spring outreach")
      assert.deepStrictEqual(envelope.meta.warnings, [
        "The search has more people than limit; send refresh: true to continue."
      ])
      const found = yield* ok("lead.search", { mission_id: "spring-outreach", limit: 100 })
      assert.lengthOf(Object(found.leads), 30)
      assert.deepStrictEqual(yield* eventTypes("import."), ["import.started", "import.progress", "import.completed"])
      assert.deepStrictEqual(yield* eventTypes("mission.leads_added"), ["mission.leads_added", "mission.leads_added"])
    }))

  test("answers the same audience without a second search, and goes on with refresh", () =>
    Effect.gen(function* () {
      const first = yield* search({ url: searchUrl("sim-60 ceo"), limit: 25 })
      yield* scriptProvider(() => Effect.void)
      const again = yield* search({ url: `${searchUrl("sim-60 ceo")}&sessionId=abc&page=3`, limit: 60 })
      assert.deepStrictEqual({ ...again, message: null, already_exists: false }, first)
      assert.isTrue(again.already_exists)
      assert.include(again.message ?? "", "1970-01-01 00:00 UTC")
      assert.deepStrictEqual(yield* asked, [])
      const rest = yield* search({ url: searchUrl("sim-60 ceo"), limit: 100, refresh: true })
      assert.strictEqual(rest.import_id, first.import_id)
      assert.strictEqual(rest.created_count, 60)
      assert.deepStrictEqual(
        (yield* asked).map(({ cursor }) => cursor),
        ["25", "50"]
      )
      const fresh = yield* search({ url: searchUrl("sim-60 ceo"), refresh: true })
      assert.deepStrictEqual([fresh.created_count, fresh.skipped_count, total(fresh)], [60, 60, 120])
    }))

  test("imports an audience into each mission once", () =>
    Effect.gen(function* () {
      yield* ok("mission.create", { name: "Autumn", agent_handle: "ada-martin" })
      const first = yield* search({ url: searchUrl("sim-5") })
      const second = yield* search({ url: searchUrl("sim-5"), mission_id: "autumn" })
      assert.notStrictEqual(second.import_id, first.import_id)
      assert.isFalse(second.already_exists)
      assert.deepStrictEqual([second.created_count, second.skipped_count], [0, 5])
      assert.strictEqual(second.mission.name, "Autumn")
    }))

  test("repeats a page that failed, and says what was imported when the provider stays down", () =>
    Effect.gen(function* () {
      const flaky = searchUrl("sim-60 flaky")
      yield* scriptProvider((page) => (page === 1 ? Effect.fail(gatewayDown) : Effect.void))
      const fiber = yield* Effect.forkChild(search({ url: flaky }))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).created_count, 60)
      const down = searchUrl("sim-60 down")
      yield* scriptProvider((page) => (page >= 1 ? Effect.fail(gatewayDown) : Effect.void))
      const half = yield* Effect.forkChild(search({ url: down }))
      yield* TestClock.adjust("10 seconds")
      const stopped = yield* Fiber.join(half)
      assert.strictEqual(stopped.created_count, 25)
      assert.strictEqual(stopped.message, gatewayDown.message)
      const shown = yield* ok("import.get", { import_id: stopped.import_id })
      assert.include(JSON.stringify(shown), '"state":"failed"')
      yield* scriptProvider(() => Effect.void)
      const resumed = yield* search({ url: down, refresh: true })
      assert.deepStrictEqual([resumed.created_count, total(resumed)], [60, 60])
      assert.deepStrictEqual(
        (yield* asked).map(({ cursor }) => cursor),
        ["25", "50"]
      )
    }))

  test("fails when not one row was read, and the next call tries anew", () =>
    Effect.gen(function* () {
      const rejected = new GatewayRejected({ message: "The provider refused (provider=errors/invalid_url)." })
      yield* scriptProvider(() => Effect.fail(rejected))
      assert.strictEqual(
        yield* refused(command, { ...into, url: searchUrl("sim-9") }),
        `502 GATEWAY_REJECTED ${rejected.message}`
      )
      yield* scriptProvider(() => Effect.void)
      const result = yield* search({ url: searchUrl("sim-9") })
      assert.deepStrictEqual([result.created_count, result.already_exists], [9, false])
      assert.include(yield* eventTypes("import."), "import.failed")
    }))

  test("starts over when the provider has forgotten the cursor", () =>
    Effect.gen(function* () {
      yield* search({ url: searchUrl("sim-60 lost"), limit: 25 })
      yield* scriptProvider((page) => (page === 0 ? Effect.fail(new GatewayRejected()) : Effect.void))
      const result = yield* search({ url: searchUrl("sim-60 lost"), refresh: true, limit: 60 })
      assert.deepStrictEqual([result.created_count, result.skipped_count], [60, 25])
      assert.deepStrictEqual(
        (yield* asked).map(({ cursor }) => cursor),
        ["25", null, "25", "50"]
      )
    }))

  test("goes on in the background when it outlives wait_seconds", () =>
    Effect.gen(function* () {
      yield* scriptProvider(() => Effect.sleep(Duration.seconds(8)))
      const fiber = yield* Effect.forkChild(search({ url: searchUrl("sim-60 slow"), wait_seconds: 10 }))
      yield* TestClock.adjust("10 seconds")
      const running = yield* Fiber.join(fiber)
      assert.deepStrictEqual([running.message, running.created_count], ["running", 25])
      const second = yield* search({ url: searchUrl("sim-60 slow"), refresh: true })
      assert.deepStrictEqual(
        [second.message, second.already_exists, second.import_id],
        ["running", true, running.import_id]
      )
      yield* TestClock.adjust("30 seconds")
      const done = yield* search({ url: searchUrl("sim-60 slow") })
      assert.strictEqual(done.created_count, 60)
      assert.include(done.message ?? "", "was imported into the mission")
    }))

  test("takes over a run whose process died", () =>
    Effect.gen(function* () {
      yield* scriptProvider((page) => (page === 1 ? Effect.never : Effect.void))
      const fiber = yield* Effect.forkChild(search({ url: searchUrl("sim-60 dead"), wait_seconds: 1 }))
      yield* TestClock.adjust("1 second")
      const running = yield* Fiber.join(fiber)
      // Nothing was heard of its process since; the provider is given up on as late as that.
      yield* (yield* MemoryStore).write("org_a", (tables) => {
        const run = tables.get(imports, running.import_id)
        if (run !== undefined) tables.set(imports, run.id, { ...run, updatedAt: "1969-12-31T23:57:00.000Z" })
      })
      const shown = yield* ok("import.get", { import_id: running.import_id })
      assert.include(JSON.stringify(shown), '"state":"interrupted"')
      yield* scriptProvider(() => Effect.void)
      const result = yield* search({ url: searchUrl("sim-60 dead") })
      assert.deepStrictEqual([result.import_id, result.created_count, total(result)], [running.import_id, 60, 60])
    }))

  it.effect("stops when the service stops, says so, and goes on with the next call", () =>
    Effect.gen(function* () {
      const url = searchUrl("sim-60 stopped")
      const running = yield* Effect.gen(function* () {
        yield* seeded
        yield* scriptProvider((page) => (page === 1 ? Effect.never : Effect.void))
        const fiber = yield* Effect.forkChild(search({ url, wait_seconds: 1 }))
        yield* TestClock.adjust("1 second")
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(commands))
      assert.strictEqual(running.message, "running")
      yield* Effect.gen(function* () {
        const shown = JSON.stringify(yield* ok("import.get", { import_id: running.import_id }))
        assert.include(shown, '"state":"interrupted"')
        assert.include(shown, "The service was stopped")
        yield* scriptProvider(() => Effect.void)
        const result = yield* search({ url, refresh: true })
        assert.deepStrictEqual([result.import_id, result.created_count], [running.import_id, 60])
      }).pipe(Effect.provide(commands))
    }).pipe(Effect.provide(repositories))
  )

  test("one search runs when many ask at once", () =>
    Effect.gen(function* () {
      const calls = Array.from({ length: 6 }, () => search({ url: searchUrl("sim-30 race") }))
      const results = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.strictEqual(new Set(results.map(({ import_id }) => import_id)).size, 1)
      assert.strictEqual(results.filter(({ already_exists }) => !already_exists).length, 1)
      const listed = yield* ok("import.list", { mission_id: "spring-outreach" })
      assert.lengthOf(Object(listed.imports), 1)
    }))

  test("counts what was known, and leaves alone what a person wrote", () =>
    Effect.gen(function* () {
      const first = yield* search({ url: searchUrl("sim-3 known") })
      const people = yield* ok("lead.search", { mission_id: "spring-outreach" })
      const [lead] = Object(people.leads)
      yield* ok("lead.upsert", { lead_id: lead.lead_id, company: "Written by hand", status: "DoNotContact" })
      yield* ok("mission.create", { name: "Other", agent_handle: "ada-martin" })
      const second = yield* search({ url: searchUrl("sim-3 known"), mission_id: "other" })
      assert.deepStrictEqual([first.created_count, second.skipped_count, second.updated_count], [3, 3, 0])
      const shown = yield* ok("import.get", { import_id: second.import_id })
      assert.include(JSON.stringify(shown), "LEAD_SUPPRESSED")
      const kept = yield* ok("lead.get", { lead_id: lead.lead_id })
      assert.include(JSON.stringify(kept), "Written by hand")
    }))

  test("begins at start_page, whatever page the address points at", () =>
    Effect.gen(function* () {
      yield* scriptProvider(() => Effect.void)
      const result = yield* search({ url: `${searchUrl("sim-60 paged")}&page=2`, start_page: 3, limit: 25 })
      assert.deepStrictEqual([result.created_count], [10])
      assert.include((yield* asked)[0]?.url ?? "", "page=3")
      yield* scriptProvider(() => Effect.void)
      const again = yield* search({ url: searchUrl("sim-60 paged"), start_page: 1, refresh: true, limit: 60 })
      assert.deepStrictEqual([again.created_count, again.skipped_count], [60, 10])
      assert.isNull((yield* asked)[0]?.cursor)
    }))

  test("asks nobody on a dry run", () =>
    Effect.gen(function* () {
      yield* scriptProvider(() => Effect.void)
      const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
      const result = yield* search({ url: searchUrl("sim-60 dry"), limit: 40 }, { options })
      assert.strictEqual(total(result), 0)
      assert.include(result.message ?? "", "up to 40 people")
      assert.deepStrictEqual(yield* asked, [])
      assert.deepStrictEqual((yield* ok("import.list", {})).imports, [])
      assert.deepStrictEqual(yield* eventTypes("import."), [])
    }))

  test("answers a repeated idempotency key without a second search", () =>
    Effect.gen(function* () {
      const options = { responseProfile: "full", dryRun: false, idempotencyKey: "key-1" } as const
      const first = yield* search({ url: searchUrl("sim-5 key") }, { options })
      yield* scriptProvider(() => Effect.void)
      assert.deepStrictEqual(yield* search({ url: searchUrl("sim-5 key") }, { options }), first)
      assert.deepStrictEqual(yield* asked, [])
    }))

  test("refuses before it asks anybody", () =>
    Effect.gen(function* () {
      yield* scriptProvider(() => Effect.void)
      const url = searchUrl("sim-5")
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ url }, "INVALID_INPUT mission_id or mission_handle is required"],
        [{ url, mission_id: "nothing" }, "NOT_FOUND"],
        [
          { url, mission_id: "spring-outreach", mission_handle: "other" },
          "INVALID_INPUT mission_id and mission_handle"
        ],
        [{ url: "https://www.linkedin.com/in/ada", ...into }, "NOT_A_PEOPLE_SEARCH"],
        [{ url: "https://www.linkedin.com/sales/search/company?query=()", ...into }, "NOT_A_PEOPLE_SEARCH"],
        [{ url, ...into, limit: 0 }, "INVALID_INPUT limit"],
        [{ url, ...into, limit: 2_501 }, "INVALID_INPUT limit"],
        [{ url, ...into, wait_seconds: 26 }, "INVALID_INPUT wait_seconds"],
        [{ url, ...into, start_page: 101 }, "INVALID_INPUT start_page"],
        [{ url, ...into, account_id: "acc_nothing" }, "NOT_FOUND"],
        [{ ...into }, "INVALID_INPUT url is required"]
      ]
      for (const [input, expected] of cases) assert.include(yield* refused(command, input), expected)
      assert.include(yield* refused(command, { url, ...into }, { actor: owner("org_b") }), "NOT_FOUND")
      yield* ok("mission.update", { mission_id: "spring-outreach", status: "archived" })
      assert.include(yield* refused(command, { url, ...into }), "MISSION_ARCHIVED")
      assert.deepStrictEqual(yield* asked, [])
    }))

  it("describes every input field", () => {
    const { properties } = Object(jsonSchemaOf(SearchSalesNav.input))
    for (const [name, field] of Object.entries(Object(properties))) {
      assert.isString(Object(field).description, `${name} has no description`)
    }
  })
})
