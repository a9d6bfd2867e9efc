import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import type { MemoryStore } from "#memory/MemoryStore.ts"
import { owner } from "../../support/memory.ts"
import { ok, refused } from "../../support/World.ts"
import { eventTypes, importWorkspace, type Provider, seeded } from "./importWorkspace.ts"

const command = "POST /missions/{missionHandle}/leads"
const missionHandle = "spring-outreach"

const post = (leads: ReadonlyArray<object>, extra = {}) =>
  Effect.map(ok(command, { missionHandle, leads }, extra), ({ import_id, mission }) => ({
    importId: String(import_id),
    mission: Object(mission)
  }))

const importOf = (importId: string) =>
  Effect.map(ok("import.get", { import_id: importId }), (data) => Object(data.import))

const countsOf = (importId: string) =>
  Effect.map(
    importOf(importId),
    (shown): ReadonlyArray<number> => [
      shown.created_count,
      shown.updated_count,
      shown.skipped_count,
      shown.invalid_count
    ]
  )

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    email: `person${from + index}@example.com`,
    firstName: `P${from + index}`
  }))

const test = (name: string, body: () => Effect.Effect<void, unknown, Dispatch | MemoryStore | Provider>) =>
  it.effect(name, () => Effect.andThen(seeded, body()).pipe(Effect.provide(importWorkspace)))

