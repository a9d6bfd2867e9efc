/**
 * A process that opens the PGlite folder in its first argument, starting from the snapshot in the second one, writes a line on
 * stdout for every row it has stored, and goes on until it is killed, or ends by itself after as many rows as its third
 * argument says.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import { findSnapshot } from "#postgres/PgliteSnapshot.ts"
import { first } from "./firstMigration.ts"

const [directory = "", snapshots = "", rows = "Infinity"] = process.argv.slice(2)
const url = Result.getOrThrow(parseDatabaseUrl(`pglite:${directory}`))

const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`create table if not exists kept (n int primary key, twice int)`
  const [last] = yield* sql<{ n: number }>`select coalesce(max(n), 0)::int as n from kept`
  for (let n = (last?.n ?? 0) + 1; n <= Number(rows); n++) {
    yield* sql.withTransaction(
      Effect.andThen(sql`insert into kept values (${n}, 0)`, sql`update kept set twice = ${2 * n} where n = ${n}`)
    )
    console.log(n)
  }
})

const options = { migrate: true, migrations: [first], snapshot: findSnapshot([first], [snapshots]) }
if (url._tag === "Pglite") await Effect.runPromise(Effect.provide(program, Database.layer(url, options)))
