/**
 * Lists and counts of a large organization by whether leads have an action: the same leads as their actions say, read without
 * asking for the action of each one. Rows are asserted, never seconds.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Position } from "#core/kernel/schema/Page.ts"
import { type LeadFilter, maxTotal } from "#core/leads/history/LeadHistory.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { planted, plantedLeads } from "./plantedLeads.ts"
import { reading } from "./reading.ts"

const at = "2026-11-21T00:00:00.000Z"

/** What may keep a lead without an action, each of leads that would have one. */
const exceptions = [
  `update svc.leads set last_outbound_at = '2026-11-01' where organization_id = 'org_1' and status = 'Contacted' and score > 30`,
  `update svc.leads set last_outbound_at = '2026-11-20' where organization_id = 'org_1' and status = 'Contacted' and score > 60`,
  `insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
   values ('org_1', 'mis_done', 'done', 'Done', 'COMPLETED', 'done', '{}', '2026-11-01', '2026-11-01')`,
  `insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
   select 'org_1', 'mis_done', id, created_at from svc.leads where organization_id = 'org_1' and (score = 10 or score = 50)`,
  `insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
   values ('org_1', 'agt_1', 'one', 'Grace', 'Hopper', '{}', '2026-11-01', '2026-11-01')`,
  `insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, status, variations, selected_body_text, snoozed_until,
     created_by_user_id, created_by_actor_kind, created_at, updated_at)
   select 'org_1', 'drf_' || id, id, 'agt_1', case when score = 51 then 'READY_TO_SEND' else 'PENDING_REVIEW' end, '["Hello"]', 'Hello',
     case score when 52 then '2026-12-01'::timestamptz when 53 then '2026-11-01' end, 'usr_1', 'USER', '2026-11-01', '2026-11-01'
   from svc.leads where organization_id = 'org_1' and score in (51, 52, 53, 54)`,
  `insert into svc.suppressions (organization_id, kind, value, lead_id, reason, until, created_at)
   select 'org_1', case score when 55 then 'lead' else 'email' end, case score when 55 then id else email end,
     case score when 55 then id end, 'later', case score when 57 then null else '2026-12-01'::timestamptz end, '2026-11-01'
   from svc.leads where organization_id = 'org_1' and score in (55, 56, 57) and email <> ''`,
  "analyze svc.leads, svc.lead_missions, svc.linkedin_drafts, svc.suppressions"
]

/** One more exception, of which no index of identifiers knows. */
const silencedDomain = [
  `insert into svc.suppressions (organization_id, kind, value, reason, created_at)
   values ('org_1', 'domain', 'silenced.example', 'asked', '2026-11-01')`,
  `update svc.lead_identities set value = lead_id || '@mail.silenced.example' where organization_id = 'org_1' and kind = 'email'
   and lead_id in (select id from svc.leads where organization_id = 'org_1' and score = 58)`
]

const orders = {
  recent: `l.updated_at desc, l.id collate "C" desc`,
  name: `lower(l.name) collate "C", l.id collate "C"`,
  score: `- l.score, l.id collate "C"`,
  action: `r.rank, - l.score, l.id collate "C"`
} as const

/** Keeps the rank of each lead's action. */
const keepRanks = [
  "select svc.svc_keep_actions('org_1', array(select id from svc.leads where organization_id = 'org_1'))"
]

/** Runs statements of the test itself, one after the other; a busy machine is no reason to fail. Returns the rows of each. */
const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(PgClient, (sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql`set local statement_timeout = 0`,
        Effect.forEach(statements, (statement) => sql.unsafe<{ readonly id: string }>(statement).unprepared)
      )
    )
  ).pipe(withoutDeadline)

/** The ids of leads with an action, or without one, in an order. */
const expectedOf = (hasAction: boolean, order: string, condition = "true") =>
  Effect.map(
    run([
      `select l.id from svc.leads l left join svc.lead_actions r
         on r.organization_id = 'org_1' and r.lead_id = l.id and r.rank is not null and r.from_at <= '${at}'
       where l.organization_id = 'org_1' and (r.rank is not null) = ${hasAction} and ${condition} order by ${order}`
    ]),
    ([rows = []]) => rows.map(({ id }) => id)
  )

const search = (filter: Partial<LeadFilter>, sort: keyof typeof orders, limit: number, after?: Position) =>
  Effect.flatMap(LeadsRepo, (repo) => repo.search("org_1", filter, sort, { limit, after }, at))

/** The first two pages of a list, of 3,000 leads together. */
const pagesOf = (filter: Partial<LeadFilter>, sort: keyof typeof orders) =>
  Effect.gen(function* () {
    const first = yield* search(filter, sort, 100)
    const rest = first.next === undefined ? undefined : yield* search(filter, sort, 2_900, first.next)
    return { seen: [...first.items, ...(rest?.items ?? [])].map(({ id }) => id), total: first.total }
  })

describe.skipIf(!hasPostgres())("leads by whether they have an action, of a large organization on PostgreSQL", () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect(
      "are those whose action says so, in every order, whatever keeps a lead waiting",
      () =>
        Effect.gen(function* () {
          yield* run(exceptions)
          for (const step of [[], silencedDomain]) {
            yield* run([...step, ...keepRanks])
            for (const needsAction of [true, false]) {
              for (const sort of needsAction ? (["recent", "name", "action"] as const) : (["recent"] as const)) {
                const expected = yield* expectedOf(needsAction, orders[sort])
                const { seen, total } = yield* pagesOf({ needsAction }, sort)
                const label = `${needsAction} by ${sort}${step.length > 0 ? ", with a domain" : ""}`
                assert.deepStrictEqual(seen, expected.slice(0, 3_000), label)
                assert.strictEqual(total, Math.min(expected.length, maxTotal), label)
              }
            }
          }
          // Fewer than the maximum total, so that they are sorted.
          const few = yield* expectedOf(true, orders.recent, "l.status = 'Contacted'")
          assert.isAbove(few.length, 1_000)
          const listed = yield* pagesOf({ needsAction: true, statuses: ["Contacted"] }, "recent")
          assert.deepStrictEqual(listed, { seen: few.slice(0, 3_000), total: few.length })
        }),
      600_000
    )

    it.effect(
      "are counted and listed by the leads of the page and of the count, in the order of changes and names too",
      () =>
        Effect.gen(function* () {
          for (const filter of [{ needsAction: true }, { needsAction: true, mission: "mis_large" }]) {
            for (const sort of ["recent", "name"] as const) {
              const { answer, rows } = yield* reading("leads", search(filter, sort, 25))
              assert.strictEqual(answer.total, maxTotal)
              assert.isAtMost(rows, plantedLeads, `${JSON.stringify(filter)} by ${sort}`)
            }
          }
        }),
      600_000
    )
  })
)
