/** A migration that has landed never changes, and the schema's files hold what their names say. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { checksumOf } from "#postgres/Migrator.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { schema } from "#postgres/schema/index.ts"
import { root, sourcesIn } from "../support/sources.ts"

const Lock = Schema.fromJsonString(
  Schema.Struct({
    about: Schema.String,
    released: Schema.Int,
    migrations: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String }))
  })
)

const lock = Schema.decodeUnknownSync(Lock)(readFileSync(join(root, "packages/postgres/migrations.lock.json"), "utf8"))

describe("migrations", () => {
  it("are the ones that have landed, unchanged", () => {
    assert.deepStrictEqual(
      migrations.map((migration) => ({
        id: migration.id,
        name: migration.name,
        checksum: checksumOf(migration)
      })),
      lock.migrations,
      'A migration was changed or added. packages/postgres/README.md, "Add a migration", says what to do.'
    )
    assert.isAtMost(lock.released, migrations.length)
  })

  it("are numbered from one without a gap, each with a name", () => {
    assert.deepStrictEqual(
      migrations.map(({ id }) => id),
      migrations.map((_, index) => index + 1)
    )
    for (const { name } of migrations) assert.match(name, /^[a-z][a-z0-9-]+$/)
  })
})

/** What a text of SQL makes, as `table leads`, `index of leads`, `function svc_find_leads`. */
const madeBy = (sql: string): ReadonlyArray<string> => [
  ...[...sql.matchAll(/^create table (\w+)/gm)].map(([, name]) => `table ${name}`),
  ...[...sql.matchAll(/^create (?:unique )?index \w+\s+on (\w+)/gm)].map(([, name]) => `index of ${name}`),
  ...[...sql.matchAll(/^create function (\w+)/gm)].map(([, name]) => `function ${name}`)
]

describe("the schema", () => {
  const files = sourcesIn("packages/postgres/src/schema", ".table.ts", ".indexes.ts", ".function.ts")

  it("has each table, its indexes and each function in a file of that name", () => {
    for (const { path, text } of files) {
      const [name = "", kind = ""] = path.split("/").at(-1)?.split(".") ?? []
      const expected = { table: `table ${name}`, indexes: `index of ${name}`, function: `function svc_${name}` }[kind]
      assert.deepStrictEqual([...new Set(madeBy(text))], [expected], path)
    }
  })

  it("has no file that it leaves out", () => {
    const made = files.flatMap(({ text }) => madeBy(text))
    assert.deepStrictEqual([...madeBy(schema)].sort(), made.sort())
    assert.isAbove(made.length, 100)
  })
})
