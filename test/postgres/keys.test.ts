/** Every key begins with the organization, so that the database can be distributed by it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { schemaOf } from "#postgres/inSchema.ts"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"
import { root } from "../support/sources.ts"

/** Tables whose keys begin with something else, each with the reason. The package's README says the same. */
const exceptions: Readonly<Record<string, string>> = {
  organizations: "its id is the organization",
  organization_lookups: "it is asked whose something is that strangers name",
  deployment: "the deployment's own",
  deployment_secrets: "the deployment's own",
  service_processes: "the deployment's own",
  svc_migrations: "the deployment's own"
}

const suite = (base: typeof pgliteLayer) =>
  layer(base)((it) => {
    it.effect("primary and unique keys begin with organization_id but for these tables", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const keys = yield* sql<{ readonly table: string; readonly name: string; readonly column: string | null }>`
          select t.relname::text as table, c.relname::text as name, a.attname::text as column
          from pg_index i
          join pg_class t on t.oid = i.indrelid
          join pg_class c on c.oid = i.indexrelid
          left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attnum > 0
          where i.indisunique and t.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
          order by t.relname, c.relname
        `
        assert.isAbove(keys.length, 40)
        const others = keys.filter(({ column }) => column !== "organization_id")
        assert.deepStrictEqual([...new Set(others.map(({ table }) => table))], Object.keys(exceptions).sort())
      })
    )

    it.effect(
      "every table but the deployment's own has a primary key, and foreign keys stay within the organization",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const keyless = yield* sql`
          select t.relname::text as table from pg_class t
          where t.relkind = 'r' and t.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
            and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)
        `
          assert.deepStrictEqual(keyless, [])
          const foreign = yield* sql<{
            readonly from: string
            readonly own: string
            readonly to: string
            readonly other: string
          }>`
          select f.relname::text as from, a.attname::text as own, t.relname::text as to, b.attname::text as other
          from pg_constraint k
          join pg_class f on f.oid = k.conrelid
          join pg_class t on t.oid = k.confrelid
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
          join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
          where k.contype = 'f' and f.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
        `
          assert.isAbove(foreign.length, 20)
          const wrong = foreign.filter(
            ({ other, own, to }) =>
              own !== "organization_id" || (to === "organizations" ? other !== "id" : other !== "organization_id")
          )
          assert.deepStrictEqual(wrong, [])
        })
    )
  })

describe("keys of the schema", () => {
  if (selectedBackends().has("pglite")) suite(pgliteLayer)
  if (hasPostgres()) suite(postgresLayer)
})

describe("the README of the package", () => {
  it("names each table whose keys begin with something else", () => {
    const readme = readFileSync(join(root, "packages/postgres/README.md"), "utf8")
    for (const table of Object.keys(exceptions)) assert.include(readme, `\`${table}\``)
  })
})
