/** The present schema and its history are two copies of one thing: whoever changes one is told what the other lacks. */
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import type { Migration } from "#postgres/Migration.ts"
import { migrate } from "#postgres/Migrator.ts"
import { migrations, schema } from "#postgres/migrations/index.ts"
import { freshPostgres, hasPostgres } from "../support/backends.ts"

/** Every table's columns, and what the database says of each constraint, index and function. */
const described = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly what: string; readonly definition: string }>`
    with tables as (
      select oid, relname from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'svc_migrations'
    )
    select 'column ' || t.relname || '.' || a.attname as what, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      a.attcollation, a.attnotnull,
      a.attgenerated, a.attidentity, a.attstattarget, pg_get_expr(d.adbin, d.adrelid)) as definition
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all select 'options ' || t.relname, coalesce(array_to_string(c.reloptions, ', '), '')
    from tables t join pg_class c on c.oid = t.oid
    union all select 'constraint ' || t.relname || '.' || c.conname, pg_get_constraintdef(c.oid)
    from tables t join pg_constraint c on c.conrelid = t.oid
    union all select 'index ' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid)
    from tables t join pg_index i on i.indrelid = t.oid
    union all select 'function ' || p.proname, pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.proname like 'svc\_%'
    order by 1, 2`
)

const emptyDatabase = Layer.unwrap(Effect.map(freshPostgres("empty"), ({ url }) => Database.layer(url)))

const madeBy = (history: ReadonlyArray<Migration>) =>
  Effect.andThen(migrate(history), described).pipe(Effect.provide(Layer.fresh(emptyDatabase)))

/** What two descriptions do not share. */
const differences = Effect.fn(function* (history: ReadonlyArray<Migration>) {
  const [present, grown] = yield* Effect.all([madeBy([{ id: 1, name: "schema", sql: schema }]), madeBy(history)])
  const texts = (rows: typeof present) => new Map(rows.map(({ definition, what }) => [`${what} ${definition}`, what]))
  const [a, b] = [texts(present), texts(grown)]
  const only = (one: typeof a, other: typeof a) => [...one].flatMap(([text, what]) => (other.has(text) ? [] : [what]))
  return { seen: present.length, different: [...new Set([...only(a, b), ...only(b, a)])].sort() }
})

describe("the present schema", () => {
  if (!hasPostgres()) return
  layer(Layer.empty)((it) => {
    it.effect("is what the migrations make of an empty database", () =>
      Effect.gen(function* () {
        const { different, seen } = yield* differences(migrations)
        assert.deepStrictEqual(different, [])
        assert.isAbove(seen, 500, "the catalogue is not read any more")
      })
    )

    it.effect("differs where a migration changes what the files do not", () =>
      Effect.gen(function* () {
        const change: Migration = {
          id: migrations.length + 1,
          name: "forgotten",
          sql: `alter table leads add column region text;
            create index leads_region on leads (organization_id, region);
            create or replace function svc_sending_hold() returns text language sql as 'select null::text';`
        }
        const { different } = yield* differences([...migrations, change])
        assert.deepStrictEqual(different, ["column leads.region", "function svc_sending_hold", "index leads_region"])
      })
    )
  })
})
