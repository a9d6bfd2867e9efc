/**
 * A tenant, a mission and an import that are younger than the last `analyze`: what stands for whom is still read by the
 * index that knows. Rows that are fetched are asserted, never seconds.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Identity } from "#core/leads/identity/Identity.ts"
import { resolveOne } from "#core/leads/LeadBatch.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { analyzeGrownTables } from "#postgres/AutoAnalyze.ts"
import * as Database from "#postgres/Database.ts"
import { schemaOf } from "#postgres/inSchema.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, freshPostgres, hasPostgres } from "../support/backends.ts"
import { keepPlantedLeads } from "../support/keptLeads.ts"
import { organization } from "../support/organization.ts"
import { planted } from "./plantedLeads.ts"

/** Leads of the tenant, and of the mission, that no statistics know. */
const unknownLeads = 3_000

/** Plans stay as they are, and nothing is known of new rows: PostgreSQL never looks by its own hand. */
const stopAnalyzing = Effect.gen(function* () {
  const sql = yield* PgClient
  for (const table of [
    "leads",
    "lead_identities",
    "lead_missions",
    "import_rows",
    "linkedin_drafts",
    "suppressions",
    "transmissions"
  ]) {
    yield* sql.unsafe(`alter table svc.${table} set (autovacuum_enabled = false)`).unprepared
  }
})

/** A tenant with a mission of so many leads. */
const tenantOf = (leads: number) => [
  `insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
   values ('org_3', 'mis_new_org_3', 'new', 'New', 'ACTIVE', 'new', '{}', now(), now())`,
  `insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url,
     status, score, is_flagged, search_text, profile, created_at, updated_at)
   select 'org_3', 'ld_new_' || n, 'New ' || n, '', '', '', 'new' || n || '@example.com', '', '', 'New', 0, false,
     'new ' || n, '{"provenance": {}}', now(), now()
   from generate_series(1, ${leads}) n`,
  `insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
   select 'org_3', 'email', email, id, false from svc.leads where organization_id = 'org_3'`,
  `insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
   select 'org_3', 'mis_new_org_3', id, now() from svc.leads where organization_id = 'org_3'`,
  ...keepPlantedLeads
]

const newTenant = tenantOf(unknownLeads)

/** Everything known is analysed, and what comes after that is not: without a look by PostgreSQL's own hand, either. */
const plant = Effect.gen(function* () {
  const sql = yield* PgClient
  yield* stopAnalyzing
  yield* organization("org_3")
  const later = [
    ...newTenant,
    `insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
     values ('org_1', 'mis_new_org_1', 'new', 'New', 'ACTIVE', 'new', '{}', now(), now())`,
    `insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
     select 'org_1', 'mis_new_org_1', 'ld_' || n, now() from generate_series(1, ${unknownLeads}) n`
  ]
  for (const statement of later) yield* sql.unsafe(statement).unprepared
})

/** What an effect answers, and how many rows of tables it had fetched by any index or scan. */
const rowsFetched = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    const fetched = Effect.map(
      sql<{ readonly rows: number }>`
        select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_xact_user_tables
      `,
      ([row]) => row?.rows ?? 0
    )
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* fetched
        const answer = yield* effect
        return { answer, rows: (yield* fetched) - before }
      })
    )
  })

const emails = (prefix: string, from: number, count: number): ReadonlyArray<Identity> =>
  Array.from({ length: count }, (_, n) => ({
    kind: "email",
    value: `${prefix}${from + n}@example.com`,
    derived: false
  }))

describe.skipIf(!hasPostgres())("a tenant and a mission that no statistics know", () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    it.effect("nor can they know one: no table keeps statistics of tenants", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const kept = yield* sql`
          select a.attrelid::regclass::text as table from pg_attribute a
          join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
          where a.attname = 'organization_id' and a.attstattarget <> 0
        `
        assert.deepStrictEqual(kept, [])
        const late = yield* sql`
          select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
          where c.relkind = 'r' and c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
            and (c.reloptions is null or not 'autovacuum_vacuum_insert_scale_factor=0.02' = any (c.reloptions))
        `
        assert.deepStrictEqual(late, [], "every table is vacuumed soon after an import")
      })
    )

    it.effect("are read by the rows that are asked for", () =>
      Effect.gen(function* () {
        yield* plant
        const repo = yield* LeadsRepo
        const known = 500
        for (const [organizationId, prefix] of [
          ["org_3", "new"],
          ["org_1", "lead"]
        ] as const) {
          const references = {
            identities: [...emails(prefix, 10, known), ...emails("nobody", 1, known)],
            leadIds: [],
            missions: ["new"]
          }
          const many = yield* rowsFetched(repo.resolve(organizationId, references, "bulk"))
          assert.lengthOf(many.answer.leads, known)
          assert.isTrue(
            many.answer.leads.every(({ missions }) => missions.some(({ handle }) => handle === "new")),
            organizationId
          )
          // A lead and the identifier it was found by, both before and after it was locked, all that it holds, its links, and
          // their missions.
          assert.isAtMost(many.rows, 10 * known, `many rows of ${organizationId}`)

          const [one] = emails(prefix, 20, 1)
          const single = yield* rowsFetched(
            resolveOne(organizationId, { identities: one === undefined ? [] : [one], mission: "new" })
          )
          assert.lengthOf(single.answer.leads, 1)
          assert.isAtMost(single.rows, 30, `one row of ${organizationId}`)
        }
      })
    )
  })
)

