/** Ending imports from outside, and reading how their rows ended. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { owner } from "../../support/memory.ts"
import { ask, ok, refused, warned } from "../../support/World.ts"
import { eventTypes, importWorkspace, Provider, searchUrl, seeded } from "./importWorkspace.ts"

const into = { mission_id: "spring-outreach" }
const settled = Effect.repeat(Effect.yieldNow, { times: 400 })
const scriptProvider = (script: Parameters<Provider["Service"]["script"]>[0]) =>
  Effect.flatMap(Provider, (provider) => provider.script(script))

const running = Effect.gen(function* () {
  yield* seeded
  yield* scriptProvider((page) => (page === 1 ? Effect.never : Effect.void))
  const begun = yield* ok("import.sales-nav.search", { url: searchUrl("sim-60"), ...into, wait_seconds: 0 })
  yield* settled
  return { import_id: String(begun.import_id) }
})

const test = <E>(
  name: string,
  effect: () => Effect.Effect<void, E, Dispatch | Provider | Effect.Services<ReturnType<typeof eventTypes>>>
) => it.effect(name, () => Effect.provide(effect(), importWorkspace))

describe("import.cancel", () => {
  test("ends an import for good; the same search starts another", () =>
    Effect.gen(function* () {
      const id = yield* running
      const cancelled = Object((yield* ok("import.cancel", id)).import)
      assert.deepStrictEqual([cancelled.state, cancelled.created_count], ["cancelled", 25])
      const { envelope: again } = yield* ask("import.cancel", id)
      assert.deepStrictEqual(again.meta.warnings, ["The import is already cancelled; nothing was changed."])
      assert.include(yield* refused("import.resume", id), "WRONG_STATE The import was cancelled")
      yield* scriptProvider(() => Effect.void)
      const anew = yield* ok("import.sales-nav.search", { url: searchUrl("sim-60"), ...into, refresh: true })
      assert.notStrictEqual(anew.import_id, id.import_id)
      assert.deepStrictEqual([anew.created_count, anew.skipped_count], [35, 25])
      assert.deepStrictEqual(
        (yield* eventTypes("import.")).filter((type) => type !== "import.progress"),
        ["import.started", "import.failed", "import.started", "import.completed"]
      )
    }))

  test("ends one that is paused, and leaves one that is complete", () =>
    Effect.gen(function* () {
      const id = yield* running
      yield* ok("import.pause", id)
      assert.strictEqual(Object((yield* ok("import.cancel", id)).import).state, "cancelled")
      const file = yield* ok("import.csv", { ...into, content: "email\na@example.com\n" })
      for (const command of ["import.pause", "import.cancel"]) {
        const warnings = yield* warned(command, { import_id: file.import_id })
        assert.deepStrictEqual(warnings, ["The import is already completed; nothing was changed."])
      }
      assert.strictEqual(Object((yield* ok("import.get", { import_id: file.import_id })).import).state, "completed")
    }))

  test("and import.pause know nothing of other organizations", () =>
    Effect.gen(function* () {
      const id = yield* running
      for (const command of ["import.pause", "import.cancel", "import.leads.list"]) {
        assert.include(yield* refused(command, id, { actor: owner("org_b") }), "NOT_FOUND", command)
        assert.include(yield* refused(command, { import_id: "imp_nothing" }), "NOT_FOUND", command)
      }
      assert.strictEqual(Object((yield* ok("import.get", id)).import).state, "running")
    }))
})

describe("import.leads.list", () => {
  test("answers every row once, in its order, with its lead or its cells", () =>
    Effect.gen(function* () {
      yield* seeded
      const content =
        "Email,Name,Company\nada@example.com,Ada,Acme\nno mail,Bob,\nADA@example.com,Ada,Acme\nada@example.com,,Globex\n" +
        "carl@example.com,Carl,\n"
      yield* ok("lead.upsert", { email: "carl@example.com", name: "Carl" })
      const file = yield* ok("import.csv", { ...into, content })
      const id = { import_id: file.import_id }
      const rows: Array<Record<string, unknown>> = []
      let cursor: unknown
      do {
        const page: Record<string, unknown> = yield* ok("import.leads.list", {
          ...id,
          limit: 2,
          ...(typeof cursor === "string" ? { cursor } : {})
        })
        assert.isAtMost(Object(page["rows"]).length, 2)
        rows.push(...Object(page["rows"]))
        cursor = page["next_cursor"]
      } while (cursor !== null)
      assert.deepStrictEqual(
        rows.map(({ outcome, reason, row }) => [row, outcome, reason]),
        [
          [1, "created", null],
          [2, "invalid", "INVALID_EMAIL"],
          [3, "skipped", "UNCHANGED"],
          [4, "updated", null],
          [5, "skipped", "ENROLLED"]
        ]
      )
      assert.deepStrictEqual(
        rows.map(({ cells }) => cells),
        [null, { Email: "no mail", Name: "Bob" }, null, null, null]
      )
      const refusedRows = yield* ok("import.leads.list", { ...id, outcome: "refused" })
      assert.lengthOf(Object(refusedRows.rows), 1)
      const updated = yield* ok("import.leads.list", { ...id, outcome: "updated" })
      assert.deepStrictEqual(
        Object(updated.leads).map(({ company, name }: { company: string; name: string }) => [name, company]),
        [["Ada", "Globex"]]
      )
    }))
})
