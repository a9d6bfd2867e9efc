/** `svc db …`: the schema of the database, and moving it. Source: contract 2. */
import { text as textOfStream } from "node:stream/consumers"
import { type Failure, fail } from "@svc/core/Failure"
import { readSettings } from "@svc/embed/Settings"
import * as Database from "@svc/postgres/Database"
import { type PgliteUrl, type PostgresUrl, parseDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import * as Migrator from "@svc/postgres/Migrator"
import { moveDatabase } from "@svc/postgres/moveDatabase"
import * as Context from "effect/Context"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { note, out, outJson, refuse } from "../Output.ts"
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

const targetOf = (text: string): Effect.Effect<PgliteUrl | PostgresUrl, Failure> =>
  Effect.gen(function* () {
    // A password on the command line is seen by every process of the machine.
    const url = text === "-" ? (yield* Effect.promise(() => textOfStream(process.stdin))).trim() : text
    const parsed = yield* Effect.mapError(Effect.fromResult(parseDatabaseUrl(url)), ({ code, message }) =>
      fail(code, message.replace("SVC_DATABASE_URL", "--to"))
    )
    if (parsed._tag === "Memory")
      return yield* fail("INVALID_INPUT", "--to: memory: keeps nothing. Name a database that is kept.")
    return parsed
  })

const opened = (url: PgliteUrl | PostgresUrl) =>
  Effect.gen(function* () {
    const found = yield* ownerOrOpen(url, Layer.build(Database.layer(url, { maxConnections: 2, migrate: true })))
    if (found._tag === "Owner") {
      return yield* fail("UNAVAILABLE", `${found.owner.sentence} A database that is in use cannot be moved.`)
    }
    return { label: url.label, sql: Context.get(found.value, SqlClient) }
  })

const move = Command.make(
  "move",
  {
    to: Flag.String("to").pipe(
      Flag.withDescription(
        "Address of an empty database: postgres://…, pglite:FOLDER, or - to read it from standard input"
      )
    ),
    json
  },
  ({ json: asJson, to }) =>
    Effect.gen(function* () {
      const from = yield* keptDatabase
      const target = yield* targetOf(to)
      if (from.label === target.label)
        return yield* fail("INVALID_INPUT", "--to names the database that would be moved.")
      const source = yield* opened(from)
      const destination = yield* opened(target)
      const tables = yield* moveDatabase(source.sql, destination.sql)
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      yield* outJson({ from: source.label, to: destination.label, rows, tables, verified: true }, asJson)
      yield* note(`svc: set SVC_DATABASE_URL to the new database; the old one is left as it is.`)
    }).pipe(
      Effect.scoped,
      Effect.catchTag("Failure", (failure) => refuse(failure, asJson))
    )
).pipe(
  Command.withDescription(
    "Copy everything to an empty database, embedded or PostgreSQL, and verify that all of it arrived"
  ),
  Command.withExamples([
    { command: "svc db move --to - < url-file", description: "From ./.svc/data to the PostgreSQL of a file" },
    { command: "svc db move --to pglite:./copy", description: "To another folder" }
  ])
)

/** `svc db`. */
export const db = Command.make("db").pipe(
  Command.withDescription("Schema of the database, and moving it"),
  Command.withSubcommands([status, plan, migrate, move])
)
