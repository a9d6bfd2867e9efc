import { assert, it } from "@effect/vitest"
import * as Catalog from "@svc/core/Catalog"
import { type Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import * as Ids from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { commands } from "@svc/core/leads/index"
import { layerNone } from "@svc/core/leads/LeadConsequences"
import * as LeadsMemory from "@svc/core/leads/LeadsMemory"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import { MissionsRepo } from "@svc/core/missions/MissionsRepo"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import type { Transaction } from "@svc/core/Transaction"
import type { Workspaces } from "@svc/core/workspace/Workspaces"
import * as WorkspacesMemory from "@svc/core/workspace/WorkspacesMemory"
import * as JournalPg from "@svc/postgres/JournalPg"
import * as LeadsPg from "@svc/postgres/leads/LeadsPg"
import * as MissionsPg from "@svc/postgres/missions/MissionsPg"
import * as OffersPg from "@svc/postgres/offers/OffersPg"
import * as TransactionPg from "@svc/postgres/TransactionPg"
import * as WorkspacesPg from "@svc/postgres/workspace/WorkspacesPg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { missionRow, run, upsert } from "../core/leads/leadWorld.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { eachBackend, inMemory } from "./backends.ts"

const dispatch = dispatchLayer(Catalog.make(commands)).pipe(
  Layer.provideMerge(Layer.mergeAll(Ids.layer, layerSecretRandom, layerNone))
)

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

/** Runs a call and answers how many statements it took, 0 where there is no database. */
const statements = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const counter = yield* Effect.serviceOption(StatementCounter)
    if (Option.isNone(counter)) return [yield* effect, 0] as const
    const [answer, count] = yield* counter.value.of(effect)
    return [answer, count.statements] as const
  })

/** Makes the mission `mis_1`. */
const addMission = Effect.gen(function* () {
  const mission = missionRow("mis_1", { organizationId: yield* CurrentOrganization })
  yield* (yield* MissionsRepo).insert(mission, [mission.handle])
})

eachBackend<Dispatch | MissionsRepo | Workspaces | Transaction>(
  "lead.upsert",
  {
    memory: dispatch.pipe(
      Layer.provideMerge(
        inMemory(
          Layer.mergeAll(
            JournalMemory.layer,
            LeadsMemory.layer,
            MissionsMemory.layer,
            OffersMemory.layer,
            WorkspacesMemory.layer
          )
        )
      )
    ),
    sql: (base) =>
      dispatch.pipe(
        Layer.provideMerge(
          Layer.mergeAll(
            JournalPg.layer,
            LeadsPg.layer,
            MissionsPg.layer,
            OffersPg.layer,
            WorkspacesPg.layer,
            TransactionPg.layer
          )
        ),
        Layer.provideMerge(base)
      )
  },
  (layer) =>
    it.layer(layer, { excludeTestServices: true })((it) => {
      it.effect("makes one lead of 64 simultaneous upserts of one address", () =>
        Effect.gen(function* () {
          yield* addMission
          const all = Array.from({ length: 64 }, (_, n) => ({
            email: n % 2 === 0 ? "Ada@example.com" : "ada@EXAMPLE.com",
            mission_id: "mis_1"
          }))
          const answers = yield* Effect.forEach(all, (input) => run("lead.upsert", input), { concurrency: "unbounded" })
          const ids = answers.map((envelope) =>
            envelope.ok ? (envelope.data as { lead_id: string }).lead_id : envelope.error.code
          )
          assert.strictEqual(new Set(ids).size, 1, ids.join())
          const found = yield* run("lead.search", { query: "ada@" })
          assert.deepInclude(found.ok ? found.data : {}, { count: 1 })
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
          const answers = yield* Effect.forEach(inputs, (input) => run("lead.upsert", input), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            answers.flatMap((envelope) => (envelope.ok ? [] : [`${envelope.error.code} ${envelope.error.message}`])),
            []
          )
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
            Effect.map(statements(upsert(input)), ([answer, count]) => {
              assert.isAtMost(count, limit, JSON.stringify(input))
              return answer
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
            const [envelope, count] = yield* statements(run(command, input))
            assert.isTrue(envelope.ok)
            assert.isAtMost(count, 1, command)
          }
        }).pipe(inOrganization("org_few"))
      )

      it.effect("leaves nothing of a dry run or a refused call", () =>
        Effect.gen(function* () {
          const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
          assert.isTrue((yield* run("lead.upsert", { email: "dry@example.com" }, undefined, options)).ok)
          const refused = yield* run("lead.upsert", { email: "dry@example.com", mission_id: "nope" })
          assert.strictEqual(refused.status, 404)
          const found = yield* run("lead.get", { email: "dry@example.com" })
          assert.strictEqual(found.status, 404)
        }).pipe(inOrganization("org_dry"))
      )
    })
)
