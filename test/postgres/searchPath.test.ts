/** Where the tables are: in any schema, whatever the search path of whoever calls. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { createSvc } from "#embed/createSvc.ts"
import * as Database from "#postgres/Database.ts"
import type { PostgresUrl } from "#postgres/DatabaseUrl.ts"
import { inSchema, schemaOf } from "#postgres/inSchema.ts"
import { migrate, status } from "#postgres/Migrator.ts"
import * as Repositories from "#postgres/repositories.ts"
import {
  clearUrl,
  freshPostgres,
  hasPostgres,
  pgliteLayer,
  postgresLayer,
  selectedBackends
} from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import { inDatabase, postgresUrl } from "../support/PostgresServer.ts"

/** Runs statements with another search path, until the end of their transaction. */
const withPath = <A, E, R>(path: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(sql`select set_config('search_path', ${path}, true)`, effect))
  )

/** Migrates a schema of the same database. */
const migrateIn = (schema: string) =>
  Effect.flatMap(PgClient, (sql) => Effect.provideService(migrate(), SqlClient, inSchema(sql, schema)))

const suite = (base: typeof pgliteLayer) =>
  layer(base)((it) => {
    it.effect("of functions each name is bound when it is made", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const functions = yield* sql<{ readonly name: string; readonly bound: boolean }>`
          select p.proname::text as name, case l.lanname
            when 'sql' then p.prosqlbody is not null
            else coalesce(p.proconfig @> array['search_path=' || quote_ident(${schemaOf(sql)})], false) end as bound
          from pg_proc p join pg_language l on l.oid = p.prolang
          where p.pronamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
            and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
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
        yield* sql`create schema empty`
        const applied = yield* withPath("public", migrateIn("Else where"))
        assert.strictEqual(
          applied.length,
          (yield* status()).applied.length,
          "another schema has its own, which says nothing"
        )
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
            const event = {
              id: "evt_1",
              type: "lead.created",
              subject_type: "lead",
              subject_id: "ld_1",
              actor_kind: "USER"
            }
            const events = [
              { ...event, actor_id: "usr_1", data: {}, is_undo: false, created_at: "2026-01-01T00:00:00Z" }
            ]
            yield* sql`select "Else where".svc_append('org_e', ${JSON.stringify({ events, audit: [], keys: [] })}::jsonb)`
            const read = yield* sql`select sequence, id from "Else where".events`
            assert.deepStrictEqual(read, [{ sequence: 1n, id: "evt_1" }])
            const leads = (found: string) =>
              Effect.map(
                sql.unsafe<{ readonly ids: ReadonlyArray<string> }>(
                  `select jsonb_path_query_array((${found})::jsonb, '$.leads[*].row.id') as ids`
                ),
                ([row]) => row?.ids
              )
            const identifier = "array['email'], array['ada@example.com']"
            assert.deepStrictEqual(yield* leads(`"Else where".svc_find_leads('org_e', ${identifier}, '{}')`), ["ld_1"])
            assert.deepStrictEqual(
              yield* leads(`"Else where".svc_resolve_leads('org_e', ${identifier}, '{}', array['none'], 'wait')`),
              ["ld_1"]
            )
            yield* sql`select "Else where".svc_keep_leads('org_e', array['ld_1'])`
            assert.deepStrictEqual(yield* sql`select rank from "Else where".lead_actions`, [])
            const [erased] = yield* sql<{ readonly erased: unknown }>`
              select "Else where".svc_erase_lead('org_e', 'ld_1', array['lead_id'], 'import.csv') as erased
            `
            assert.deepStrictEqual(erased?.erased, {
              leadIds: ["ld_1"],
              identifiers: [{ kind: "email", value: "ada@example.com" }],
              requests: [],
              files: [],
              responses: [],
              rows: []
            })
          })
        )
        assert.deepStrictEqual(yield* sql`select 1 from svc.organizations where id = 'org_e'`, [])
      })
    )
  })

describe("the schema", () => {
  if (selectedBackends().has("pglite")) suite(pgliteLayer)
  if (hasPostgres()) suite(postgresLayer)
})

describe.skipIf(!hasPostgres())("commands on a database of which no search path finds a table", () => {
  for (const [where, schema] of [
    ["in the default schema", undefined],
    ["with ?schema=other", "other"]
  ] as const) {
    it.live(`count the queues of sending and of review ${where}`, () =>
      Effect.gen(function* () {
        const { name, server } = yield* freshPostgres("empty")
        const { url } = inDatabase(server, name, schema)
        const svc = yield* Effect.acquireRelease(
          Effect.promise(() =>
            createSvc({ databaseUrl: Redacted.value(url), env: false, gateway: "simulator", worker: false })
          ),
          ({ close }) => Effect.promise(close)
        )
        for (const command of ["linkedin.usage.get", "linkedin.queue.forecast", "review.counts"] as const) {
          const envelope = yield* Effect.promise(() => svc.commands.run(command, {}))
          assert.isTrue(envelope.ok, JSON.stringify(envelope))
        }
        const inPath = Effect.flatMap(
          SqlClient,
          (sql) =>
            sql`select relname from pg_class where relkind = 'r' and relnamespace = any (current_schemas(false)::regnamespace[])`
        )
        assert.deepStrictEqual(yield* Effect.provide(inPath, Database.layer(inDatabase(server, name))), [])
      }).pipe(Effect.scoped)
    )
  }
})

/** The schemas of the database that have tables of the service. */
const schemasWithTables = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly name: string }>`
      select relnamespace::regnamespace::text as name from pg_class where relname = 'svc_migrations' order by 1`,
    (rows) => rows.map(({ name }) => name)
  )
)

const on = <A, E, R>(url: PostgresUrl, options: Parameters<typeof Database.layer>[1], effect: Effect.Effect<A, E, R>) =>
  Effect.provide(
    effect,
    Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { migrate: true, ...options })))
  )

describe.skipIf(!hasPostgres())("an empty database gets its tables", () => {
  const cases = [
    { where: "in the first schema of the search path", options: {}, path: '"Own"', found: ['"Own"'] },
    { where: "in the schema for new ones", options: { newSchema: "svc" }, path: '"Own"', found: ["svc"] },
    {
      where: "in the named schema, whatever its name",
      options: { schema: "my-schema" },
      path: '"Own"',
      found: ['"my-schema"']
    },
    {
      where: "in the named schema without any on the search path",
      options: { schema: "svc" },
      path: "nowhere",
      found: ["svc"]
    }
  ] as const
  for (const { found, options, path, where } of cases) {
    it.live(where, () =>
      Effect.gen(function* () {
        const { name, server, url } = yield* freshPostgres("empty")
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`create schema "Own"`
          // What a host has of the same names is its own.
          yield* sql`create table "Own".leads (mine text)`
          yield* sql.unsafe(`alter database ${name} set search_path = ${path}`)
          if (path === '"Own"' && found[0] === path) yield* sql`drop table "Own".leads`
        }).pipe(Effect.provide(Database.layer(inDatabase(server, name))))
        yield* on(url, options, organization("org_own"))
        const read = Effect.gen(function* () {
          const reference = { identities: [{ kind: "email", value: "a@b.example", derived: false }] } as const
          assert.deepStrictEqual((yield* (yield* LeadsRepo).find("org_own", reference)).leads, [])
          assert.strictEqual((yield* (yield* Workspaces).findOrganization("org_own"))?.id, "org_own")
          assert.deepStrictEqual(yield* schemasWithTables, [...found])
        })
        yield* on(url, options, read)
        // Whoever names none finds the one that has tables: a server and a host share a database.
        if (!("schema" in options) || options.schema === "svc") {
          yield* on(url, {}, read)
          yield* on(url, { newSchema: "svc" }, read)
        }
      }).pipe(Effect.scoped)
    )
  }

  it.live("in the schema that the URL names", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres("empty")
      const named = new URL(clearUrl(url))
      named.searchParams.set("schema", "of_the_url")
      yield* on(postgresUrl(named.href), {}, organization("org_own"))
      assert.deepStrictEqual(yield* Effect.provide(schemasWithTables, Database.layer(url)), ["of_the_url"])
    }).pipe(Effect.scoped)
  )

  it.live("nowhere if no schema exists and none is named, which is said", () =>
    Effect.gen(function* () {
      const { name, server, url } = yield* freshPostgres("empty")
      yield* Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql.unsafe(`alter database ${name} set search_path = nowhere`)),
        Database.layer(inDatabase(server, name))
      )
      const failure = yield* Effect.flip(on(url, {}, Effect.void))
      assert.strictEqual(failure._tag, "WrongState")
      assert.include(failure.message, "No schema in search_path exists")
    }).pipe(Effect.scoped)
  )

  it.live("not from a role that may not make the schema, which is said with what to run", () =>
    Effect.gen(function* () {
      const { name, server, url } = yield* freshPostgres("empty")
      const role = `${name}_guest`
      const admin = Database.layer(inDatabase(server, name))
      yield* Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql.unsafe(`create role ${role} login password 'guest'`)),
        admin
      )
      const drop = Effect.provide(
        Effect.flatMap(SqlClient, (sql) =>
          Effect.andThen(sql.unsafe(`drop owned by ${role}`), sql.unsafe(`drop role ${role}`))
        ),
        admin
      )
      const guest = new URL(clearUrl(url))
      guest.username = role
      guest.password = "guest"
      const failure = yield* Effect.flip(on(postgresUrl(guest.href), { schema: "fresh" }, Effect.void)).pipe(
        Effect.ensuring(Effect.ignore(drop))
      )
      assert.strictEqual(failure._tag, "WrongState")
      assert.include(failure.message, 'Run create schema "fresh" authorization')
    }).pipe(Effect.scoped)
  )
})
