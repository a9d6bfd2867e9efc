import { assert, describe, it } from "@effect/vitest"
import { layerNone } from "@svc/core/agents/AgentDeparture"
import * as AgentsMemory from "@svc/core/agents/AgentsMemory"
import { commands as agentCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { layerSequential } from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { jsonSchemaOf } from "@svc/core/JsonSchema"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import { commands, restCommands } from "@svc/core/missions/index"
import { MissionArchival } from "@svc/core/missions/MissionArchival"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import { missions } from "@svc/core/missions/MissionTables"
import { commands as offerCommands } from "@svc/core/offers/index"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { owner } from "../../support/memory.ts"

const archived: Array<string> = []
const archival = Layer.succeed(MissionArchival, {
  onArchived: (organizationId, missionId, reason) =>
    Effect.sync(() => void archived.push(`${organizationId} ${missionId} ${reason}`))
})

const testLayer = dispatchLayer(Catalog.make([...commands, ...restCommands, ...agentCommands, ...offerCommands])).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      JournalMemory.layer,
      AgentsMemory.layer,
      MissionsMemory.layer,
      OffersMemory.layer,
      archival,
      layerNone,
      layerSequential,
      layerSecretRandom
    ).pipe(Layer.provideMerge(storeLayer))
  )
)

const run = (command: string, input: unknown, organizationId = "org_a") =>
  Effect.flatMap(Dispatch, (dispatch) => dispatch.run({ command, input, actor: owner(organizationId) }))

const outputOf = (command: string, input: unknown, organizationId?: string) =>
  Effect.map(run(command, input, organizationId), ({ envelope }) => {
    if (!envelope.ok) assert.fail(`${command} failed: ${envelope.error.code} ${envelope.error.message}`)
    return Object(envelope.data)
  })

