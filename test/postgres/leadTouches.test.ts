/** What it costs to touch a lead: its row in place, and one entry in the order of the last changes. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LeadId, OrganizationId } from "#core/kernel/schema/IdsAndTime.ts"
import type { LeadRow } from "#core/leads/Lead.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { keepQuietLeads, keptDifferences } from "../support/keptLeads.ts"
import { planted } from "./plantedLeads.ts"

const organizationId = "org_1" as OrganizationId

/** Updates of leads by this transaction so far, and those of them that wrote no index. */
const updates = Effect.flatMap(PgClient, (sql) =>
  Effect.map(
    sql<{ readonly all: number; readonly hot: number }>`
      select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables where relname = 'leads'`,
    ([row]) => row ?? { all: 0, hot: 0 }
  )
)

const leadOf = (id: string) =>
  Effect.flatMap(LeadsRepo, (repo) =>
    Effect.flatMap(repo.find(organizationId, { leadId: id as LeadId, identities: [] }), ({ leads: [lead] }) =>
      lead === undefined ? Effect.die(`no ${id}`) : Effect.succeed(lead.row)
    )
  )

const write = (id: string, change: Partial<LeadRow>) =>
  Effect.flatMap(LeadsRepo, (repo) =>
    Effect.flatMap(leadOf(id), (row) => repo.write({ organizationId, rows: [{ ...row, ...change }] }))
  )

const firstOfRecent = Effect.flatMap(LeadsRepo, (repo) =>
  Effect.map(
    repo.search(organizationId, {}, "recent", { after: undefined, limit: 1 }, "2026-11-28T00:00:00.000Z"),
    ({ items }) => items.map(({ id }) => id)
  )
)

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect("writes no index of leads unless an identity, a name, a searched text, a score or a status changes", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const history = yield* LeadsRepo
        const at = (minute: number) => `2026-12-01T00:${String(minute).padStart(2, "0")}:00.000Z`
        const note = {
          organizationId,
          id: "not_1",
          leadId: "ld_700" as LeadId,
          text: "a note",
          userId: "usr_1",
          actorKind: "USER" as const,
          createdAt: at(1)
        }
        yield* write("ld_500", { lastOutboundAt: at(0) })
        // In each page that is written there is room for one more row, and a transaction frees none.
        const touches = [
          ["ld_100", write("ld_100", { location: "Berlin", updatedAt: at(1) })],
          ["ld_300", write("ld_300", { avatarUrl: "https://example.com/a.png", updatedAt: at(2) })],
          ["ld_500", write("ld_500", { lastOutboundAt: at(3), updatedAt: at(3) })],
          ["ld_700", history.addNote(note, at(4))]
        ] as const
        for (const [id, touch] of touches) {
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const before = yield* updates
              yield* touch
              const { all, hot } = yield* updates
              assert.deepStrictEqual([all - before.all, hot - before.hot], [1, 1], id)
            })
          )
          assert.deepStrictEqual(yield* firstOfRecent, [id], "and the lead is the last that changed")
        }
        yield* sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* updates
            yield* write("ld_900", { status: "Replied", updatedAt: at(5) })
            const { all, hot } = yield* updates
            assert.deepStrictEqual([all - before.all, hot - before.hot], [1, 0])
          })
        )
        // The status was written without its event.
        yield* keepQuietLeads
        yield* sql`vacuum svc.leads`
      })
    )

    it.effect("keeps one entry of the last change for each lead, whatever is done to it", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const repo = yield* LeadsRepo
        yield* write("ld_1100", { updatedAt: "2026-12-02T00:00:00.000Z" })
        // On several connections at once: each waits for the lead, and then moves the entry that the one before it made.
        const touch = (second: number) =>
          Effect.gen(function* () {
            const { leads } = yield* repo.resolve(organizationId, {
              identities: [],
              leadIds: ["ld_1100"],
              missions: []
            })
            const updatedAt = new Date(Date.UTC(2026, 11, 3, 0, 0, second)).toISOString()
            yield* repo.write({ organizationId, rows: leads.map(({ row }) => ({ ...row, updatedAt })) })
          }).pipe(sql.withTransaction)
        yield* Effect.all(
          Array.from({ length: 20 }, (_, second) => touch(second)),
          { concurrency: "unbounded" }
        )
        const merge = repo.merge(organizationId, "ld_1201", ["ld_1202", "ld_1203"], "2026-12-04T00:00:00.000Z")
        yield* sql.withTransaction(merge)
        yield* sql`delete from svc.import_rows where organization_id = 'org_1' and lead_id = 'ld_1300'`
        assert.strictEqual(
          yield* sql.withTransaction(repo.removeUnused(organizationId, "ld_1300" as LeadId)),
          "IN_OTHER_MISSION"
        )
        yield* sql`delete from svc.lead_missions where organization_id = 'org_1' and lead_id = 'ld_1300'`
        assert.strictEqual(
          yield* sql.withTransaction(repo.removeUnused(organizationId, "ld_1300" as LeadId)),
          undefined
        )
        assert.deepStrictEqual(yield* keptDifferences, [])
      })
    )

    it.effect("finds pieces of texts by their index, where the tenant is large", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const [index] = yield* sql<{ readonly found: boolean; readonly possible: boolean }>`
          select to_regclass('svc.leads_text') is not null as found,
            exists (select 1 from pg_available_extensions where name = 'pg_trgm') as possible`
        assert.strictEqual(index?.found, index?.possible)
        if (index?.found !== true) return
        const used = Effect.map(
          sql<{ readonly scans: number }>`
            select pg_stat_get_xact_numscans('svc.leads_text'::regclass)::int as scans`,
          ([row]) => row?.scans ?? 0
        )
        const repo = yield* LeadsRepo
        const search = repo.search(
          "org_2" as OrganizationId,
          { query: "son 1777" },
          "score",
          { after: undefined, limit: 5 },
          "2026-11-28T00:00:00.000Z"
        )
        yield* sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* used
            assert.strictEqual((yield* search).total, 11)
            // Counted, as the rarest of the filters, and then read.
            assert.strictEqual((yield* used) - before, 2)
          })
        )
      })
    )
  })

describe.skipIf(!hasPostgres())("touching a lead on PostgreSQL", () => suite())
