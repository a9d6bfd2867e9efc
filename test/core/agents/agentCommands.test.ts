import { assert, describe, it } from "@effect/vitest"
import { AgentDeparture, layerNone } from "@svc/core/agents/AgentDeparture"
import * as AgentsMemory from "@svc/core/agents/AgentsMemory"
import { agents } from "@svc/core/agents/AgentTables"
import { commands, restCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { etagOf } from "@svc/core/Etag"
import { layerSequential } from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import { commands as missionCommands } from "@svc/core/missions/index"
import * as MissionArchival from "@svc/core/missions/MissionArchival"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import { missions } from "@svc/core/missions/MissionTables"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { owner } from "../../support/memory.ts"

const withDeparture = (departure: Layer.Layer<AgentDeparture>) =>
  dispatchLayer(Catalog.make([...commands, ...restCommands, ...missionCommands])).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        JournalMemory.layer,
        AgentsMemory.layer,
        MissionsMemory.layer,
        OffersMemory.layer,
        MissionArchival.layerNone,
        departure,
        layerSequential,
        layerSecretRandom
      ).pipe(Layer.provideMerge(storeLayer))
    )
  )
const testLayer = withDeparture(layerNone)

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

const events = Effect.flatMap(MemoryStore, (store) =>
  store.read((tables) => tables.all(JournalMemory.events, "org_a").map(({ data, type }) => ({ type, data })))
)

