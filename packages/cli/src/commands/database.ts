/** `svc db …`: the schema of the database. Source: contract 2. */
import { type Failure, fail } from "@svc/core/Failure"
import { readSettings } from "@svc/embed/Settings"
import * as Database from "@svc/postgres/Database"
import type { PgliteUrl, PostgresUrl } from "@svc/postgres/DatabaseUrl"
import * as Migrator from "@svc/postgres/Migrator"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { out, outJson, refuse } from "../Output.ts"
import { ownerOrOpen } from "../ownerOrOpen.ts"
import { json } from "./flags.ts"

const keptDatabase: Effect.Effect<PgliteUrl | PostgresUrl, Failure> = Effect.flatMap(
  Effect.suspend(() => Effect.fromResult(readSettings(process.env))),
  ({ databaseUrl }) =>
    databaseUrl._tag === "Memory"
      ? Effect.fail(fail("WRONG_STATE", "memory: has no schema. Set SVC_DATABASE_URL to a database that is kept."))
      : Effect.succeed(databaseUrl)
)

/** Does something with the open database, without bringing its schema up to date first. */
const withDatabase = (asJson: boolean, use: (label: string) => Effect.Effect<void, Failure, SqlClient>) =>
  Effect.gen(function* () {
    const url = yield* keptDatabase
    const found = yield* ownerOrOpen(url, Layer.build(Database.layer(url, { maxConnections: 2 })))
    if (found._tag === "Owner") return yield* fail("UNAVAILABLE", found.owner.sentence)
    yield* Effect.provideContext(use(url.label), found.value)
  }).pipe(
    Effect.scoped,
    Effect.catchTag("Failure", (failure) => refuse(failure, asJson))
  )

const short = ({ id, name }: { readonly id: number; readonly name: string }) => ({ id, name })

const status = Command.make("status", { json }, ({ json: asJson }) =>
  withDatabase(
    asJson,
    Effect.fnUntraced(function* (database) {
      const { applied, head, pending } = yield* Migrator.status()
      yield* outJson(
        { database, head, current: pending.length === 0, applied: applied.map(short), pending: pending.map(short) },
        asJson
      )
    })
  )
).pipe(Command.withDescription("Show which migrations are applied and which are pending"))

const plan = Command.make("plan", { json }, ({ json: asJson }) =>
  withDatabase(
    asJson,
    Effect.fnUntraced(function* () {
      const sql = yield* Migrator.plan()
      yield* asJson ? outJson({ sql }, true) : out(sql)
    })
  )
).pipe(Command.withDescription("Print the SQL that migrate would run"))

const migrate = Command.make("migrate", { json }, ({ json: asJson }) =>
  withDatabase(
    asJson,
    Effect.fnUntraced(function* (database) {
      const applied = yield* Migrator.migrate()
      yield* outJson({ database, applied: applied.map(short) }, asJson)
    })
  )
).pipe(Command.withDescription("Bring the schema up to date"))

/** `svc db`. */
export const db = Command.make("db").pipe(
  Command.withDescription("Schema of the database"),
  Command.withSubcommands([status, plan, migrate])
)
