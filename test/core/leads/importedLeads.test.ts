import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, Execution } from "#core/kernel/command/Execution.ts"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { leadOf } from "#core/leads/ProspectContext.ts"
import { readLeadItem } from "#core/leads/upsertLeads.ts"
import { owner } from "../../support/memory.ts"
import { upsertOne } from "../../support/upsertList.ts"
import { ok } from "../../support/World.ts"
import { addMission, leadWorld, missionRow, type UpsertOutput, upsert } from "./leadWorld.ts"

/** Runs a rule as a command would, and answers the types of its events with its answer. */
const asCommand = <A, R>(effect: Effect.Effect<A, Failure, R>) => {
  const types: Array<string> = []
  const execution = Execution.of({
    dryRun: false,
    emit: ({ type }) => Effect.sync(() => void types.push(type)),
    warn: () => Effect.void,
    commit: (step) => step,
    finish: () => Effect.die("not used")
  })
  return effect.pipe(
    Effect.map((answer) => ({ answer, types })),
    Effect.provideService(Execution, execution),
    Effect.provideService(Actor, owner())
  )
}

const imported = (item: unknown, mission?: string) =>
  asCommand(
    Effect.flatMap(Effect.fromResult(readLeadItem(item)), (input) => upsertOne(input, { source: "import", mission }))
  )

const refused = (item: unknown) => Effect.map(Effect.flip(imported(item)), ({ code }) => code)

describe("upsertLeads for imports", () => {
  it.effect("fills what is unknown, never what a user wrote or cleared, and keeps on empty texts", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com", company: "User's", phone: "1", location: "" })
      yield* upsert({ lead_id, phone: null, name: "User's name" })
      const row = {
        email: "A@example.com",
        company: "Import's",
        phone: "2",
        location: "Lyon",
        headline: "First",
        name: "Import's name",
        is_flagged: true
      }
      const first = yield* imported(row)
      const shown = leadOf(first.answer.stored)
      assert.deepStrictEqual(
        [shown.name, shown.company, shown.phone, shown.location, shown.title, shown.isFlagged],
        ["User's name", "User's", undefined, "Lyon", "First", true]
      )
      assert.strictEqual(first.answer.change, "updated")
      const again = yield* imported(row)
      assert.deepStrictEqual([again.answer.change, again.types], ["unchanged", []])
      const later = yield* imported({ ...row, headline: "", location: "Paris", skills: [] })
      assert.deepStrictEqual([later.answer.stored.row.headline, later.answer.stored.row.location], ["First", "Paris"])
      yield* upsert({ lead_id, location: "Paris" })
      const last = yield* imported({ ...row, location: "Nice" })
      assert.strictEqual(last.answer.stored.row.location, "Paris")
      assert.strictEqual(last.answer.change, "unchanged")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("keeps a name that somebody gave over one made from an address, and a shown address of a user", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "grace@example.com" })
      const named = yield* imported({ email: "grace@example.com", first_name: "Grace", last_name: "Hopper" })
      assert.strictEqual(named.answer.stored.row.name, "Grace Hopper")
      yield* upsert({ lead_id, custom_id: "g" })
      const second = yield* imported({ custom_id: "g", email: "other@example.com" })
      assert.strictEqual(second.answer.stored.row.email, "grace@example.com")
      assert.strictEqual((yield* upsert({ email: "other@example.com" })).lead_id, lead_id)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("sets a status when it creates; later it is heard only when it says DoNotContact", () =>
    Effect.gen(function* () {
      const created = yield* imported({ email: "a@example.com", status: "Contacted" })
      assert.deepStrictEqual([created.answer.stored.row.status, created.types], ["Contacted", ["lead.created"]])
      const ignored = yield* imported({ email: "a@example.com", status: "New" })
      assert.deepStrictEqual([ignored.answer.stored.row.status, ignored.answer.change], ["Contacted", "unchanged"])
      const heard = yield* imported({ email: "a@example.com", status: "DoNotContact" })
      assert.deepStrictEqual(heard.types, ["lead.suppressed", "lead.status_changed"])
      assert.strictEqual(yield* refused({ email: "a@example.com", company: "x" }), "LEAD_SUPPRESSED")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("links the mission without an event for each row, and says whether it was new", () =>
    Effect.gen(function* () {
      yield* addMission(missionRow("mis_1"))
      const first = yield* imported({ email: "a@example.com" }, "mis_1")
      assert.deepStrictEqual([first.answer.linked, first.types], [true, ["lead.created"]])
      const second = yield* imported({ email: "a@example.com" }, "mis_1")
      assert.deepStrictEqual([second.answer.linked, second.answer.change], [false, "unchanged"])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("refuses a row with the code that says why", () =>
    Effect.gen(function* () {
      yield* upsert({ email: "a@example.com", custom_id: "a" })
      yield* upsert({ email: "b@example.com" })
      assert.strictEqual(yield* refused({ name: "Nobody" }), "IDENTIFIER_REQUIRED")
      assert.strictEqual(yield* refused({ email: "b@example.com", custom_id: "a" }), "IDENTITY_CONFLICT")
      assert.strictEqual(yield* refused({ email: "x" }), "INVALID_EMAIL")
      assert.strictEqual(yield* refused({ email: "c@example.com", emial: "x" }), "UNKNOWN_FIELD")
      assert.strictEqual(yield* refused("text"), "INVALID_INPUT")
    }).pipe(Effect.provide(leadWorld))
  )
})

describe("readLeadItem", () => {
  it("takes both spellings of every field", () => {
    const snake = { email: "a@example.com", job_title: "x", is_flagged: true, recent_posts: [], linkedin_url: "l" }
    const camel = { email: "a@example.com", jobTitle: "x", isFlagged: true, recentPosts: [], linkedinUrl: "l" }
    assert.deepStrictEqual(readLeadItem(camel), Result.succeed(snake))
    assert.deepStrictEqual(readLeadItem({ ...snake, jobTitle: "other" }), Result.succeed(snake))
    for (const hostile of [null, [], 7, JSON.parse('{"__proto__": {"email": "a@example.com"}}')]) {
      assert.isTrue(Result.isFailure(readLeadItem(hostile)))
    }
  })
})

describe("lead.upsert after an import", () => {
  it.effect("a user overwrites what an import wrote", () =>
    Effect.gen(function* () {
      yield* imported({ email: "a@example.com", company: "Import's" })
      const data = yield* ok<UpsertOutput>("lead.upsert", { email: "a@example.com", company: "User's" })
      assert.strictEqual(data.lead.company, "User's")
    }).pipe(Effect.provide(leadWorld))
  )
})
