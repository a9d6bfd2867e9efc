/**
 * Lists of leads with tags and values of own fields, held by few, by many and by all: pages together are the whole list in each
 * order, and a page reads rows for what it may show. Rows of tables and entries of indexes as PostgreSQL counts them, never seconds.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OrganizationId } from "#core/kernel/schema/IdsAndTime.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import type { LeadFilter } from "#core/leads/history/LeadHistory.ts"
import { maxLabelTotal } from "#core/leads/history/LeadHistory.ts"
import { LeadFieldsRepo } from "#core/leads/LeadFieldsRepo.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import * as Repositories from "#postgres/repositories.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { keepPlantedLeads } from "../support/keptLeads.ts"
import { organization } from "../support/organization.ts"
import { readSoFar } from "./reading.ts"

const at = "2026-11-28T00:00:00.000Z"

const [organizationId, leads] = ["org_1" as OrganizationId, 2_400]

/** Labels, and one in how many leads has each. */
const held = { all: 1, half: 2, third: 3, middle: 8, few: 50, rare: 600 } as const

const values = Object.entries(held).map(([tag, each]) => `('${tag}', ${each})`)

const statements = [
  // Names, changes and scores in three orders; what is held by one in ten is held by names from A on, and so on.
  `insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
     is_flagged, profile, last_inbound_at, created_at, updated_at)
   select o, 'ld_' || o || n, 'Lead ' || n * 7919 % 10007, '', '', 'Company ' || n % 40, '', '', '',
     case when n % 4 = 0 then 'New' else 'Replied' end, n * 31 % 101, false,
     jsonb_build_object('tags', (select jsonb_agg(t.tag) from (values ${values}) t (tag, each) where n % t.each = 0),
       'ownFields', jsonb_build_object('seats', n % 30)), case when n % 9 = 0 then timestamptz '2026-05-01Z' end, '2026-05-01Z',
     timestamptz '2026-05-01Z' + n * 4801 % 6007 * interval '10 minutes'
   from generate_series(1, ${leads}) n cross join unnest(array['org_1', 'org_2']) o`,
  ...keepPlantedLeads,
  "analyze"
]

const planted = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* PgClient
    yield* organization("org_1")
    yield* organization("org_2")
    for (const statement of statements) yield* sql.unsafe(statement).unprepared
  }).pipe(withoutDeadline)
)

const tagged = (...tags: ReadonlyArray<keyof typeof held | "nobody">) => tags.map((value) => ({ name: "", value }))

/** Filters, and what a lead of the organization meets then. */
const searches: ReadonlyArray<readonly [LeadFilter & Pick<Required<LeadFilter>, "labels">, string]> = [
  ...Object.entries(held).map(
    ([name, each]) => [{ labels: [{ name: "", value: name }] }, `substr(id, 9)::int % ${each} = 0`] as const
  ),
  [{ labels: tagged("nobody") }, "false"],
  [{ labels: tagged("all", "half") }, "substr(id, 9)::int % 2 = 0"],
  [{ labels: tagged("half", "third") }, "substr(id, 9)::int % 6 = 0"],
  [{ labels: tagged("all", "half", "middle") }, "substr(id, 9)::int % 8 = 0"],
  [{ labels: tagged("half", "rare") }, "substr(id, 9)::int % 600 = 0"],
  [{ labels: [...tagged("half"), { name: "seats", value: "7" }] }, "false"],
  [{ labels: [...tagged("all"), { name: "seats", value: "4" }] }, "substr(id, 9)::int % 30 = 4"],
  [{ labels: tagged("half"), statuses: ["New"] }, "substr(id, 9)::int % 4 = 0"],
  [{ labels: tagged("half"), scoreMin: 90 }, "substr(id, 9)::int % 2 = 0 and score >= 90"],
  [{ labels: tagged("half"), company: "company 7" }, "substr(id, 9)::int % 2 = 0 and company = 'Company 7'"],
  [
    { labels: tagged("half"), updatedAfter: "2026-06-01T00:00:00.000Z" },
    "substr(id, 9)::int % 2 = 0 and updated_at > '2026-06-01Z'"
  ],
  [{ labels: tagged("half"), needsAction: true }, "substr(id, 9)::int % 18 = 0"],
  [{ labels: tagged("half"), needsAction: false }, "substr(id, 9)::int % 2 = 0 and substr(id, 9)::int % 9 <> 0"]
]

const orders = {
  recent: `updated_at desc, id collate "C" desc`,
  score: `- score, id collate "C"`,
  name: `lower(name) collate "C", id collate "C"`,
  action: `(last_inbound_at is null), - score, id collate "C"`
} as const

const search = (filter: LeadFilter, sort: keyof typeof orders, limit: number, after?: Position) =>
  Effect.flatMap(LeadsRepo, (repo) => repo.search(organizationId, filter, sort, { limit, after }, at))

describe.skipIf(!hasPostgres())("leads with labels on PostgreSQL", () =>
  it.layer(planted.pipe(Layer.provideMerge(Repositories.layer), Layer.provideMerge(postgresLayer)))((it) => {
    it.effect(
      "are listed whole and in order by all pages together, whatever else is asked for",
      () =>
        Effect.gen(function* () {
          const sql = yield* PgClient
          for (const [filter, condition] of searches) {
            for (const sort of ["recent", "score", "name", "action"] as const) {
              const label = `${JSON.stringify(filter)} by ${sort}`
              const expected = yield* sql.unsafe<{ readonly id: string }>(
                `select id from svc.leads where organization_id = 'org_1' and ${condition} order by ${orders[sort]}`
              )
              const seen: Array<string> = []
              let after: Position | undefined
              do {
                const page = yield* search(filter, sort, 25, after)
                assert.isAtMost(page.items.length, 25, label)
                assert.isAtMost(page.total, Math.min(expected.length, maxLabelTotal), label)
                seen.push(...page.items.map(({ id }) => id))
                after = page.next
              } while (after !== undefined)
              assert.deepStrictEqual(seen.length, expected.length, label)
              assert.deepStrictEqual(
                seen,
                expected.map(({ id }) => id),
                label
              )
              if (Object.keys(filter).length === 1 && filter.labels?.length === 1) {
                const { total } = yield* search(filter, sort, 1)
                assert.strictEqual(total, Math.min(expected.length, maxLabelTotal), label)
              }
            }
          }
        }),
      600_000
    )

    it.effect("are read by the rows of a page, whatever number has them", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        for (const [filter] of searches.filter(([filter]) => Object.keys(filter).length === 1)) {
          for (const sort of ["recent", "score"] as const) {
            for (const limit of [10, 25, 100]) {
              let after: Position | undefined
              for (const page of [1, 2, 3]) {
                const read = yield* sql.withTransaction(
                  Effect.gen(function* () {
                    const before = yield* readSoFar
                    after = (yield* search(filter, sort, limit, after)).next
                    return (yield* readSoFar) - before
                  })
                )
                assert.isAtMost(
                  read,
                  50 * limit + 500,
                  `${JSON.stringify(filter)} by ${sort}, page ${page} of ${limit}`
                )
                if (after === undefined) break
              }
            }
          }
        }
      })
    )

    it.effect("are found in all by the tags in use, each read once", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const repo = yield* LeadFieldsRepo
        const [tags, read] = yield* sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* readSoFar
            return [yield* repo.tags(organizationId, 500), (yield* readSoFar) - before] as const
          })
        )
        assert.deepStrictEqual(tags, Object.keys(held).sort())
        assert.isAtMost(read, 100)
        assert.deepStrictEqual(yield* repo.tags(organizationId, 2), ["all", "few"])
      })
    )
  })
)
