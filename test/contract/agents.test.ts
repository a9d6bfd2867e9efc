import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AgentRow, AgentsRepo } from "#core/agents/Agent.ts"
import { handleCandidates } from "#core/agents/writeAgent.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import type { MissionRow } from "#core/missions/Mission.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, instant, missionRow } from "./outreachRows.ts"

const insertAgent = (row: AgentRow) => Effect.flatMap(AgentsRepo, (repo) => repo.insert(row, [row.handle]))
const insertMission = (row: MissionRow) => Effect.flatMap(MissionsRepo, (repo) => repo.insert(row, [row.handle]))
const accounts = (...emails: ReadonlyArray<string>): AgentRow["emailAccounts"] =>
  emails.map((email) => ({ provider: "GOOGLE", email }))

eachBackend("agents", (layer) =>
  it.layer(layer)((it) => {
    it.effect("keeps an agent as it was given, for its organization alone, by id and by handle", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        yield* organization("org_2")
        const repo = yield* AgentsRepo
        const row: AgentRow = {
          ...agentRow("org_1", "agt_1", "ada"),
          emailSignature: "<p>Ünïcode\n\t“quoted”</p>",
          workingHours: { monday: [{ start: "09:00", end: "24:00" }], sunday: [], holidays: ["2026-12-25"] },
          smartDeliverability: false,
          emailAccounts: accounts("b@example.com", "A@example.com")
        }
        assert.deepStrictEqual(yield* insertAgent(row), row)
        assert.deepStrictEqual(yield* repo.find("org_1", "ada"), row)
        assert.deepStrictEqual(yield* repo.hold("org_1", "agt_1"), row)
        assert.isUndefined(yield* repo.find("org_2", "ada"))
        const twin = { ...row, organizationId: "org_2" }
        assert.deepStrictEqual(yield* insertAgent(twin), twin)
      })
    )

    it.effect("takes the first free handle, and none when none is free", () =>
      Effect.gen(function* () {
        yield* organization("org_f")
        const repo = yield* AgentsRepo
        yield* insertAgent(agentRow("org_f", "agt_1", "ada"))
        const stored = yield* repo.insert(agentRow("org_f", "agt_2", "ada"), ["ada", "ada-2", "ada-3"])
        assert.strictEqual(stored?.handle, "ada-2")
        assert.isUndefined(yield* repo.insert(agentRow("org_f", "agt_3", "ada"), ["ada"]))
        assert.isUndefined(yield* repo.find("org_f", "agt_3"))
      })
    )

    it.effect("gives simultaneous newcomers of one name a handle each", () =>
      Effect.gen(function* () {
        yield* organization("org_h")
        const repo = yield* AgentsRepo
        const transaction = yield* Transaction
        const rows = Array.from({ length: 12 }, (_, index) => agentRow("org_h", `agt_H${index}`, "eve"))
        const stored = yield* Effect.forEach(
          rows,
          (row) => transaction.run(repo.insert(row, handleCandidates("Eve", row.id))),
          { concurrency: "unbounded" }
        )
        const handles = stored.map((row) => row?.handle ?? "none").sort()
        assert.strictEqual(new Set(handles).size, 12)
        assert.notInclude(handles, "none")
        assert.include(handles, "eve")
      })
    )

    it.effect("lets an e-mail address belong to one agent, and frees what is given up", () =>
      Effect.gen(function* () {
        yield* organization("org_e")
        yield* organization("org_e2")
        const repo = yield* AgentsRepo
        const first = {
          ...agentRow("org_e", "agt_1", "one"),
          emailAccounts: accounts("X@example.com", "y@example.com")
        }
        yield* insertAgent(first)
        assert.deepStrictEqual(
          yield* repo.emailHolders("org_e", ["z@example.com", "y@example.com", "x@example.com"], "agt_2"),
          [
            { email: "x@example.com", handle: "one" },
            { email: "y@example.com", handle: "one" }
          ]
        )
        assert.deepStrictEqual(yield* repo.emailHolders("org_e", ["x@example.com"], "agt_1"), [])
        assert.deepStrictEqual(yield* repo.emailHolders("org_e2", ["x@example.com"], "agt_2"), [])
        const second = { ...agentRow("org_e", "agt_2", "two"), emailAccounts: accounts("x@example.com") }
        assert.strictEqual((yield* Effect.flip(insertAgent(second))).code, "DUPLICATE_EMAIL_ACCOUNT")
        assert.isUndefined(yield* repo.find("org_e", "two"))
        yield* insertAgent({ ...second, emailAccounts: [] })
        const greedy = { ...second, emailAccounts: accounts("y@example.com"), updatedAt: instant(5) }
        assert.strictEqual((yield* Effect.flip(repo.replace(greedy, second.updatedAt))).code, "DUPLICATE_EMAIL_ACCOUNT")
        const modest = { ...first, emailAccounts: accounts("x@example.com", "w@example.com"), updatedAt: instant(5) }
        assert.isTrue(yield* repo.replace(modest, first.updatedAt))
        assert.isTrue(yield* repo.replace(greedy, second.updatedAt))
        assert.deepStrictEqual((yield* repo.find("org_e", "one"))?.emailAccounts, modest.emailAccounts)
      })
    )

    it.effect("replaces only what was seen", () =>
      Effect.gen(function* () {
        yield* organization("org_r")
        yield* organization("org_r2")
        const repo = yield* AgentsRepo
        const seen = agentRow("org_r", "agt_2", "ada-2")
        yield* insertAgent(seen)
        const changed = { ...seen, company: "Acme", firstName: "Adah", updatedAt: instant(1) }
        assert.isFalse(yield* repo.replace(changed, instant(7)))
        assert.isFalse(yield* repo.replace({ ...changed, organizationId: "org_r2" }, seen.updatedAt))
        assert.isTrue(yield* repo.replace(changed, seen.updatedAt))
        assert.isFalse(yield* repo.replace({ ...changed, company: "Late" }, seen.updatedAt))
        assert.deepStrictEqual(yield* repo.find("org_r", "agt_2"), changed)
      })
    )

    it.effect("deletes for good: unseen, its handle kept, its addresses free, its active missions paused", () =>
      Effect.gen(function* () {
        yield* organization("org_d")
        yield* organization("org_d2")
        const repo = yield* AgentsRepo
        const missions = yield* MissionsRepo
        const gone = { ...agentRow("org_d", "agt_1", "gone"), emailAccounts: accounts("x@example.com") }
        yield* insertAgent(gone)
        yield* insertAgent(agentRow("org_d", "agt_2", "stays"))
        const mission = (id: string, extra: Partial<MissionRow>) =>
          insertMission({ ...missionRow("org_d", id), agentId: "agt_1", ...extra })
        yield* mission("b", { updatedAt: instant(9) })
        yield* mission("a", {})
        yield* mission("draft", { status: "DRAFT" })
        yield* mission("old", { status: "ARCHIVED", beforeArchive: "ACTIVE" })
        yield* mission("other", { agentId: "agt_2" })
        assert.deepStrictEqual(yield* repo.usedBy("org_d", "agt_1"), ["a", "b", "draft"])
        assert.deepStrictEqual(yield* repo.softDelete("org_d2", "agt_none", instant(3)), [])
        assert.deepStrictEqual(yield* repo.softDelete("org_d", "agt_1", instant(3)), [
          { id: "mis_a", handle: "a" },
          { id: "mis_b", handle: "b" }
        ])
        assert.deepStrictEqual(yield* repo.softDelete("org_d", "agt_1", instant(4)), [])
        const rowOf = (id: string) =>
          Effect.map(missions.findByIdOrHandle("org_d", id), (row) => [row?.status, row?.updatedAt])
        assert.deepStrictEqual(yield* rowOf("a"), ["PAUSED", instant(3)])
        assert.deepStrictEqual(yield* rowOf("b"), ["PAUSED", "2026-11-21T08:00:09.001Z"])
        assert.deepStrictEqual(yield* rowOf("draft"), ["DRAFT", instant(0)])
        assert.deepStrictEqual(yield* rowOf("other"), ["ACTIVE", instant(0)])
        assert.strictEqual((yield* missions.view("org_d", "a"))?.agentHandle, "gone")
        assert.isUndefined(yield* repo.find("org_d", "gone"))
        assert.isUndefined(yield* repo.hold("org_d", "agt_1"))
        assert.isFalse(yield* repo.replace({ ...gone, updatedAt: instant(8) }, instant(3)))
        const listed = yield* repo.list("org_d", { limit: 9, after: undefined })
        assert.deepStrictEqual(
          listed.items.map(({ id }) => id),
          ["agt_2"]
        )
        assert.isUndefined(yield* insertAgent(agentRow("org_d", "agt_9", "gone")))
        yield* insertAgent({ ...agentRow("org_d", "agt_3", "next"), emailAccounts: accounts("X@example.com") })
      })
    )

    it.effect("pages newest first without gaps or repeats, ids breaking ties", () =>
      Effect.gen(function* () {
        yield* organization("org_p")
        const repo = yield* AgentsRepo
        for (const id of ["b", "B", "d", "c"])
          yield* insertAgent(agentRow("org_p", id, `handle-${id.charCodeAt(0)}`, 5))
        yield* insertAgent(agentRow("org_p", "new", "new", 6))
        const seen: Array<string> = []
        let after: Position | undefined
        do {
          const page: { items: ReadonlyArray<AgentRow>; next: Position | undefined } = yield* repo.list("org_p", {
            limit: 2,
            after
          })
          seen.push(...page.items.map(({ id }) => id))
          after = page.next
        } while (after !== undefined)
        assert.deepStrictEqual(seen, ["new", "d", "c", "b", "B"])
      })
    )

    it.effect("undoes everything of a transaction that fails", () =>
      Effect.gen(function* () {
        yield* organization("org_u")
        const repo = yield* AgentsRepo
        const transaction = yield* Transaction
        const row = { ...agentRow("org_u", "agt_undone", "undone"), emailAccounts: accounts("undone@example.com") }
        yield* Effect.flip(transaction.run(Effect.andThen(insertAgent(row), Effect.fail("no"))))
        assert.isUndefined(yield* repo.find("org_u", "undone"))
        assert.deepStrictEqual(yield* repo.emailHolders("org_u", ["undone@example.com"], ""), [])
      })
    )
  })
)