describe("POST /missions/{missionHandle}/leads", () => {
  test("creates leads, links them, and answers the mission with its import", () =>
    Effect.gen(function* () {
      const { importId, mission } = yield* post([
        { email: "a@example.com", job_title: "CFO" },
        { linkedinUrl: "linkedin.com/in/b" }
      ])
      assert.strictEqual(mission.leadCount, 2)
      assert.strictEqual(mission.handle, missionHandle)
      assert.isString(mission.lastUsedAt)
      assert.deepStrictEqual(yield* countsOf(importId), [2, 0, 0, 0])
      const shown = yield* importOf(importId)
      assert.deepStrictEqual([shown.type, shown.state, shown.name], ["API", "completed", "Posted leads, 1970-01-01"])
      assert.deepStrictEqual(yield* eventTypes("import."), ["import.started", "import.completed"])
      assert.deepStrictEqual(yield* eventTypes("mission.leads_added"), ["mission.leads_added"])
      const found = JSON.stringify(yield* ok("lead.get", { email: "a@example.com" }))
      assert.include(found, "CFO")
    }))

  test("finds them again by their identifiers", () =>
    Effect.gen(function* () {
      yield* post(people(3))
      const { importId, mission } = yield* post([...people(4), { email: "person0@example.com", company: "Acme" }])
      assert.deepStrictEqual(yield* countsOf(importId), [1, 1, 3, 0])
      assert.strictEqual(mission.leadCount, 4)
    }))

  test("leaves out single items that cannot be used, and says why", () =>
    Effect.gen(function* () {
      const { importId, mission } = yield* post([
        { email: "good@example.com" },
        { email: "no address" },
        { emial: "typo@example.com" },
        { company: "Nobody" },
        { email: "x@example.com", linkedinUrl: "https://www.linkedin.com/company/acme" },
        { lead_id: "ld_nothing" },
        { email: 7 },
        {}
      ])
      assert.deepStrictEqual(yield* countsOf(importId), [1, 0, 0, 7])
      assert.strictEqual(mission.leadCount, 1)
      const { refused_rows } = yield* importOf(importId)
      assert.deepStrictEqual(
        refused_rows.map(({ position, reason }: { position: number; reason: string }) => `${position} ${reason}`),
        [
          "1 INVALID_EMAIL",
          "2 UNKNOWN_FIELD",
          "3 IDENTIFIER_REQUIRED",
          "4 NOT_A_PROFILE_URL",
          "5 NOT_FOUND",
          "6 INVALID_INPUT",
          "7 IDENTIFIER_REQUIRED"
        ]
      )
    }))

  test("refuses the request when every item is invalid, and stores nothing", () =>
    Effect.gen(function* () {
      const broken = Array.from({ length: 120 }, (_, index) => ({ emial: `p${index}@example.com` }))
      const answer = yield* refused(command, { missionHandle, leads: broken })
      assert.include(
        answer,
        "INVALID_INPUT None of the leads can be used. leads[0]: emial is not a known field. Did you mean email?"
      )
      assert.include(answer, "leads[4]:")
      assert.notInclude(answer, "leads[5]:")
      assert.include(answer, "And 115 more.")
      assert.deepStrictEqual((yield* ok("import.list", {})).imports, [])
      assert.deepStrictEqual(yield* eventTypes("import."), [])
    }))

  test("counts every row of a long list, whichever chunk it is in", () =>
    Effect.gen(function* () {
      const broken = Array.from({ length: 60 }, () => ({ email: "?" }))
      const { importId, mission } = yield* post([...broken, ...people(140), ...people(20)])
      assert.deepStrictEqual(yield* countsOf(importId), [140, 0, 20, 60])
      assert.strictEqual(mission.leadCount, 140)
      const { refused_rows } = yield* importOf(importId)
      assert.lengthOf(refused_rows, 50)
    }))

  test("skips identity conflicts and people who must not be contacted", () =>
    Effect.gen(function* () {
      yield* ok("lead.upsert", { email: "one@example.com", custom_id: "1" })
      yield* ok("lead.upsert", { email: "two@example.com", custom_id: "2" })
      yield* ok("lead.upsert", { email: "stop@example.com", status: "DoNotContact" })
      const { importId } = yield* post([
        { email: "two@example.com", customId: "1" },
        { email: "stop@example.com", company: "New" },
        { email: "fine@example.com" }
      ])
      assert.deepStrictEqual(yield* countsOf(importId), [1, 0, 2, 0])
    }))

  test("writes nothing on a dry run and answers what would be", () =>
    Effect.gen(function* () {
      const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
      const { mission } = yield* post(people(70), { options })
      assert.strictEqual(mission.leadCount, 70)
      assert.deepStrictEqual((yield* ok("import.list", {})).imports, [])
      assert.deepStrictEqual((yield* ok("lead.search", {})).leads, [])
    }))

  test("answers a repeated idempotency key as it did first", () =>
    Effect.gen(function* () {
      const options = { responseProfile: "full", dryRun: false, idempotencyKey: "key" } as const
      const first = yield* post(people(2), { options })
      assert.deepStrictEqual(yield* post(people(2), { options }), first)
      assert.lengthOf(Object((yield* ok("import.list", {})).imports), 1)
    }))

  test("refuses what is no list of leads, unknown missions, archived ones, and keys without the right", () =>
    Effect.gen(function* () {
      const leads = people(1)
      assert.include(yield* refused(command, { missionHandle, leads: [] }), "INVALID_INPUT leads")
      assert.include(yield* refused(command, { missionHandle, leads: people(1_001) }), "INVALID_INPUT leads")
      assert.include(yield* refused(command, { missionHandle, leads: ["x"] }), "INVALID_INPUT leads[0]")
      assert.include(yield* refused(command, { missionHandle, leads, limit: 1 }), "UNKNOWN_FIELD")
      assert.include(yield* refused(command, { missionHandle: "nothing", leads }), "NOT_FOUND")
      assert.include(yield* refused(command, { missionHandle, leads }, { actor: owner("org_b") }), "NOT_FOUND")
      const reader = { ...owner(), scopes: scopeBundles.read_only }
      assert.include(yield* refused(command, { missionHandle, leads }, { actor: reader }), "FORBIDDEN_SCOPE")
      yield* ok("mission.update", { mission_id: missionHandle, status: "archived" })
      assert.include(yield* refused(command, { missionHandle, leads }), "MISSION_ARCHIVED")
    }))
})
