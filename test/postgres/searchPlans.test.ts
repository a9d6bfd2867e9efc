/**
 * How lists of many leads are read: by an index for every filter and every order, and a deep page for what the first costs.
 * Plans and the pages that they touch are asserted, never seconds.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LeadFilter, LeadSort } from "#core/leads/history/LeadHistory.ts"
import { actionRanks, idleRank } from "#postgres/leads/leadAction.ts"
import type { NamedMission } from "#postgres/leads/leadConditions.ts"
import { searchStatement } from "#postgres/leads/searchLeadsPg.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { planted, plantedLeads } from "./plantedLeads.ts"
import { nodesOf, type PlanNode, pageNodesOf, pagesOf } from "./queryPlan.ts"

/** Every filter alone; `mission` is what was looked up. */
const filters: Readonly<Record<string, { readonly filter: Partial<LeadFilter>; readonly mission?: NamedMission }>> = {
  "no filter": { filter: {} },
  query: { filter: { query: "person 77" } },
  first_name: { filter: { firstName: "Lead 123" } },
  last_name: { filter: { lastName: "son 2345" } },
  company: { filter: { company: "Company 77" } },
  job_title: { filter: { jobTitle: "cfo 1" } },
  email: { filter: { email: "lead12345@example.com" } },
  status: { filter: { statuses: ["MeetingBooked"] } },
  "many statuses": { filter: { statuses: ["MeetingBooked", "Interested"] } },
  mission_id: { filter: {}, mission: { id: "mis_small", isLarge: false } },
  "a large mission": { filter: {}, mission: { id: "mis_large", isLarge: true } },
  import_id: { filter: { importId: "imp_small" } },
  score_min: { filter: { scoreMin: 99.9 } },
  "is_flagged true": { filter: { isFlagged: true } },
  "is_flagged false": { filter: { isFlagged: false } },
  "has_email true": { filter: { hasEmail: true } },
  "has_email false": { filter: { hasEmail: false } },
  "has_conversation true": { filter: { hasConversation: true } },
  "has_conversation false": { filter: { hasConversation: false } },
  "relation connected": { filter: { relation: "connected" } },
  "relation none": { filter: { relation: "none" } },
  "needs_action true": { filter: { needsAction: true } },
  "needs_action false": { filter: { needsAction: false } },
  created_after: { filter: { createdAfter: "2026-11-20T09:26:00.000Z" } },
  updated_after: { filter: { updatedAfter: "2026-11-20T09:26:00.000Z" } }
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

const sorts: ReadonlyArray<LeadSort> = ["recent", "score", "name", "action"]

const explain = (
  name: string,
  sort: LeadSort,
  after?: ReadonlyArray<string | number>,
  ranks: ReadonlyArray<number> = actionRanks
) =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    const given = filters[name]
    const [text, params] = searchStatement(
      sql,
      {
        organizationId: "org_1",
        at: "2026-11-28T00:00:00.000Z",
        filter: { ...given?.filter, mission: given?.mission },
        sort,
        after,
        limit: 20
      },
      ranks
    ).compile()
    const [row] = yield* sql
      .withTransaction(
        Effect.andThen(
          // A busy machine is no reason to fail.
          sql`set local statement_timeout = 0`,
          sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }> }>(
            `explain (analyze, buffers, timing off, format json) ${text}`,
            params
          ).unprepared
        )
      )
      .pipe(withoutDeadline)
    const plan = row?.["QUERY PLAN"][0]?.Plan
    if (plan === undefined) return yield* Effect.die(new Error("no plan"))
    return plan
  })

/** Where a mission has most of the leads, counting to the most that is counted may take the table as a whole. */
const countsFreely = "a large mission"

const scansOf = (plan: PlanNode, name: string) =>
  (name === countsFreely ? pageNodesOf(plan) : nodesOf(plan)).filter(
    (node) => node["Relation Name"] === "leads" && node["Node Type"] === "Seq Scan"
  )

/** Leads that were fetched, matching or not. */
const leadsRead = (plan: PlanNode): number =>
  nodesOf(plan)
    .filter((node) => node["Relation Name"] === "leads")
    .reduce(
      (sum, node) => sum + node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
      0
    )

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect("no filter and no order reads a tenant's leads from end to end", () =>
      Effect.gen(function* () {
        for (const name of Object.keys(filters)) {
          for (const sort of sorts) {
            const plan = yield* explain(name, sort)
            assert.deepStrictEqual(scansOf(plan, name), [], `${name}, ${sort}`)
          }
        }
      })
    )

    it.effect("what an index knows costs what matches, in every order", () =>
      Effect.gen(function* () {
        for (const name of selective) {
          for (const sort of ["recent", "score", "name"] as const) {
            const read = leadsRead(yield* explain(name, sort))
            assert.isAtMost(read, plantedLeads / 10, `${name}, ${sort}`)
          }
        }
      })
    )

    it.effect("a deep page reads what the first one reads", () =>
      Effect.gen(function* () {
        const deep = {
          recent: ["2026-11-20T04:40:00.000Z", "ld_2"],
          score: [-40, "ld_2"],
          name: ["lead 10000 person 10000", "ld_2"],
          action: [4, -40, "ld_2"]
        } as const
        for (const sort of sorts) {
          const first = yield* explain("no filter", sort)
          const later = yield* explain("no filter", sort, deep[sort])
          assert.isAtMost(pagesOf(later), pagesOf(first) * 1.2 + 50, sort)
        }
        const idle = yield* explain("no filter", "action", undefined, [idleRank])
        assert.isAtMost(
          pagesOf(yield* explain("no filter", "action", [5, -40, "ld_2"], [idleRank])),
          pagesOf(idle) * 1.2 + 50
        )
      })
    )
  })

describe.skipIf(!hasPostgres())("lists of leads on PostgreSQL", () => suite())
