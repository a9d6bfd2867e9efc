/**
 * How much of a large organization the lists and reports read: rows of tables as PostgreSQL counts them, never seconds.
 * Source: issue 3 "What it must reach".
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { ImportsRepo } from "@svc/core/imports/ImportsRepo"
import { anyLead } from "@svc/core/leads/LeadSearch"
import { LeadsRepo } from "@svc/core/leads/LeadsRepo"
import { NextActionsRepo } from "@svc/core/leads/NextActionsRepo"
import { MissionReportRepo } from "@svc/core/missions/MissionReportRepo"
import { MissionsRepo } from "@svc/core/missions/MissionsRepo"
import * as Repositories from "@svc/postgres/repositories"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import { plantedLeads, plantLeads } from "./plantedLeads.ts"

/** Rows of a table that this transaction has read so far. */
const readSoFar = (sql: PgClient, table: string) =>
  Effect.map(
    sql<{ readonly rows: number }>`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname = ${table}
    `,
    ([row]) => row?.rows ?? 0
  )

/** What an effect answers, and how many rows of a table it read. */
const reading = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* readSoFar(sql, table)
        const answer = yield* effect
        return { answer, rows: (yield* readSoFar(sql, table)) - before }
      })
    )
  })

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(postgresLayer)), { timeout: 120_000 })((it) => {
    it.effect(
      "of leads only those that a mission's numbers are made of",
      () =>
        Effect.gen(function* () {
          yield* organization("org_1")
          yield* organization("org_2")
          yield* plantLeads
          const contacted = plantedLeads * 0.35
          const view = yield* reading(
            "leads",
            Effect.flatMap(MissionsRepo, (repo) => repo.view("org_1", "mis_large"))
          )
          assert.isAbove(view.answer?.stats.leads ?? 0, plantedLeads / 2)
          assert.isAtMost(view.rows, contacted)
          const activity = yield* reading(
            "leads",
            Effect.flatMap(MissionReportRepo, (repo) =>
              repo.activity("org_1", "mis_large", { unit: "day", from: undefined, to: undefined })
            )
          )
          assert.isAbove(activity.answer?.counts.length ?? 0, 0)
          assert.isAtMost(activity.rows, contacted)
        }),
      120_000
    )

    it.effect("of leads hardly more than are on the work list", () =>
      Effect.gen(function* () {
        const list = (mission: string | undefined) =>
          reading(
            "leads",
            Effect.flatMap(NextActionsRepo, (repo) => repo.list("org_1", mission, 25, "2026-11-28T00:00:00.000Z"))
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
          { query: "person 7776", needsAction: false }
        ]
        for (const filter of filters) {
          for (const sort of ["recent", "score", "name", "action"] as const) {
            const page = { limit: 20, after: undefined }
            const { answer, rows } = yield* reading(
              "leads",
              repo.search("org_1", { ...anyLead, ...filter }, sort, page, "2026-11-21T00:00:00.000Z")
            )
            assert.isAbove(answer.total, 0)
            assert.isAtMost(rows, plantedLeads * 1.2, `${JSON.stringify(filter)} by ${sort}`)
          }
        }
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
