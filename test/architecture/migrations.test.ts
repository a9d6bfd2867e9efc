/** A migration that has landed never changes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { checksumOf } from "#postgres/Migrator.ts"
import { migrations, schema } from "#postgres/migrations/index.ts"
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

  it("are made of the files as they are now", () => {
    const files = sourcesIn("packages/postgres/src/sql", ".sql").filter(({ path }) => !path.includes("/migrations/"))
    assert.isAbove(files.length, 10)
    for (const { path, text } of files) assert.include(schema, text, `${path}: run node packages/postgres/sqlModule.js`)
  })
})
