import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { missionRow, upsert } from "../core/leads/leadWorld.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { code, counted, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** How many deadlocks PostgreSQL has broken in this database; 0 where there is no database. */
const deadlocks = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isNone(sql)) return 0
  yield* sql.value`select pg_stat_clear_snapshot()`
  const rows = yield* Effect.orDie(
    sql.value<{ n: number }>`select deadlocks::int as n from pg_stat_database where datname = current_database()`
  )
  return rows[0]?.n ?? 0
})

/** Makes the mission `mis_1`. */
const addMission = Effect.gen(function* () {
  const mission = missionRow("mis_1", { organizationId: yield* CurrentOrganization })
  yield* (yield* MissionsRepo).insert(mission, [mission.handle])
})

eachBackend("lead.upsert", (layer) =>
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("makes one lead of 64 simultaneous upserts of one address", () =>
      Effect.gen(function* () {
        yield* addMission
        const all = Array.from({ length: 64 }, (_, n) => ({
          email: n % 2 === 0 ? "Ada@example.com" : "ada@EXAMPLE.com",
          mission_id: "mis_1"
        }))
        const answers = yield* Effect.forEach(all, (input) => upsert(input), { concurrency: "unbounded" })
        const ids = answers.map(({ lead_id }) => lead_id)
        assert.strictEqual(new Set(ids).size, 1, ids.join())
        assert.deepInclude(yield* ok("lead.search", { query: "ada@" }), { count: 1 })
      }).pipe(inOrganization("org_64"))
    )

    it.effect("overlapping identifiers in any order, merging as they meet, never lose against each other", () =>
      Effect.gen(function* () {
        const people = ["a", "b", "c", "d", "e", "f"]
        const pairs = Array.from({ length: 60 }, (_, n) => ({
          email: `${people[n % people.length]}@overlap.example`,
          linkedin_url: `https://www.linkedin.com/in/overlap-${people[(n * 5 + 1) % people.length]}`
        }))
        const inputs = pairs.map((pair, n) => ({
          ...(n % 2 === 0 ? pair : Object.fromEntries(Object.entries(pair).reverse())),
          name: `Person ${n}`,
          on_conflict: "merge"
        }))
        const answers = yield* Effect.forEach(inputs, (input) => refused("lead.upsert", input), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([...new Set(answers)], ["ok"])
        // Whoever was joined by any call is one person now.
        for (const { email, linkedin_url } of pairs) {
          const byEmail = yield* upsert({ email })
          const bySlug = yield* upsert({ linkedin_url })
          assert.strictEqual(byEmail.lead_id, bySlug.lead_id)
        }
        assert.strictEqual(yield* deadlocks, 0)
      }).pipe(inOrganization("org_overlap"))
    )

    it.effect("takes three statements to create or change, mission included, and two to change nothing", () =>
      Effect.gen(function* () {
        const most = (input: object, limit: number) =>
          Effect.map(counted("lead.upsert", input), ({ data, statements }) => {
            assert.isAtMost(statements, limit, JSON.stringify(input))
            return data
          })
        yield* addMission
        const identifiers = { email: "few@example.com", linkedin_url: "linkedin.com/in/few", custom_id: "few" }
        const { lead_id } = yield* most({ ...identifiers, mission_handle: "handle-mis_1" }, 3)
        yield* most({ email: "few@example.com", company: "Changed", status: "Contacted" }, 3)
        yield* most({ lead_id, email: "more@example.com" }, 3)
        yield* most({ ...identifiers, mission_handle: "handle-mis_1" }, 2)
        for (const [command, input] of [
          ["lead.get", identifiers],
          ["lead.search", { sort: "action", needs_action: true }]
        ] as const) {
          assert.isAtMost((yield* counted(command, input)).statements, 1, command)
        }
      }).pipe(inOrganization("org_few"))
    )

    it.effect("leaves nothing of a dry run or a refused call", () =>
      Effect.gen(function* () {
        yield* ok("lead.upsert", { email: "dry@example.com" }, { options: { dryRun: true } })
        assert.strictEqual(yield* code("lead.upsert", { email: "dry@example.com", mission_id: "nope" }), "NOT_FOUND")
        assert.strictEqual(yield* code("lead.get", { email: "dry@example.com" }), "NOT_FOUND")
      }).pipe(inOrganization("org_dry"))
    )
  })
)
