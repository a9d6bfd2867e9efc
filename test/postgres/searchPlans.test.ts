/**
 * How lists of many leads are read: by an index for every filter and every order, and a deep page for what the first costs.
 * Rows are asserted, never seconds.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import type { Position } from "#core/kernel/schema/Page.ts"
import type { LeadFilter, LeadSort } from "#core/leads/history/LeadHistory.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { planted, plantedLeads } from "./plantedLeads.ts"
import { reading } from "./reading.ts"

/** Every filter alone. */
const filters: Readonly<Record<string, LeadFilter>> = {
  "no filter": {},
  query: { query: "person 77" },
  first_name: { firstName: "Lead 123" },
  last_name: { lastName: "son 2345" },
  company: { company: "Company 77" },
  job_title: { jobTitle: "cfo 1" },
  email: { email: "lead12345@example.com" },
  status: { statuses: ["MeetingBooked"] },
  "many statuses": { statuses: ["MeetingBooked", "Interested"] },
  mission_id: { mission: "mis_small" },
  "a large mission": { mission: "mis_large" },
  import_id: { importId: "imp_small" },
  score_min: { scoreMin: 99.9 },
  "is_flagged true": { isFlagged: true },
  "is_flagged false": { isFlagged: false },
  "has_email true": { hasEmail: true },
  "has_email false": { hasEmail: false },
  "has_conversation true": { hasConversation: true },
  "has_conversation false": { hasConversation: false },
  "relation connected": { relation: "connected" },
  "relation none": { relation: "none" },
  "needs_action true": { needsAction: true },
  "needs_action false": { needsAction: false },
  created_after: { createdAfter: "2026-11-20T09:26:00.000Z" },
  updated_after: { updatedAfter: "2026-11-20T09:26:00.000Z" }
}

/** Those whose matches an index knows: to page and count them, hardly more leads are looked at than match. */
const selective = [
  "first_name",
  "email",
  "status",
  "many statuses",
  "mission_id",
  "import_id",
  "score_min",
  "is_flagged true",
  "has_email false",
  "has_conversation true",
  "relation connected",
  "created_after",
  "updated_after"
]

/** Those that read leads until they are found: at most `maxRead` of them in a larger organization. */
const rough = ["query", "last_name", "company", "job_title", "needs_action false"]

const sorts: ReadonlyArray<LeadSort> = ["recent", "score", "name", "action"]

/** The rows of a table and the entries of its indexes that a page and its count read. */
const readOf = (table: string, filter: LeadFilter, sort: LeadSort, after?: Position) =>
  reading(
    table,
    Effect.flatMap(LeadsRepo, (repo) =>
      repo.search("org_1", filter, sort, { after, limit: 20 }, "2026-11-28T00:00:00.000Z")
    )
  )

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect(
      "what an index knows costs what matches, in every order",
      () =>
        Effect.gen(function* () {
          for (const name of selective) {
            for (const sort of sorts) {
              const { rows } = yield* readOf("leads", filters[name] ?? {}, sort)
              assert.isAtMost(rows, plantedLeads / 10, `${name}, ${sort}`)
            }
          }
        }),
      600_000
    )

    it.effect(
      "no filter and no order reads more leads than are counted and those of the page",
      () =>
        Effect.gen(function* () {
          for (const [name, filter] of Object.entries(filters)) {
            for (const sort of sorts) {
              const { answer, rows } = yield* readOf("leads", filter, sort)
              const most = rough.includes(name) ? 3 * plantedLeads : 3 * answer.total
              assert.isAtMost(rows, most + 2_000, `${name}, ${sort}`)
            }
          }
        }),
      600_000
    )

    it.effect("a deep page reads what the first one reads", () =>
      Effect.gen(function* () {
        const deep = {
          recent: ["2026-11-20T04:40:00.000Z", "ld_2"],
          score: [-40, "ld_2"],
          name: ["lead 10000 person 10000", "ld_2"],
          action: [5, -40, "ld_2"]
        } as const
        for (const sort of sorts) {
          const first = yield* readOf("leads", {}, sort)
          const later = yield* readOf("leads", {}, sort, deep[sort])
          assert.isAtMost(later.rows, first.rows + 50, sort)
          assert.isAtMost(later.entries, first.entries + 50, sort)
        }
      })
    )

    // Three times as many leads as org_1 has, which is more than a page looks at.
    it.effect(
      "pages that end early leave out nothing, in every order",
      () =>
        Effect.gen(function* () {
          const sql = yield* PgClient
          const repo = yield* LeadsRepo
          yield* sql`update svc.leads set name = 'Twin ' || right(id, 2), company = 'Twins'
            where organization_id = 'org_2' and id like 'ld_other_59%' and length(id) = 14`
          const filters: ReadonlyArray<readonly [LeadFilter, Fragment]> = [
            [{ query: "77" }, sql`strpos(lower(name || company || email || job_title), '77') > 0`],
            [
              { needsAction: false },
              sql`not exists (
              select 1 from svc.lead_actions a where a.organization_id = 'org_2' and a.lead_id = leads.id and a.rank is not null)`
            ]
          ]
          for (const [filter, condition] of filters) {
            const expected = yield* sql<{ readonly id: string }>`
              select id from svc.leads where organization_id = 'org_2' and ${condition} order by id`
            for (const sort of sorts) {
              const seen: Array<string> = []
              let after: Position | undefined
              let isShort = false
              do {
                const search = repo.search("org_2", filter, sort, { after, limit: 6_000 }, "2026-11-20T12:00:00.000Z")
                const { answer, rows } = yield* reading("leads", search)
                // Seven of each lead that a page looks at: which of them is read for the page, its count and where it stopped varies.
                assert.isAtMost(rows, 140_000, `${JSON.stringify(filter)} by ${sort}`)
                seen.push(...answer.items.map(({ id }) => id))
                after = answer.next
                isShort ||= after !== undefined && answer.items.length < 6_000
              } while (after !== undefined)
              assert.deepStrictEqual(
                seen.toSorted(),
                expected.map(({ id }) => id).toSorted(),
                `${JSON.stringify(filter)} by ${sort}`
              )
              assert.isTrue(isShort || filter.needsAction === false, sort)
            }
          }
          const groups: Array<unknown> = []
          let after: Position | undefined
          let pages = 0
          do {
            const page = yield* repo.duplicates("org_2", { after, limit: 100 })
            groups.push(...page.items)
            after = page.next
            pages++
          } while (after !== undefined)
          const twins = yield* sql`select 1 from svc.leads where organization_id = 'org_2' and company = 'Twins'
            group by name having count(*) > 1`
          assert.lengthOf(groups, twins.length)
          assert.isAbove(twins.length, 50)
          assert.isAbove(pages, 1)
        }),
      600_000
    )
  })

describe.skipIf(!hasPostgres())("lists of leads on PostgreSQL", () => suite())
