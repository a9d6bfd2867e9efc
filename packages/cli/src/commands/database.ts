/** `svc db …`: the schema of the database, and moving it. */
import { text as textOfStream } from "node:stream/consumers"
import { type Failure, InvalidInput, Unavailable, WrongState } from "@svc/core"
import { readSettings } from "@svc/embed/composition"
import {
  Database,
  DeploymentKeys,
  databaseLayer,
  Migrator,
  moveDatabase,
  type PgliteUrl,
  type PostgresUrl,
  parseDatabaseUrl,
  serviceRoleSql
} from "@svc/postgres"
import * as Context from "effect/Context"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { note, orRefuse, out, outJson } from "../Output.ts"
import { ownerOrOpen } from "../ownerOrOpen.ts"
import { json } from "./flags.ts"

const persistentDatabase: Effect.Effect<PgliteUrl | PostgresUrl, Failure> = Effect.flatMap(
  Effect.suspend(() => Effect.fromResult(readSettings(process.env))),
  ({ databaseUrl }) =>
    databaseUrl._tag === "Memory"
      ? Effect.fail(
          new WrongState({ message: "memory: has no schema. Set SVC_DATABASE_URL to a persistent database." })
        )
      : Effect.succeed(databaseUrl)
)

/** Runs `use` with the open database, without migrating it. */
const withDatabase = (asJson: boolean, use: (label: string) => Effect.Effect<void, Failure, SqlClient>) =>
  orRefuse(
    asJson,
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* persistentDatabase
        const found = yield* ownerOrOpen(url, Layer.build(databaseLayer(url, { maxConnections: 2 })))
        if (found._tag === "Owner") return yield* new Unavailable({ message: found.owner.sentence })
        yield* Effect.provideContext(use(url.label), found.value)
      })
    )
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
).pipe(Command.withDescription("Show applied and pending migrations"))

const plan = Command.make("plan", { json }, ({ json: asJson }) =>
  withDatabase(
    asJson,
    Effect.fnUntraced(function* () {
      const sql = yield* Migrator.plan()
      if (asJson) return yield* outJson({ sql }, true)
      yield* sql === "" ? note("svc: nothing to migrate.") : out(sql)
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
).pipe(Command.withDescription("Apply pending migrations"))

const roles = Command.make(
  "roles",
  {
    role: Flag.String("role").pipe(
      Flag.withDescription("Role of svc serve and svc worker; default svc_service"),
      Flag.withDefault("svc_service")
    ),
    json
  },
  ({ json: asJson, role }) =>
    withDatabase(
      asJson,
      Effect.fnUntraced(function* () {
        const sql = yield* serviceRoleSql(role)
        yield* asJson ? outJson({ sql }, true) : out(sql)
      })
    )
).pipe(
  Command.withDescription("Print the SQL of a role that owns nothing, for svc serve and svc worker"),
  Command.withShortDescription("Print the SQL of a role that owns nothing"),
  Command.withExamples([
    { command: "svc db roles | psql ADMIN_URL", description: "Create the role, or grant it what is missing" }
  ])
)

const targetOf = (text: string): Effect.Effect<PgliteUrl | PostgresUrl, Failure> =>
  Effect.gen(function* () {
    // A password in an argument would be visible to every process of the machine.
    const url = text === "-" ? (yield* Effect.promise(() => textOfStream(process.stdin))).trim() : text
    const parsed = yield* Effect.mapError(Effect.fromResult(parseDatabaseUrl(url)), (failure) =>
      failure.withMessage(failure.message.replace("SVC_DATABASE_URL", "--to"))
    )
    if (parsed._tag === "Memory")
      return yield* new InvalidInput({ message: "--to: memory: is not persistent. Use a persistent database." })
    return parsed
  })

const opened = (url: PgliteUrl | PostgresUrl) =>
  Effect.gen(function* () {
    const found = yield* ownerOrOpen(url, Layer.build(databaseLayer(url, { maxConnections: 2, migrate: true })))
    if (found._tag === "Owner") {
      return yield* new Unavailable({
        message: `${found.owner.sentence} Stop it first: a database in use cannot be moved.`
      })
    }
    const { deploymentKeys } = yield* Effect.fromResult(readSettings(process.env))
    return {
      label: url.label,
      sql: Context.get(found.value, SqlClient),
      keys: deploymentKeys ?? (yield* DeploymentKeys.keysInFile(Context.get(found.value, Database)))
    }
  })

const move = Command.make(
  "move",
  {
    to: Flag.String("to").pipe(
      Flag.withDescription("URL of an empty database: postgres://…, pglite:FOLDER, or - to read it from standard input")
    ),
    json
  },
  ({ json: asJson, to }) =>
    orRefuse(
      asJson,
      Effect.scoped(
        Effect.gen(function* () {
          const from = yield* persistentDatabase
          const target = yield* targetOf(to)
          if (from.label === target.label)
            return yield* new InvalidInput({ message: "--to names the source database. Use a different one." })
          const source = yield* opened(from)
          const destination = yield* opened(target)
          const tables = yield* moveDatabase(source.sql, destination.sql, {
            source: source.keys,
            target: destination.keys
          })
          const rows = tables.reduce((sum, table) => sum + table.rows, 0)
          yield* outJson({ from: source.label, to: destination.label, rows, tables, verified: true }, asJson)
          yield* note(
            "svc: set SVC_DATABASE_URL to the new database; the old one keeps its data, but nothing serves it again."
          )
        })
      )
    )
).pipe(
  Command.withDescription("Copy all data to an empty database, embedded or PostgreSQL, and verify the copy"),
  Command.withShortDescription("Copy all data to another database and verify it"),
  Command.withExamples([
    { command: "svc db move --to - < url-file", description: "From ./.svc/data to PostgreSQL, with the URL in a file" },
    { command: "svc db move --to pglite:./copy", description: "To another folder" }
  ])
)

/** `svc db`. */
export const db = Command.make("db").pipe(
  Command.withDescription("Manage the database schema, and move the database"),
  Command.withSubcommands([status, plan, migrate, roles, move])
)
