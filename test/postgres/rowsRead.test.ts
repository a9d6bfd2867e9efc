/**
 * How much of a large organization the lists and reports read: rows of tables as PostgreSQL counts them, never seconds.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import { maxTotal } from "#core/leads/history/LeadHistory.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { ReportsRepo } from "#core/reports/ReportsRepo.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { planted, plantedLeads } from "./plantedLeads.ts"
import { reading } from "./reading.ts"

const at = "2026-11-21T00:00:00.000Z"

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect(
      "of leads only those that a mission's numbers are made of",
      () =>
        Effect.gen(function* () {
          const contacted = plantedLeads * 0.35
          const view = yield* reading(
            "leads",
            Effect.flatMap(MissionsRepo, (repo) => repo.view("org_1", "mis_large"))
          )
          assert.isAbove(view.answer?.stats.leads ?? 0, plantedLeads / 2)
          assert.isAtMost(view.rows, contacted)
          const activity = yield* reading(
            "leads",
            Effect.flatMap(ReportsRepo, (repo) =>
              repo.missionActivity("org_1", "mis_large", { unit: "day", from: undefined, to: undefined })
            )
          )
          assert.isAbove(activity.answer?.[0]?.counts.length ?? 0, 0)
          assert.isAtMost(activity.rows, contacted)
        }),
      600_000
    )

    it.effect("of leads hardly more than are on the work list", () =>
      Effect.gen(function* () {
        const list = (mission: string | undefined) =>
          reading(
            "leads",
            Effect.flatMap(ReportsRepo, (repo) => repo.nextActions("org_1", mission, 25, "2026-11-28T00:00:00.000Z"))
          )
        for (const mission of [undefined, "mis_large", "mis_small"]) {
          const { answer, rows } = yield* list(mission)
          assert.isAbove(answer.length, 0, mission)
          assert.isAtMost(rows, 2_000, mission ?? "all missions")
        }
      })
    )

    it.effect("of leads each one once when a word that few have is looked for, in every order", () =>
      Effect.gen(function* () {
        const repo = yield* LeadsRepo
        const filters = [
          { query: "person 7777" },
          { company: "company 777" },
          { jobTitle: "cfo 577", needsAction: true },
          { query: "person 7776", needsAction: false },
          { lastName: "son 7775" }
        ]
        for (const filter of filters) {
          for (const sort of ["recent", "score", "name", "action"] as const) {
            const page = { limit: 20, after: undefined }
            const { answer, rows } = yield* reading("leads", repo.search("org_1", filter, sort, page, at))
            assert.isAbove(answer.total, 0)
            assert.isAtMost(rows, plantedLeads * 1.2, `${JSON.stringify(filter)} by ${sort}`)
          }
        }
      })
    )

    it.effect("of a large mission's leads and members those of the page and what is counted, in every order", () =>
      Effect.gen(function* () {
        const repo = yield* LeadsRepo
        const orders = [
          ["recent", `updated_at desc, id collate "C" desc`],
          ["score", `score desc, id collate "C"`],
          ["name", `lower(name) collate "C", id collate "C"`]
        ] as const
        const filters = [
          [{}, "true"],
          [{ hasEmail: true }, "email <> ''"],
          [{ statuses: ["New"] }, "status = 'New'"],
          [{ statuses: ["MeetingBooked"] }, "status = 'MeetingBooked'"],
          [{ company: "company 1" }, "strpos(lower(company), 'company 1') > 0"]
        ] as const
        const sql = yield* PgClient
        for (const [sort, order] of orders) {
          for (const [filter, condition] of sort === "recent" ? filters : filters.slice(0, 2)) {
            const label = `${JSON.stringify(filter)} by ${sort}`
            const expected = yield* sql.unsafe<{ readonly id: string }>(`
              select id from svc.leads where organization_id = 'org_1' and ${condition} and id in (
                select lead_id from svc.lead_missions where organization_id = 'org_1' and mission_id = 'mis_large')
              order by ${order}`)
            const page = (after: Position | undefined, limit: number) =>
              repo.search("org_1", { ...filter, mission: "mis_large" }, sort, { limit, after }, at)
            const seen: Array<string> = []
            let after: Position | undefined
            do {
              const { items, next, total } = yield* page(after, 4_000)
              assert.strictEqual(total, Math.min(expected.length, maxTotal), label)
              seen.push(...items.map(({ id }) => id))
              after = next
            } while (after !== undefined)
            assert.deepStrictEqual(
              seen,
              expected.map(({ id }) => id),
              label
            )
          }
          const first = repo.search("org_1", { mission: "mis_large" }, sort, { limit: 25, after: undefined }, at)
          const members = yield* reading("lead_missions", first)
          assert.isAtMost(members.entries, maxTotal + 100, `members by ${sort}`)
          assert.isAtMost((yield* reading("leads", first)).entries, 1_000, `leads by ${sort}`)
        }
      })
    )

    it.effect("of many members of an import and relations those that are counted and those of the page", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        yield* sql`insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
          values ('org_1', 'agt_1', 'one', 'Grace', 'Hopper', '{}', ${at}::timestamptz, ${at}::timestamptz)`
        yield* sql`insert into svc.linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features, created_at,
            updated_at)
          values ('org_1', 'acc_1', 'agt_1', 'simulator', 'one', 'connected', 'free', '[]', ${at}::timestamptz, ${at}::timestamptz)`
        yield* sql`insert into svc.lead_relations (organization_id, account_id, lead_id, connected, checked_at)
          select 'org_1', 'acc_1', id, true, ${at}::timestamptz from svc.leads where organization_id = 'org_1'`
        const repo = yield* LeadsRepo
        for (const [table, filter] of [
          ["import_rows", { importId: "imp_large" }],
          ["lead_relations", { relation: "connected" }]
        ] as const) {
          const page = { limit: 25, after: undefined }
          const search = repo.search("org_1", filter, "recent", page, at)
          const { answer, entries } = yield* reading(table, search)
          assert.strictEqual(answer.total, maxTotal)
          assert.isAtMost(entries, plantedLeads + maxTotal + 100, table)
        }
      })
    )

    it.effect("of new leads few to find those with nothing to do", () =>
      Effect.gen(function* () {
        const repo = yield* LeadsRepo
        const sql = yield* PgClient
        const idle = { statuses: ["New"] as const, needsAction: false }
        const list = repo.search("org_1", idle, "recent", { limit: 100, after: undefined }, at)
        const expected = yield* sql<{ readonly id: string }>`
          select id from svc.leads l where organization_id = 'org_1' and status = 'New' and not exists (
            select 1 from svc.lead_missions k where k.organization_id = 'org_1' and k.lead_id = l.id)
            and coalesce(last_inbound_at, '-infinity') <= coalesce(last_outbound_at, '-infinity')
        `
        assert.isAbove(expected.length, 100)
        const { answer, rows } = yield* reading("leads", list)
        assert.strictEqual(answer.total, expected.length)
        assert.isTrue(answer.items.every(({ id }) => expected.some((lead) => lead.id === id)))
        // Each lead is looked at once for the page and once for the count.
        assert.isAtMost(rows, 2 * plantedLeads + 300)
      })
    )

    it.effect("of an import's rows only those of the page, however rare their outcome", () =>
      Effect.gen(function* () {
        for (const outcome of [undefined, "created", "updated", "skipped", "invalid", "refused"] as const) {
          for (const after of [undefined, [plantedLeads / 2]]) {
            const { rows } = yield* reading(
              "import_rows",
              Effect.flatMap(ImportsRepo, (repo) => repo.rows("org_1", "imp_large", outcome, { after, limit: 25 }))
            )
            assert.isAtMost(rows, 60, `${outcome} after ${after}`)
          }
        }
      })
    )
  })

describe.skipIf(!hasPostgres())("reading a large organization on PostgreSQL", () => suite())
