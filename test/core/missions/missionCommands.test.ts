import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { commands } from "#core/missions/commands.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { missions } from "#memory/missions/MissionTables.ts"
import { owner } from "../../support/memory.ts"
import { accepted, type Extra, make, ok, refused } from "../../support/World.ts"

const testLayer = make({ backend: "memory", ids: Ids.layerSequential })

const eventsSince = (count: number) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read("org_a", (tables) =>
      tables
        .all(JournalMemory.events)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(count)
        .map(({ data, type }): Record<string, unknown> => ({ type, ...data }))
    )
  )

const rowOf = (id: string) =>
  Effect.flatMap(MemoryStore, (store) => store.read("org_a", (tables) => tables.get(missions, id)))

const offer = {
  offer_id: "audit",
  name: "Audit",
  one_liner: "A day with your books",
  value_proposition: "Finds what leaks",
  landing_page_url: "https://example.com/audit"
}

const workspace = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("offer.create", offer)
})

describe("mission commands", () => {
  it.effect("answer the spec's two representations of one mission", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* ok("POST /missions", {
        name: "Spring Outreach",
        language: "en",
        agentHandle: "ada-martin",
        offerId: "audit",
        whoAreThey: "Heads of finance",
        emailExamples: ["Hi"],
        channels: ["LINKEDIN", "EMAIL", "LINKEDIN"]
      })
      assert.deepStrictEqual(mission, {
        id: mission.id,
        organizationId: "org_a",
        agentHandle: "ada-martin",
        offerId: "audit",
        handle: "spring-outreach",
        name: "Spring Outreach",
        language: "en",
        status: "ACTIVE",
        objective: "",
        description: "",
        channels: ["EMAIL", "LINKEDIN"],
        emailReviewStrategy: "AUTO",
        emailReviewWebhookUrl: "",
        importType: "CSV",
        whoAreThey: "Heads of finance",
        whyWeContactThem: "",
        desiredAction: "",
        keyMessage: "",
        ctaUrl: "",
        toneInstructions: "",
        emailExamples: ["Hi"],
        lastUsedAt: null,
        leadCount: 0,
        createdAt: "1970-01-01T00:00:00.000Z",
        updatedAt: "1970-01-01T00:00:00.000Z"
      })
      assert.deepStrictEqual(yield* ok("GET /missions/{missionHandle}", { missionHandle: "spring-outreach" }), {
        mission
      })
      assert.deepStrictEqual(yield* ok("mission.get", { mission_id: "spring-outreach" }), {
        mission: {
          id: mission.id,
          name: "Spring Outreach",
          status: "active",
          stats: { leads: 0, contacted: 0, replied: 0 },
          updated_at: "1970-01-01T00:00:00.000Z",
          brief: {
            description: null,
            target_audience: "Heads of finance",
            desired_action: null,
            cta_url: null,
            tone_instructions: null,
            offer_id: "audit",
            offer_name: "Audit",
            offer_summary: "A day with your books",
            offer_landing_page_url: "https://example.com/audit",
            example_messages: ["Hi"]
          },
          imports: []
        }
      })
      assert.isString((yield* ok("offer.get", { offer_id: "audit" })).offer.lastUsedAt)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("take the samples of REST, and say what is missing or not there", () =>
    Effect.gen(function* () {
      yield* workspace
      const rest = { name: "A", language: "fr", handle: "a-1", agentHandle: "ada-martin" }
      assert.strictEqual((yield* ok("POST /missions", rest)).mission.handle, "a-1")
      assert.include(yield* refused("POST /missions", rest), "409 DUPLICATE_HANDLE")
      assert.include(yield* refused("POST /missions", { name: "A" }), "agentHandle is required")
      const other = { name: "A", agentHandle: "ada-martin" }
      assert.include(yield* refused("POST /missions", { ...other, agentHandle: "bob" }), "404 NOT_FOUND")
      assert.include(yield* refused("POST /missions", { ...other, offerId: "no" }), "404 NOT_FOUND")
      assert.include(yield* refused("POST /missions", other, { actor: owner("org_b") }), "404 NOT_FOUND")
      assert.include(yield* refused("POST /missions", { ...other, channels: ["SMS"] }), "channels[0]")
      assert.include(yield* refused("POST /missions", { ...other, channels: [] }), "400 INVALID_INPUT channels")
      assert.include(yield* refused("POST /missions", { ...other, status: "PAUSED" }), "400 INVALID_INPUT status")
      assert.include(
        yield* refused("POST /missions", { ...other, emailReviewStrategy: "WEBHOOK" }),
        "emailReviewWebhookUrl is required"
      )
      const draft = yield* ok("POST /missions", { ...other, status: "DRAFT", language: "pt-BR" })
      assert.strictEqual(draft.mission.status, "DRAFT")
      assert.include(yield* refused("GET /missions/{missionHandle}", { missionHandle: "no such/ü" }), "404 NOT_FOUND")
      assert.include(yield* refused("mission.get", { mission_id: "no such/ü" }), "400 INVALID_INPUT mission_id")
      const all = yield* Effect.flatMap(MemoryStore, (store) => store.read("org_a", (tables) => tables.all(missions)))
      assert.strictEqual(all.length, 2)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("create with a brief flat or nested, and as a draft without an agent", () =>
    Effect.gen(function* () {
      yield* workspace
      const flat = yield* ok("mission.create", { name: "Same", description: "What", offer_id: "audit" })
      const nested = yield* ok("mission.create", {
        name: "Same",
        brief: { description: "What", offer_id: "audit" }
      })
      assert.deepStrictEqual(nested.mission.brief, flat.mission.brief)
      const row = yield* rowOf(nested.mission.id)
      assert.deepInclude(row, { handle: "same-2", status: "DRAFT", agentId: null })
      const failure = yield* refused("mission.create", {
        name: "X",
        cta_url: "https://a.example",
        brief: { cta_url: null }
      })
      assert.include(failure, "cta_url and brief.cta_url set the same field but differ")
      yield* ok("mission.update", { mission_id: "same-2", agent_handle: "ada-martin" })
      assert.deepInclude(yield* rowOf(nested.mission.id), {
        status: "DRAFT",
        agentId: "agt_00000000000000000000000001"
      })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("take a brief back as it was read, and refuse another text of its offer", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* ok("mission.create", { name: "M", offer_id: "audit", tone_instructions: "Kind" })
      const input = { mission_id: mission.id, brief: mission.brief }
      assert.deepStrictEqual((yield* ok("mission.update", input)).mission, mission)
      const other = { ...input, brief: { ...mission.brief, offer_name: "Audit 2" } }
      assert.include(yield* refused("mission.update", other), "brief.offer_name is a text of the linked offer")
      const unlinked = yield* ok("mission.update", { mission_id: "m", offer_id: null })
      assert.deepInclude(unlinked.mission.brief, { offer_id: null, offer_name: null, tone_instructions: "Kind" })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("change once, state it once, and change nothing when nothing is new", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* ok("mission.create", { name: "M", agent_handle: "ada-martin" })
      const before = (yield* eventsSince(0)).length
      const input = { mission_id: "m", target_audience: "CFOs", brief: { example_messages: ["a", "b"] } }
      const { mission: changed } = yield* ok("mission.update", input)
      assert.deepInclude(changed.brief, { target_audience: "CFOs", example_messages: ["a", "b"] })
      assert.strictEqual(changed.updated_at, "1970-01-01T00:00:00.001Z")
      assert.deepStrictEqual((yield* ok("mission.update", input)).mission, changed)
      assert.deepStrictEqual(
        (yield* ok("mission.update", { mission_id: mission.id, status: "active" })).mission,
        changed
      )
      assert.deepStrictEqual(yield* eventsSince(before), [{ type: "mission.updated", handle: "m" }])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("archive once, taking back what waits, and restore as paused or as the draft it was", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* ok("mission.create", { name: "M", agent_handle: "ada-martin" })
      const { mission: draft } = yield* ok("mission.create", { name: "D" })
      const { lead_id } = yield* ok("lead.upsert", { name: "G", linkedin_url: "linkedin.com/in/g", mission_id: "m" })
      const letter = yield* ok("linkedin.draft.create", { lead_id, mission_id: "m", variations: ["Hello"] })
      yield* ok("linkedin.draft.approve", { draft_id: letter.draft.draft_id })
      const before = (yield* eventsSince(0)).length
      for (const mission_id of ["m", "m", "d"]) yield* ok("mission.update", { mission_id, status: "archived" })
      const names = { lead_id, mission_id: mission.id, agent_id: letter.draft.agent.agent_id }
      assert.deepInclude(yield* rowOf(mission.id), { status: "ARCHIVED", beforeArchive: "ACTIVE" })
      const edited = yield* ok("mission.update", { mission_id: "m", description: "Over" })
      assert.deepInclude(edited.mission, { status: "archived" })
      const { warnings } = yield* accepted("mission.update", { mission_id: "m", status: "active" })
      assert.include(warnings.join(), "restored as paused")
      yield* ok("mission.update", { mission_id: "d", status: "active" })
      assert.deepInclude(yield* rowOf(mission.id), { status: "PAUSED", beforeArchive: null, description: "Over" })
      assert.deepInclude(yield* rowOf(draft.id), { status: "DRAFT", beforeArchive: null })
      assert.deepStrictEqual(yield* eventsSince(before), [
        { type: "mission.status_changed", handle: "m", from: "ACTIVE", to: "ARCHIVED" },
        { type: "draft.updated", ...names, status: "PENDING_REVIEW", reason: "mission_archived" },
        { type: "lead.status_changed", from: "Waiting", to: "New" },
        { type: "mission.status_changed", handle: "d", from: "DRAFT", to: "ARCHIVED" },
        { type: "mission.updated", handle: "m" },
        { type: "mission.status_changed", handle: "m", from: "ARCHIVED", to: "PAUSED" },
        { type: "mission.status_changed", handle: "d", from: "ARCHIVED", to: "DRAFT" }
      ])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("list newest first, narrowed by every filter, page by page", () =>
    Effect.gen(function* () {
      yield* workspace
      yield* ok("mission.create", { name: "Alpha", agent_handle: "ada-martin" })
      yield* ok("mission.create", { name: "Beta", offer_id: "audit" })
      yield* ok("mission.create", { name: "Gamma", agent_handle: "ada-martin", offer_id: "audit" })
      yield* ok("mission.update", { mission_id: "alpha", status: "archived" })
      const names = (input: unknown, extra?: Extra) =>
        Effect.map(ok("mission.list", input, extra), ({ missions: found }) =>
          found.map(({ name }: { readonly name: string }) => name)
        )
      assert.deepStrictEqual(yield* names({}), ["Gamma", "Beta", "Alpha"])
      assert.deepStrictEqual(yield* names({ status: "archived" }), ["Alpha"])
      assert.deepStrictEqual(yield* names({ status: "active", agent_handle: "ada-martin" }), ["Gamma"])
      assert.deepStrictEqual(yield* names({ offer_id: "audit", query: "ET" }), ["Beta"])
      assert.deepStrictEqual(yield* names({ agent_handle: "nobody" }), [])
      assert.deepStrictEqual(yield* names({}, { actor: owner("org_b") }), [])
      const first = yield* ok("mission.list", { limit: 2 })
      assert.deepStrictEqual(yield* names({ limit: 2, cursor: first.next_cursor }), ["Alpha"])
      const other = yield* refused("mission.list", { limit: 2, cursor: first.next_cursor, status: "active" })
      assert.include(other, "400 INVALID_CURSOR")
    }).pipe(Effect.provide(testLayer))
  )

  it("publishes the closed shapes of the spec", () => {
    for (const command of commands) {
      const schema = JSON.stringify(jsonSchemaOf(command.output))
      assert.notInclude(schema, '"additionalProperties":true', command.id)
    }
    const input = commands.find(({ id }) => id === "mission.update")?.input
    assert.isDefined(input)
    if (input === undefined) return
    const properties = Object(jsonSchemaOf(input)["properties"])
    for (const [name, field] of Object.entries(properties)) {
      assert.isNotEmpty(Object(field).description, `${name} has no description`)
    }
  })
})
