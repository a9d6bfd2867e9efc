import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { etagOf } from "#core/kernel/command/Envelope.ts"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { agents } from "#memory/agents/AgentsMemory.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { missions } from "#memory/missions/MissionTables.ts"
import { owner } from "../../support/memory.ts"
import { accepted, make, ok, refused } from "../../support/World.ts"

const testLayer = make({ backend: "memory", ids: Ids.layerSequential })

const events = Effect.flatMap(MemoryStore, (store) =>
  store.read("org_a", (tables) => tables.all(JournalMemory.events).map(({ data, type }) => ({ type, data })))
)

describe("agent commands", () => {
  it.effect("answer the spec's closed shape, with empty texts for what is unset", () =>
    Effect.gen(function* () {
      const { agent } = yield* ok("agent.create", { first_name: "Zoë", last_name: "O’Neil" })
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
      assert.deepStrictEqual(yield* ok("agent.get", { agent_handle: "zoe-oneil" }), { agent })
      assert.deepStrictEqual(yield* ok("agent.list", {}), { agents: [agent], next_cursor: null })
      assert.deepStrictEqual(yield* ok("GET /agents", {}), { agents: [agent], nextCursor: null })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("number a derived handle that is taken, and refuse a chosen one, also of a deleted agent", () =>
    Effect.gen(function* () {
      const names = { first_name: "Ada", last_name: "Martin" }
      const handleOf = (input: unknown) => Effect.map(ok("agent.create", input), ({ agent }) => agent.handle)
      assert.strictEqual(yield* handleOf(names), "ada-martin")
      assert.strictEqual(yield* handleOf(names), "ada-martin-2")
      assert.strictEqual(yield* handleOf({ ...names, handle: "ada" }), "ada")
      assert.include(yield* refused("agent.create", { ...names, handle: "ada" }), "409 DUPLICATE_HANDLE")
      yield* ok("agent.delete", { agent_handle: "ada" })
      assert.include(yield* refused("agent.create", { ...names, handle: "ada" }), "409 DUPLICATE_HANDLE")
      const script = yield* handleOf({ first_name: "李", last_name: "雷" })
      assert.match(script, /^[a-z0-9-]{1,64}$/)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("change only what is sent, and nothing when nothing is new", () =>
    Effect.gen(function* () {
      yield* ok("agent.create", {
        first_name: "Ada",
        last_name: "Martin",
        job_title: "CEO",
        email_accounts: [{ provider: "IMAP", email: "Ada@Example.com" }]
      })
      const write = { agent_handle: "ada-martin", job_title: null, working_hours: { friday: [] } }
      const { agent: first } = yield* ok("agent.update", write)
      assert.strictEqual(first.jobTitle, "")
      assert.deepStrictEqual(first.workingHours, { friday: [] })
      assert.deepStrictEqual(first.emailAccounts, [{ provider: "IMAP", email: "Ada@example.com" }])
      assert.strictEqual(first.updatedAt, "1970-01-01T00:00:00.001Z")
      assert.deepStrictEqual((yield* ok("agent.update", write)).agent, first)
      const { agent: rest } = yield* ok("PATCH /agents/{agentHandle}", {
        agentHandle: "ada-martin",
        company: "Acme"
      })
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
      yield* ok("POST /agents", create("Ada", "team@Example.com"))
      const refusal = yield* refused("POST /agents", create("Bob", "TEAM@example.com"))
      assert.include(refusal, "409 DUPLICATE_EMAIL_ACCOUNT")
      assert.include(refusal, "agent ada-m")
      assert.include(yield* refused("POST /agents", create("Bob", "not an address")), "400 INVALID_EMAIL")
      yield* ok("POST /agents", create("Eve", "team@example.com"), { actor: owner("org_b") })
      yield* ok("DELETE /agents/{agentHandle}", { agentHandle: "ada-m" })
      yield* ok("POST /agents", create("Bob", "TEAM@example.com"))
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("refuse what does not fit, with its path, and write nothing", () =>
    Effect.gen(function* () {
      const names = { first_name: "Ada", last_name: "Martin" }
      assert.include(yield* refused("agent.create", { first_name: "Ada" }), "last_name is required")
      assert.include(yield* refused("POST /agents", { firstName: "Ada" }), "lastName is required")
      assert.include(yield* refused("agent.create", { ...names, firstName: "x" }), "Did you mean first_name?")
      assert.include(yield* refused("agent.create", { ...names, timezone: "Mars/Base" }), "timezone must be an IANA")
      assert.include(
        yield* refused("agent.create", { ...names, working_hours: { monday: [{ start: "18:00", end: "09:00" }] } }),
        "working_hours.monday[0]"
      )
      assert.include(
        yield* refused("agent.create", {
          ...names,
          email_accounts: [{ provider: "ICLOUD", email: "a@example.com" }]
        }),
        "email_accounts[0].provider"
      )
      const stored = yield* Effect.flatMap(MemoryStore, (s) => s.read("org_a", (tables) => tables.all(agents)))
      assert.deepStrictEqual(stored, [])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("insist on the tag of If-Match", () =>
    Effect.gen(function* () {
      const { agent } = yield* ok("POST /agents", { firstName: "Ada", lastName: "M" })
      const write = { agentHandle: agent.handle, company: "Acme", ifMatch: etagOf(agent) }
      yield* ok("PATCH /agents/{agentHandle}", write)
      assert.include(
        yield* refused("PATCH /agents/{agentHandle}", { ...write, company: "B" }),
        "412 PRECONDITION_FAILED"
      )
      const gone = { agentHandle: agent.handle, ifMatch: etagOf(agent) }
      assert.include(yield* refused("DELETE /agents/{agentHandle}", gone), "412 PRECONDITION_FAILED")
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("delete an unused agent once, and hide it then", () =>
    Effect.gen(function* () {
      yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
      assert.include(
        yield* refused("agent.delete", { agent_handle: "ada-martin" }, { actor: owner("org_b") }),
        "404 NOT_FOUND"
      )
      assert.deepStrictEqual(yield* ok("agent.delete", { agent_handle: "ada-martin" }), { handle: "ada-martin" })
      assert.include(yield* refused("agent.delete", { agent_handle: "ada-martin" }), "404 NOT_FOUND")
      assert.include(yield* refused("agent.get", { agent_handle: "ada-martin" }), "404 NOT_FOUND")
      assert.deepStrictEqual(yield* ok("agent.list", {}), { agents: [], next_cursor: null })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("delete an agent in use only by force, which pauses its active missions", () =>
    Effect.gen(function* () {
      yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
      for (const name of ["One", "Two", "Three"]) {
        yield* ok("mission.create", { name, agent_handle: "ada-martin" })
      }
      yield* ok("mission.update", { mission_id: "three", status: "archived" })
      const refusal = yield* refused("agent.delete", { agent_handle: "ada-martin" })
      assert.include(refusal, "409 AGENT_IN_USE")
      assert.include(refusal, "(one, two)")
      assert.include(yield* refused("DELETE /agents/{agentHandle}", { agentHandle: "ada-martin" }), "?force=true")
      yield* ok("DELETE /agents/{agentHandle}", { agentHandle: "ada-martin", force: true })
      const statuses = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read("org_a", (tables) =>
          tables
            .all(missions)
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

  it.effect("ask what is unsent, and take it back when they are deleted all the same", () =>
    Effect.gen(function* () {
      yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
      const drafts = yield* Effect.forEach(["a", "b"], (name) =>
        Effect.gen(function* () {
          const { lead_id } = yield* ok("lead.upsert", { name, linkedin_url: `https://www.linkedin.com/in/${name}` })
          const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
          yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
          return { draft_id: draft.draft_id }
        })
      )
      const statuses = Effect.forEach(drafts, (input) =>
        Effect.map(ok("linkedin.draft.get", input), ({ draft }) => draft.status)
      )
      assert.include(yield* refused("agent.delete", { agent_handle: "ada-martin" }), "2 unsent messages")
      assert.deepStrictEqual(yield* statuses, ["READY_TO_SEND", "READY_TO_SEND"])
      yield* ok("agent.delete", { agent_handle: "ada-martin", force: true })
      assert.deepStrictEqual(yield* statuses, ["PENDING_REVIEW", "PENDING_REVIEW"])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("shorten long texts in the compact profile only", () =>
    Effect.gen(function* () {
      const personality = "x".repeat(400)
      const input = { first_name: "Ada", last_name: "Martin", personality }
      const { data, warnings } = yield* accepted("agent.create", input, { options: { responseProfile: "compact" } })
      assert.strictEqual(data.agent.personality.length, 280)
      assert.include(warnings.join(), "agent ada-martin are shortened")
      const { agent } = yield* ok("agent.get", { agent_handle: "ada-martin" })
      assert.strictEqual(agent.personality, personality)
    }).pipe(Effect.provide(testLayer))
  )
})