const failureOf = (command: string, input: unknown, organizationId?: string) =>
  Effect.map(run(command, input, organizationId), ({ envelope }) =>
    envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code} ${envelope.error.message}`
  )

const eventsSince = (count: number) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read((tables) =>
      tables
        .all(JournalMemory.events, "org_a")
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(count)
        .map(({ data, type }): Record<string, unknown> => ({ type, ...data }))
    )
  )

const rowOf = (id: string) =>
  Effect.flatMap(MemoryStore, (store) => store.read((tables) => tables.get(missions, "org_a", id)))

const offer = {
  offer_id: "audit",
  name: "Audit",
  one_liner: "A day with your books",
  value_proposition: "Finds what leaks",
  landing_page_url: "https://example.com/audit"
}

const workspace = Effect.gen(function* () {
  yield* outputOf("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* outputOf("offer.create", offer)
})

describe("mission commands", () => {
  it.effect("answer the spec's two representations of one mission", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* outputOf("rest.missions.create", {
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
      assert.deepStrictEqual(yield* outputOf("rest.missions.get", { missionHandle: "spring-outreach" }), { mission })
      assert.deepStrictEqual(yield* outputOf("mission.get", { mission_id: "spring-outreach" }), {
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
      assert.isString((yield* outputOf("offer.get", { offer_id: "audit" })).offer.lastUsedAt)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("take the samples of REST, and say what is missing or not there", () =>
    Effect.gen(function* () {
      yield* workspace
      const rest = { name: "A", language: "fr", handle: "a-1", agentHandle: "ada-martin" }
      assert.strictEqual((yield* outputOf("rest.missions.create", rest)).mission.handle, "a-1")
      assert.include(yield* failureOf("rest.missions.create", rest), "409 DUPLICATE_HANDLE")
      assert.include(yield* failureOf("rest.missions.create", { name: "A" }), "agentHandle is required")
      const other = { name: "A", agentHandle: "ada-martin" }
      assert.include(yield* failureOf("rest.missions.create", { ...other, agentHandle: "bob" }), "404 NOT_FOUND")
      assert.include(yield* failureOf("rest.missions.create", { ...other, offerId: "no" }), "404 NOT_FOUND")
      assert.include(yield* failureOf("rest.missions.create", other, "org_b"), "404 NOT_FOUND")
      assert.include(yield* failureOf("rest.missions.create", { ...other, channels: ["SMS"] }), "channels[0]")
      assert.include(yield* failureOf("rest.missions.create", { ...other, channels: [] }), "400 INVALID_INPUT channels")
      assert.include(
        yield* failureOf("rest.missions.create", { ...other, status: "PAUSED" }),
        "400 INVALID_INPUT status"
      )
      assert.include(
        yield* failureOf("rest.missions.create", { ...other, emailReviewStrategy: "WEBHOOK" }),
        "emailReviewWebhookUrl is required"
      )
      const draft = yield* outputOf("rest.missions.create", { ...other, status: "DRAFT", language: "pt-BR" })
      assert.strictEqual(draft.mission.status, "DRAFT")
      assert.include(yield* failureOf("rest.missions.get", { missionHandle: "no such/ü" }), "404 NOT_FOUND")
      assert.include(yield* failureOf("mission.get", { mission_id: "no such/ü" }), "400 INVALID_INPUT mission_id")
      const all = yield* Effect.flatMap(MemoryStore, (store) => store.read((tables) => tables.all(missions, "org_a")))
      assert.strictEqual(all.length, 2)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("create with a brief flat or nested, and as a draft without an agent", () =>
    Effect.gen(function* () {
      yield* workspace
      const flat = yield* outputOf("mission.create", { name: "Same", description: "What", offer_id: "audit" })
      const nested = yield* outputOf("mission.create", {
        name: "Same",
        brief: { description: "What", offer_id: "audit" }
      })
      assert.deepStrictEqual(nested.mission.brief, flat.mission.brief)
      const row = yield* rowOf(nested.mission.id)
      assert.deepInclude(row, { handle: "same-2", status: "DRAFT", agentId: null })
      const failure = yield* failureOf("mission.create", {
        name: "X",
        cta_url: "https://a.example",
        brief: { cta_url: null }
      })
      assert.include(failure, "cta_url and brief.cta_url name one field and differ")
      yield* outputOf("mission.update", { mission_id: "same-2", agent_handle: "ada-martin" })
      assert.deepInclude(yield* rowOf(nested.mission.id), {
        status: "DRAFT",
        agentId: "agt_00000000000000000000000001"
      })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("take a brief back as it was read, and refuse another text of its offer", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* outputOf("mission.create", { name: "M", offer_id: "audit", tone_instructions: "Kind" })
      const input = { mission_id: mission.id, brief: mission.brief }
      assert.deepStrictEqual((yield* outputOf("mission.update", input)).mission, mission)
      const other = { ...input, brief: { ...mission.brief, offer_name: "Audit 2" } }
      assert.include(yield* failureOf("mission.update", other), "brief.offer_name shows a text of the linked offer")
      const unlinked = yield* outputOf("mission.update", { mission_id: "m", offer_id: null })
      assert.deepInclude(unlinked.mission.brief, { offer_id: null, offer_name: null, tone_instructions: "Kind" })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("change once, state it once, and change nothing when nothing is new", () =>
    Effect.gen(function* () {
      yield* workspace
      const { mission } = yield* outputOf("mission.create", { name: "M", agent_handle: "ada-martin" })
      const before = (yield* eventsSince(0)).length
      const input = { mission_id: "m", target_audience: "CFOs", brief: { example_messages: ["a", "b"] } }
      const { mission: changed } = yield* outputOf("mission.update", input)
      assert.deepInclude(changed.brief, { target_audience: "CFOs", example_messages: ["a", "b"] })
      assert.strictEqual(changed.updated_at, "1970-01-01T00:00:00.001Z")
      assert.deepStrictEqual((yield* outputOf("mission.update", input)).mission, changed)
      assert.deepStrictEqual(
        (yield* outputOf("mission.update", { mission_id: mission.id, status: "active" })).mission,
        changed
      )
      assert.deepStrictEqual(yield* eventsSince(before), [{ type: "mission.updated", handle: "m" }])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("archive once through the port, and restore as paused or as the draft it was", () =>
    Effect.gen(function* () {
      archived.length = 0
      yield* workspace
      const { mission } = yield* outputOf("mission.create", { name: "M", agent_handle: "ada-martin" })
      const { mission: draft } = yield* outputOf("mission.create", { name: "D" })
      const before = (yield* eventsSince(0)).length
      for (const mission_id of ["m", "m", "d"]) yield* outputOf("mission.update", { mission_id, status: "archived" })
      assert.deepStrictEqual(archived, [`org_a ${mission.id} mission_archived`, `org_a ${draft.id} mission_archived`])
      assert.deepInclude(yield* rowOf(mission.id), { status: "ARCHIVED", beforeArchive: "ACTIVE" })
      const edited = yield* outputOf("mission.update", { mission_id: "m", description: "Over" })
      assert.deepInclude(edited.mission, { status: "archived" })
      assert.strictEqual(archived.length, 2)
      const { envelope } = yield* run("mission.update", { mission_id: "m", status: "active" })
      assert.include(envelope.meta.warnings.join(), "restored as paused")
      yield* outputOf("mission.update", { mission_id: "d", status: "active" })
      assert.deepInclude(yield* rowOf(mission.id), { status: "PAUSED", beforeArchive: null, description: "Over" })
      assert.deepInclude(yield* rowOf(draft.id), { status: "DRAFT", beforeArchive: null })
      assert.deepStrictEqual(yield* eventsSince(before), [
        { type: "mission.status_changed", handle: "m", from: "ACTIVE", to: "ARCHIVED" },
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
      yield* outputOf("mission.create", { name: "Alpha", agent_handle: "ada-martin" })
      yield* outputOf("mission.create", { name: "Beta", offer_id: "audit" })
      yield* outputOf("mission.create", { name: "Gamma", agent_handle: "ada-martin", offer_id: "audit" })
      yield* outputOf("mission.update", { mission_id: "alpha", status: "archived" })
      const names = (input: unknown, organizationId?: string) =>
        Effect.map(outputOf("mission.list", input, organizationId), ({ missions: found }) =>
          found.map(({ name }: { readonly name: string }) => name)
        )
      assert.deepStrictEqual(yield* names({}), ["Gamma", "Beta", "Alpha"])
      assert.deepStrictEqual(yield* names({ status: "archived" }), ["Alpha"])
      assert.deepStrictEqual(yield* names({ status: "active", agent_handle: "ada-martin" }), ["Gamma"])
      assert.deepStrictEqual(yield* names({ offer_id: "audit", query: "ET" }), ["Beta"])
      assert.deepStrictEqual(yield* names({ agent_handle: "nobody" }), [])
      assert.deepStrictEqual(yield* names({}, "org_b"), [])
      const first = yield* outputOf("mission.list", { limit: 2 })
      assert.deepStrictEqual(yield* names({ limit: 2, cursor: first.next_cursor }), ["Alpha"])
      const other = yield* failureOf("mission.list", { limit: 2, cursor: first.next_cursor, status: "active" })
      assert.include(other, "400 INVALID_CURSOR")
    }).pipe(Effect.provide(testLayer))
  )

  it("publishes the closed shapes of the spec", () => {
    for (const command of [...commands, ...restCommands]) {
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
