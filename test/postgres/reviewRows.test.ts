/** How many drafts the review queue reads of an organization that has many: rows as PostgreSQL counts them, never seconds. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Position } from "#core/kernel/schema/Page.ts"
import { type ReviewFilter, ReviewRepo, type ReviewTab, reviewKinds } from "#core/review/ReviewRepo.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import * as Repositories from "#postgres/repositories.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { keepPlantedLeads } from "../support/keptLeads.ts"
import { queueMessages } from "../support/queuedMessages.ts"
import { reading } from "./reading.ts"

const [pending, sent, queued] = [20_000, 5_000, 500]

const filter: ReviewFilter = {
  kinds: reviewKinds,
  hidden: [],
  mission: undefined,
  agent: undefined,
  minScore: undefined,
  flagged: undefined,
  reply: undefined,
  query: undefined,
  at: "2026-11-23T00:00:00.000Z",
  since: "2026-10-24T00:00:00.000Z"
}

/** Drafts to as many leads, one a second. */
const plant = Effect.gen(function* () {
  const sql = yield* PgClient
  yield* queueMessages(sql, { prefix: "many", organizations: 1, accountsEach: 1, itemsEach: queued })
  for (const [status, count] of [
    ["PENDING_REVIEW", pending],
    ["DISPATCHED", sent]
  ] as const) {
    yield* sql`
      insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status,
        score, is_flagged, search_text, profile, created_at, updated_at)
      select 'many_1', 'ld_' || ${status}::text || n, 'Lead ' || n, '', '', 'Company ' || n, '', '', '', 'Waiting', n % 100, false, '',
        '{}', now(), now()
      from generate_series(1, ${count}::int) n
    `
    yield* sql`
      insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, status, variations, created_by_user_id,
        created_by_actor_kind, dispatched_at, created_at, updated_at)
      select 'many_1', 'drf_' || ${status}::text || n, 'ld_' || ${status}::text || n, 'agt_1', ${status}::text, '["Hello there"]', 'usr_1',
        'USER', case when ${status}::text = 'DISPATCHED' then timestamptz '2026-11-20' + make_interval(secs => n) end,
        timestamptz '2026-11-01' + make_interval(secs => n), timestamptz '2026-11-01' + make_interval(secs => n)
      from generate_series(1, ${count}::int) n
    `
  }
  const keep = Effect.forEach(["set local statement_timeout = 0", ...keepPlantedLeads], (statement) =>
    sql.unsafe(statement)
  )
  yield* withoutDeadline(sql.withTransaction(keep))
  yield* sql`analyze svc.linkedin_drafts, svc.leads, svc.transmissions`
})

const page = (tab: ReviewTab, after: Position | undefined, limit = 25) =>
  Effect.flatMap(ReviewRepo, (repo) => repo.list("many_1", tab, filter, { limit, after }))

describe.skipIf(!hasPostgres())("the review queue of an organization with many drafts", () => {
  it.live(
    "reads for a page what is on it, however deep, and for the totals each draft once",
    () =>
      Effect.gen(function* () {
        yield* plant
        const deep = {
          to_review: ["2026-11-01T05:00:00.000Z", "drf_PENDING_REVIEW18000"],
          sent: ["2026-11-20T00:30:00.000Z", "drf_DISPATCHED1800"]
        } as const
        for (const tab of ["to_review", "sent"] as const) {
          for (const after of [undefined, deep[tab]]) {
            for (const table of ["linkedin_drafts", "leads"]) {
              const { answer, rows } = yield* reading(table, page(tab, after))
              assert.lengthOf(answer.items, 25)
              assert.isAtMost(rows, 100, `${tab} ${table} ${after}`)
            }
          }
        }
        const approved = yield* reading("linkedin_drafts", page("approved", undefined))
        assert.lengthOf(approved.answer.items, 25)
        assert.isAtMost(approved.rows, queued * 3)
        assert.isAtMost((yield* reading("linkedin_drafts", page("problems", undefined))).rows, queued * 3)
        const counting = Effect.flatMap(ReviewRepo, (repo) => repo.counts("many_1", filter, []))
        const counts = yield* reading("linkedin_drafts", counting)
        assert.deepInclude(counts.answer, { to_review: pending, sent, approved: queued, snoozed: 0 })
        assert.isAtMost(counts.rows, 3 * (pending + sent))
        assert.isAtMost((yield* reading("leads", counting)).rows, 100)
      }).pipe(Effect.provide(Repositories.layer.pipe(Layer.provideMerge(postgresLayer)))),
    600_000
  )
})