/** An empty database, on one connection, which keeps its plans. */
const emptyDatabase = Layer.unwrap(
  Effect.map(freshPostgres(), ({ url }) =>
    Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { maxConnections: 1 })))
  )
)

describe.skipIf(!hasPostgres())("a small database that was vacuumed", () => {
  it.live("finds the missions of a lead by the lead, though the key of links has few entries", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      yield* organization("org_3")
      for (const statement of [...tenantOf(10_000), "vacuum analyze"]) yield* sql.unsafe(statement).unprepared
      for (const asked of ["svc.svc_lead_documents('org_3', array['ld_new_20'], true, true)"]) {
        const scans = sql<{ readonly ofKey: number; readonly ofLead: number }>`
            select pg_stat_get_xact_numscans('svc.lead_missions_pkey'::regclass)::int as "ofKey",
              pg_stat_get_xact_numscans('svc.lead_missions_of_lead'::regclass)::int as "ofLead"`
        const [counted] = yield* sql.withTransaction(Effect.andThen(sql.unsafe(`select * from ${asked}`), scans))
        assert.strictEqual(counted?.ofKey, 0, asked)
        assert.isAtLeast(counted?.ofLead ?? 0, 1, asked)
      }
    }).pipe(Effect.provide(emptyDatabase))
  )
})

describe.skipIf(!hasPostgres())("a database in which nothing is open", () => {
  it.live("finds the drafts and messages of a lead by the lead, also once many are open that no statistics know", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      yield* organization("org_3")
      const drafts = (name: string, columns: string, values: string) =>
        `insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, variations, created_by_user_id, created_by_actor_kind,
             created_at, updated_at, ${columns})
           select 'org_3', 'drf_${name}_' || n, 'ld_new_' || n, 'agt_1', '[]', 'usr_1', 'HUMAN', now(), now(), ${values}
           from generate_series(1, ${unknownLeads}) n`
      const messages = (state: string, draft: string) =>
        `insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, draft_id, state, bypass, attempts,
             failures, details, created_at, updated_at)
           select 'org_3', 'que_${state}_' || n, 'message', 'agt_1', 'acc_1', 'ld_new_' || n, 'drf_${draft}_' || n, '${state}', false, 0,
             0, '{}', now(), now() from generate_series(1, ${unknownLeads}) n`
      const closed = [
        ...newTenant,
        `insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
           values ('org_3', 'agt_1', 'one', 'Grace', 'Hopper', '{}', now(), now())`,
        `insert into svc.linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features, created_at,
             updated_at)
           values ('org_3', 'acc_1', 'agt_1', 'simulator', 'one', 'connected', 'free', '[]', now(), now())`,
        drafts("sent", "status, dispatched_at", "'DISPATCHED', now()"),
        messages("sent", "sent"),
        "vacuum analyze"
      ]
      for (const statement of closed) yield* sql.unsafe(statement).unprepared
      yield* stopAnalyzing
      const look = rowsFetched(sql`select * from svc.svc_lead_documents('org_3', array['ld_new_20'], true, true)`)
      const before = yield* look
      for (const statement of [drafts("open", "status", "'PENDING_REVIEW'"), messages("queued", "open")]) {
        yield* sql.unsafe(statement).unprepared
      }
      const { answer, rows } = yield* look
      assert.lengthOf(answer, 1)
      // The new draft and the new message, each looked at by each part that asks for it, and the agent.
      assert.isAtMost(rows, before.rows + 6)
    }).pipe(Effect.provide(emptyDatabase))
  )
})

describe.skipIf(!hasPostgres())("a database that was asked when it was empty", () => {
  it.live(
    "finds one person by the rows it needs, once tables that have grown are analyzed",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const repo = yield* LeadsRepo
        yield* organization("org_3")
        yield* stopAnalyzing
        assert.deepStrictEqual(yield* analyzeGrownTables, [])
        const [one] = emails("new", 20, 1)
        const reference = { identities: one === undefined ? [] : [one], leadId: undefined, mission: "new" }
        const look = Effect.all([
          rowsFetched(repo.find("org_3", reference)),
          rowsFetched(resolveOne("org_3", reference))
        ])
        for (let time = 0; time < 8; time++) yield* look
        for (const statement of newTenant) yield* sql.unsafe(statement).unprepared
        yield* sql`select pg_stat_force_next_flush()`
        const grown = yield* analyzeGrownTables
        assert.deepStrictEqual(grown, ["lead_actions", "lead_identities", "lead_missions", "lead_recency", "leads"])
        const [found, resolved] = yield* look
        assert.deepStrictEqual([found.answer.leads.length, resolved.answer.leads.length], [1, 1])
        assert.isAtMost(found.rows, 30, "lead.get")
        assert.isAtMost(resolved.rows, 30, "lead.upsert")
        yield* sql`select pg_stat_force_next_flush()`
        assert.deepStrictEqual(yield* analyzeGrownTables, [], "once for each doubling")
      }).pipe(Effect.provide(emptyDatabase)),
    600_000
  )
})