describe("agent commands", () => {
  it.effect("answer the spec's closed shape, with empty texts for what is unset", () =>
    Effect.gen(function* () {
      const { agent } = yield* outputOf("agent.create", { first_name: "Zoë", last_name: "O’Neil" })
      assert.deepStrictEqual(agent, {
        handle: "zoe-oneil",
        organizationId: "org_a",
        firstName: "Zoë",
        lastName: "O’Neil",
        jobTitle: "",
        avatarUrl: "",
        linkedinUrl: "",
        emailSignature: "",
        calendarUrl: "",
        timezone: "UTC",
        workingHours: {},
        personality: "",
        company: "",
        smartDeliverability: true,
        emailAccounts: [],
        createdAt: "1970-01-01T00:00:00.000Z",
        updatedAt: "1970-01-01T00:00:00.000Z"
      })
      assert.deepStrictEqual(yield* outputOf("agent.get", { agent_handle: "zoe-oneil" }), { agent })
      assert.deepStrictEqual(yield* outputOf("agent.list", {}), { agents: [agent], next_cursor: null })
      assert.deepStrictEqual(yield* outputOf("rest.agents.list", {}), { agents: [agent], nextCursor: null })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("number a derived handle that is taken, and refuse a chosen one, also of a deleted agent", () =>
    Effect.gen(function* () {
      const names = { first_name: "Ada", last_name: "Martin" }
      const handleOf = (input: unknown) => Effect.map(outputOf("agent.create", input), ({ agent }) => agent.handle)
      assert.strictEqual(yield* handleOf(names), "ada-martin")
      assert.strictEqual(yield* handleOf(names), "ada-martin-2")
      assert.strictEqual(yield* handleOf({ ...names, handle: "ada" }), "ada")
      assert.include(yield* failureOf("agent.create", { ...names, handle: "ada" }), "409 DUPLICATE_HANDLE")
      yield* outputOf("agent.delete", { agent_handle: "ada" })
      assert.include(yield* failureOf("agent.create", { ...names, handle: "ada" }), "409 DUPLICATE_HANDLE")
      const script = yield* handleOf({ first_name: "李", last_name: "雷" })
      assert.match(script, /^[a-z0-9-]{1,64}$/)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("change only what is sent, and nothing when nothing is new", () =>
    Effect.gen(function* () {
      yield* outputOf("agent.create", {
        first_name: "Ada",
        last_name: "Martin",
        job_title: "CEO",
        email_accounts: [{ provider: "IMAP", email: "Ada@Example.com" }]
      })
      const write = { agent_handle: "ada-martin", job_title: null, working_hours: { friday: [] } }
      const { agent: first } = yield* outputOf("agent.update", write)
      assert.strictEqual(first.jobTitle, "")
      assert.deepStrictEqual(first.workingHours, { friday: [] })
      assert.deepStrictEqual(first.emailAccounts, [{ provider: "IMAP", email: "Ada@example.com" }])
      assert.strictEqual(first.updatedAt, "1970-01-01T00:00:00.001Z")
      assert.deepStrictEqual((yield* outputOf("agent.update", write)).agent, first)
      const { agent: rest } = yield* outputOf("rest.agents.update", { agentHandle: "ada-martin", company: "Acme" })
      assert.deepStrictEqual(rest, { ...first, company: "Acme", updatedAt: "1970-01-01T00:00:00.002Z" })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("keep an e-mail account with one agent, whatever its spelling, until that one is deleted", () =>
    Effect.gen(function* () {
      const create = (first: string, email: string) => ({
        firstName: first,
        lastName: "M",
        emailAccounts: [{ provider: "GOOGLE", email }]
      })
      yield* outputOf("rest.agents.create", create("Ada", "team@Example.com"))
      const refused = yield* failureOf("rest.agents.create", create("Bob", "TEAM@example.com"))
      assert.include(refused, "409 DUPLICATE_EMAIL_ACCOUNT")
      assert.include(refused, "agent ada-m")
      assert.include(yield* failureOf("rest.agents.create", create("Bob", "not an address")), "400 INVALID_EMAIL")
      yield* outputOf("rest.agents.create", create("Eve", "team@example.com"), "org_b")
      yield* outputOf("rest.agents.delete", { agentHandle: "ada-m" })
      yield* outputOf("rest.agents.create", create("Bob", "TEAM@example.com"))
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("refuse what does not fit, with its path, and write nothing", () =>
    Effect.gen(function* () {
      const names = { first_name: "Ada", last_name: "Martin" }
      assert.include(yield* failureOf("agent.create", { first_name: "Ada" }), "last_name is required")
      assert.include(yield* failureOf("rest.agents.create", { firstName: "Ada" }), "lastName is required")
      assert.include(yield* failureOf("agent.create", { ...names, firstName: "x" }), "did you mean first_name?")
      assert.include(yield* failureOf("agent.create", { ...names, timezone: "Mars/Base" }), "timezone must be an IANA")
      assert.include(
        yield* failureOf("agent.create", { ...names, working_hours: { monday: [{ start: "18:00", end: "09:00" }] } }),
        "working_hours.monday[0]"
      )
      assert.include(
        yield* failureOf("agent.create", {
          ...names,
          email_accounts: [{ provider: "ICLOUD", email: "a@example.com" }]
        }),
        "email_accounts[0].provider"
      )
      const stored = yield* Effect.flatMap(MemoryStore, (s) => s.read((tables) => tables.all(agents, "org_a")))
      assert.deepStrictEqual(stored, [])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("insist on the tag of If-Match", () =>
    Effect.gen(function* () {
      const { agent } = yield* outputOf("rest.agents.create", { firstName: "Ada", lastName: "M" })
      const write = { agentHandle: agent.handle, company: "Acme", ifMatch: etagOf(agent) }
      yield* outputOf("rest.agents.update", write)
      assert.include(yield* failureOf("rest.agents.update", { ...write, company: "B" }), "412 PRECONDITION_FAILED")
      const gone = { agentHandle: agent.handle, ifMatch: etagOf(agent) }
      assert.include(yield* failureOf("rest.agents.delete", gone), "412 PRECONDITION_FAILED")
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("delete an unused agent once, and hide it then", () =>
    Effect.gen(function* () {
      yield* outputOf("agent.create", { first_name: "Ada", last_name: "Martin" })
      assert.include(yield* failureOf("agent.delete", { agent_handle: "ada-martin" }, "org_b"), "404 NOT_FOUND")
      assert.deepStrictEqual(yield* outputOf("agent.delete", { agent_handle: "ada-martin" }), { handle: "ada-martin" })
      assert.include(yield* failureOf("agent.delete", { agent_handle: "ada-martin" }), "404 NOT_FOUND")
      assert.include(yield* failureOf("agent.get", { agent_handle: "ada-martin" }), "404 NOT_FOUND")
      assert.deepStrictEqual(yield* outputOf("agent.list", {}), { agents: [], next_cursor: null })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("delete an agent in use only by force, which pauses its active missions", () =>
    Effect.gen(function* () {
      yield* outputOf("agent.create", { first_name: "Ada", last_name: "Martin" })
      for (const name of ["One", "Two", "Three"]) {
        yield* outputOf("mission.create", { name, agent_handle: "ada-martin" })
      }
      yield* outputOf("mission.update", { mission_id: "three", status: "archived" })
      const refused = yield* failureOf("agent.delete", { agent_handle: "ada-martin" })
      assert.include(refused, "409 AGENT_IN_USE")
      assert.include(refused, "(one, two)")
      assert.include(yield* failureOf("rest.agents.delete", { agentHandle: "ada-martin" }), "?force=true")
      yield* outputOf("rest.agents.delete", { agentHandle: "ada-martin", force: true })
      const statuses = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read((tables) =>
          tables
            .all(missions, "org_a")
            .map(({ handle, status }) => `${handle} ${status}`)
            .sort()
        )
      )
      assert.deepStrictEqual(statuses, ["one PAUSED", "three ARCHIVED", "two PAUSED"])
      const paused = (yield* events).filter(({ data }) => data["reason"] !== undefined)
      assert.sameDeepMembers(paused, [
        {
          type: "mission.status_changed",
          data: { handle: "one", from: "ACTIVE", to: "PAUSED", reason: "agent_deleted" }
        },
        {
          type: "mission.status_changed",
          data: { handle: "two", from: "ACTIVE", to: "PAUSED", reason: "agent_deleted" }
        }
      ])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("ask what is unsent, and tell of a forced deletion", () => {
    const told: Array<string> = []
    const departure = Layer.succeed(AgentDeparture, {
      unsent: () => Effect.succeed(2),
      onDeleted: (_organizationId, agentId) => Effect.sync(() => void told.push(agentId))
    })
    return Effect.gen(function* () {
      yield* outputOf("agent.create", { first_name: "Ada", last_name: "Martin" })
      assert.include(yield* failureOf("agent.delete", { agent_handle: "ada-martin" }), "2 unsent messages")
      assert.deepStrictEqual(told, [])
      yield* outputOf("agent.delete", { agent_handle: "ada-martin", force: true })
      assert.deepStrictEqual(told, ["agt_00000000000000000000000001"])
    }).pipe(Effect.provide(withDeparture(departure)))
  })

  it.effect("shorten long texts in the compact profile only", () =>
    Effect.gen(function* () {
      const dispatch = yield* Dispatch
      const personality = "x".repeat(400)
      const input = { first_name: "Ada", last_name: "Martin", personality }
      const options = { responseProfile: "compact", dryRun: false, idempotencyKey: undefined } as const
      const { envelope } = yield* dispatch.run({ command: "agent.create", input, actor: owner(), options })
      if (!envelope.ok) return assert.fail(envelope.error.message)
      assert.strictEqual(Object(envelope.data).agent.personality.length, 280)
      assert.include(envelope.meta.warnings.join(), "agent ada-martin are shortened")
      const { agent } = yield* outputOf("agent.get", { agent_handle: "ada-martin" })
      assert.strictEqual(agent.personality, personality)
    }).pipe(Effect.provide(testLayer))
  )
})
