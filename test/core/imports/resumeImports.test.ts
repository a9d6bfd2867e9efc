/** Imports that are paused, fail or are left behind by their process, and go on. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
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

const into = { mission_id: "spring-outreach" }
const scriptProvider = (...script: Parameters<Provider["Service"]["script"]>) =>
  Effect.flatMap(Provider, (provider) => provider.script(...script))
const asked = Effect.flatMap(Provider, (provider) => provider.asked)

const shown = (importId: unknown) =>
  Effect.map(ok("import.get", { import_id: importId }), ({ import: found }) => Object(found))

/** Lets the background come to rest. */
const settled = Effect.repeat(Effect.yieldNow, { times: 400 })

const test = <E>(name: string, effect: () => Effect.Effect<void, E>) => it.effect(name, effect)

describe("import.resume", () => {
  test("goes on with a paused search from the page it was at, once", () =>
    Effect.gen(function* () {
      yield* seeded
      const gate = yield* Deferred.make<void>()
      yield* scriptProvider((page) => (page === 1 ? Deferred.await(gate) : Effect.void))
      const search = { url: searchUrl("sim-60 paused"), ...into, wait_seconds: 0 }
      const begun = yield* ok("import.sales-nav.search", search)
      yield* settled
      const paused = Object((yield* ok("import.pause", { import_id: begun.import_id })).import)
      assert.deepStrictEqual([paused.state, paused.created_count], ["paused", 25])
      yield* Deferred.succeed(gate, undefined)
      yield* settled
      assert.strictEqual((yield* shown(begun.import_id)).created_count, 25, "a paused import takes no rows")
      yield* scriptProvider(() => Effect.void)
      const both = yield* Effect.all(
        [ask("import.resume", { import_id: begun.import_id }), ask("import.resume", { import_id: begun.import_id })],
        { concurrency: 2 }
      )
      for (const { envelope } of both) assert.isTrue(envelope.ok)
      yield* settled
      const end = yield* shown(begun.import_id)
      assert.deepStrictEqual([end.state, end.created_count, end.progress.seen], ["completed", 60, 60])
      assert.deepStrictEqual(
        (yield* asked).map(({ cursor }) => cursor),
        ["25", "50"]
      )
      const { envelope: again } = yield* ask("import.resume", { import_id: begun.import_id })
      assert.include(again.meta.warnings[0] ?? "", "The import is complete")
      const types = yield* eventTypes("import.")
      assert.deepStrictEqual(
        types.filter((type) => type !== "import.progress"),
        ["import.started", "import.failed", "import.started", "import.completed"]
      )
    }).pipe(Effect.provide(importWorkspace)))

  test("goes on with one that reached the account's pages of a day", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T09:00:00.000Z"))
      yield* seeded
      const url = searchUrl("sim-2600 quota")
      const { updatedAt: _, ...first } = Object(
        yield* ok("import.sales-nav.search", { url, ...into, limit: 2_500, wait_seconds: 25 })
      )
      assert.deepStrictEqual([first.created_count, first.message], [2_500, null], "a hundred pages")
      const second = yield* ok("import.sales-nav.search", { url: searchUrl("sim-30 more"), ...into })
      assert.deepStrictEqual([second.created_count, second.already_exists], [0, false])
      assert.match(String(second.message), /daily limit of search pages.*2026-11-22T09:00:00/)
      const paused = yield* shown(second.import_id)
      assert.deepStrictEqual([paused.state, paused.reason], ["paused", second.message])
      yield* TestClock.adjust("25 hours")
      yield* ok("import.resume", { import_id: second.import_id })
      yield* settled
      const end = yield* shown(second.import_id)
      assert.deepStrictEqual([end.state, end.created_count], ["completed", 30])
    }).pipe(
      Effect.provide(importWorkspace),
      Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: true })
    ))

  test("goes on with one that failed, and with one whose process died", () =>
    Effect.gen(function* () {
      const id = yield* Effect.gen(function* () {
        yield* seeded
        yield* scriptProvider((page) => (page > 0 ? Effect.fail(gatewayDown) : Effect.void))
        const fiber = yield* Effect.forkChild(
          ok("import.sales-nav.search", { url: searchUrl("sim-60 failed"), ...into })
        )
        yield* TestClock.adjust("10 seconds")
        const begun = yield* Fiber.join(fiber)
        yield* scriptProvider((page) => (page === 0 ? Effect.void : Effect.never))
        const resumed = Object((yield* ok("import.resume", { import_id: begun.import_id })).import)
        assert.strictEqual(resumed.state, "running")
        yield* settled
        return begun.import_id
      }).pipe(Effect.provide(commands))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* shown(id)).state, "interrupted")
        yield* scriptProvider(() => Effect.void)
        yield* ok("import.resume", { import_id: id })
        yield* settled
        const end = yield* shown(id)
        assert.deepStrictEqual([end.state, end.created_count], ["completed", 60])
      }).pipe(Effect.provide(commands))
    }).pipe(Effect.provide(repositories)))

  test("asks nobody on a dry run", () =>
    Effect.gen(function* () {
      yield* seeded
      yield* scriptProvider(() => Effect.never)
      const begun = yield* ok("import.sales-nav.search", {
        url: searchUrl("sim-60 dry"),
        ...into,
        wait_seconds: 0
      })
      yield* settled
      yield* ok("import.pause", { import_id: begun.import_id })
      yield* scriptProvider(() => Effect.void)
      const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
      yield* ok("import.resume", { import_id: begun.import_id }, { options })
      yield* settled
      assert.deepStrictEqual([(yield* shown(begun.import_id)).state, yield* asked], ["paused", []])
    }).pipe(Effect.provide(importWorkspace)))

  test("says how a file goes on, and what cannot", () =>
    Effect.gen(function* () {
      yield* seeded
      const content = "Email\none@example.com\ntwo@example.com\n"
      const file = yield* ok("import.csv", { ...into, content })
      const { envelope: complete } = yield* ask("import.resume", { import_id: file.import_id })
      assert.include(complete.meta.warnings[0] ?? "", "again: true (a file)")
      const repo = yield* ImportsRepo
      const stored = yield* repo.outcome("org_a", String(file.import_id), 0)
      if (stored === undefined) return assert.fail("the import is not there")
      for (const [id, type, expected] of [
        ["imp_file", "CSV", "it resumes after row 2."],
        ["imp_posted", "API", "Post them again."]
      ] as const) {
        yield* repo.insert({ ...stored.run, id, type, state: "paused", fingerprint: id })
        assert.include(yield* refused("import.resume", { import_id: id }), `WRONG_STATE`)
        assert.include(yield* refused("import.resume", { import_id: id }), expected)
      }
      assert.include(yield* refused("import.resume", { import_id: "imp_nothing" }), "NOT_FOUND")
      const theirs = { actor: owner("org_b") }
      assert.include(yield* refused("import.resume", { import_id: file.import_id }, theirs), "NOT_FOUND")
    }).pipe(Effect.provide(importWorkspace)))
})
