/** The schema works wherever it was made, also for callers whose search_path names another schema. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import * as Database from "#postgres/Database.ts"
import { migrate, status } from "#postgres/Migrator.ts"
import * as Repositories from "#postgres/repositories.ts"
import { freshPostgres, hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import { inDatabase } from "../support/PostgresServer.ts"

/** Runs statements with another search path, until the end of their transaction. */
const withPath = <A, E, R>(path: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(sql`select set_config('search_path', ${path}, true)`, effect))
  )

const suite = (base: typeof pgliteLayer) =>
  layer(base, { timeout: "60 seconds" })((it) => {
    it.effect("of functions each name is bound when it is made", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const functions = yield* sql<{ readonly name: string; readonly bound: boolean }>`
          select p.proname::text as name, case l.lanname
            when 'sql' then p.prosqlbody is not null
            else coalesce(p.proconfig @> array['search_path=' || quote_ident(current_schema())], false) end as bound
          from pg_proc p join pg_language l on l.oid = p.prolang
          where p.pronamespace = current_schema()::regnamespace
        `
        assert.isAbove(functions.length, 15)
        assert.deepStrictEqual(
          functions.filter(({ bound }) => !bound),
          []
        )
      })
    )

    it.effect("in another schema is migrated, written and read by callers that look elsewhere", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`create schema "Else where"`
        yield* sql`create schema empty`
        const applied = yield* withPath('"Else where", public', migrate())
        assert.strictEqual(applied.length, (yield* status()).applied.length, "public has its own, which says nothing")
        yield* withPath(
          "empty",
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* sql`select to_regclass('leads') as found`, [{ found: null }])
            yield* sql`insert into "Else where".organizations (id, name, created_at) values ('org_e', 'E', now())`
            yield* sql`
              insert into "Else where".leads (organization_id, id, name, headline, job_title, company, email,
                linkedin_url, avatar_url, status, score, is_flagged, search_text, profile, created_at, updated_at)
              values ('org_e', 'ld_1', 'Ada', '', '', 'Acme', 'ada@example.com', '', '', 'New', 1, false,
                'ada', '{"provenance": {}, "phone": "0123456789"}', now(), now())
            `
            yield* sql`
              insert into "Else where".lead_identities (organization_id, kind, value, lead_id, derived)
              values ('org_e', 'email', 'ada@example.com', 'ld_1', false)
            `
            yield* sql`
              insert into "Else where".events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id,
                data, created_at)
              values ('org_e', 'evt_1', 'lead.created', 'lead', 'ld_1', 'USER', 'usr_1', '{}', now())
            `
            const read = yield* sql`
              select head, id from "Else where".svc_read_events('org_e', 0, null, 10)
            `
            assert.deepStrictEqual(read, [{ head: 1n, id: "evt_1" }])
            const leads = (found: string) =>
              Effect.map(
                sql.unsafe<{ readonly ids: ReadonlyArray<string> }>(
                  `select jsonb_path_query_array(${found}, '$.leads[*].row.id') as ids`
                ),
                ([row]) => row?.ids
              )
            const identifier = "array['email'], array['ada@example.com']"
            assert.deepStrictEqual(yield* leads(`"Else where".svc_find_leads('org_e', ${identifier}, null)`), ["ld_1"])
            assert.deepStrictEqual(
              yield* leads(`"Else where".svc_resolve_leads('org_e', ${identifier}, array['hash'], null, 'none')`),
              ["ld_1"]
            )
            assert.deepStrictEqual(
              yield* sql`select "Else where".svc_action_rank(l, now(), now()) as rank from "Else where".leads l`,
              [{ rank: 7 }]
            )
            const [erased] = yield* sql<{ readonly erased: unknown }>`
              select "Else where".svc_erase_lead('org_e', 'ld_1', array['lead_id']) as erased
            `
            assert.deepStrictEqual(erased?.erased, {
              leadIds: ["ld_1"],
              identifiers: [{ kind: "email", value: "ada@example.com" }]
            })
          })
        )
        assert.deepStrictEqual(yield* sql`select 1 from public.organizations where id = 'org_e'`, [])
      })
    )

    it.effect("says so when there is no schema to work in", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(withPath("nowhere", migrate()))
        assert.strictEqual(failure._tag, "WrongState")
        assert.include(failure.message, "No schema in search_path exists")
      })
    )
  })

describe("the schema", () => {
  if (selectedBackends().has("pglite")) suite(pgliteLayer)
  if (hasPostgres()) suite(postgresLayer)
})

describe.skipIf(!hasPostgres())("a service whose connections look in a schema of its own", () => {
  it.live("finds everything there", () =>
    Effect.gen(function* () {
      const { name, server, url } = yield* freshPostgres("empty")
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`create schema "Own"`
        yield* sql.unsafe(`alter database ${name} set search_path = "Own"`)
      }).pipe(Effect.provide(Database.layer(inDatabase(server, name))))
      const services = Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { migrate: true })))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* organization("org_own")
        assert.deepStrictEqual(yield* sql`select id from "Own".organizations`, [{ id: "org_own" }])
        const reference = { identities: [{ kind: "email", value: "a@b.example", derived: false }] } as const
        assert.deepStrictEqual((yield* (yield* LeadsRepo).find("org_own", reference)).leads, [])
        assert.deepStrictEqual(
          yield* sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')`,
          []
        )
      }).pipe(Effect.provide(services))
    }).pipe(Effect.scoped)
  )
})
