/** What `svc db …`, `svc backup` and `svc restore` do. Loaded on use: the words of the command line need no database. */
import { resolve } from "node:path"
import { type Failure, WrongState } from "@svc/core"
import { readSettings } from "@svc/embed/composition"
import * as Postgres from "@svc/postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { confirmed } from "./confirmations.ts"
import { invalid, isInteractive, note, out, outJson } from "./Output.ts"
import { openAlone, ownerOrOpen } from "./ownerOrOpen.ts"
import { readStdin } from "./readSecret.ts"
import { throughOwner } from "./runOperator.ts"

/** The database of the settings, which must be one that lasts. */
const persistentDatabase = Effect.gen(function* () {
  const { databaseUrl } = yield* Effect.fromResult(readSettings(process.env))
  if (databaseUrl._tag !== "Memory") return databaseUrl
  return yield* new WrongState({ message: "memory: keeps nothing. Set SVC_DATABASE_URL to a persistent database." })
})

/** Opens a database that no other process uses. Fails with UNAVAILABLE, naming the owner and the hint. */
const opened = (
  url: Postgres.PgliteUrl | Postgres.PostgresUrl,
  options: { readonly migrate?: boolean } = {},
  hint = ""
) => openAlone(url, Layer.build(Postgres.databaseLayer(url, { maxConnections: 2, ...options })), hint)

/** Runs `use` with the open database, without migrating it. */
const withDatabase = Effect.fnUntraced(function* (use: (database: string) => Effect.Effect<void, Failure, SqlClient>) {
  const url = yield* persistentDatabase
  yield* Effect.provideContext(use(url.label), yield* opened(url))
}, Effect.scoped)

const short = ({ id, name }: { readonly id: number; readonly name: string }) => ({ id, name })

/** Prints applied and pending migrations. */
export const showMigrations = (asJson: boolean) =>
  withDatabase((database) =>
    Effect.flatMap(Postgres.Migrator.status(), ({ applied, head, pending }) =>
      outJson(
        { database, head, current: pending.length === 0, applied: applied.map(short), pending: pending.map(short) },
        asJson
      )
    )
  )

const printSql = (sql: string, asJson: boolean) => (asJson ? outJson({ sql }, true) : out(sql))

/** Prints the SQL of pending migrations. */
export const planMigrations = (asJson: boolean) =>
  withDatabase(() =>
    Effect.flatMap(Postgres.Migrator.plan(), (sql) =>
      sql === "" && !asJson ? note("svc: nothing to migrate.") : printSql(sql, asJson)
    )
  )

/** Applies pending migrations. */
export const migrateDatabase = (asJson: boolean) =>
  withDatabase((database) =>
    Effect.flatMap(Postgres.Migrator.migrate(), (applied) => outJson({ database, applied: applied.map(short) }, asJson))
  )

/** Prints the SQL of a role for services. */
export const showRole = (role: string, asJson: boolean) =>
  withDatabase(
    Effect.fnUntraced(function* () {
      const { statementTimeoutSeconds } = yield* Effect.fromResult(readSettings(process.env))
      yield* printSql(yield* Postgres.serviceRoleSql(role, statementTimeoutSeconds), asJson)
    })
  )

/** Distributes the tables over the nodes of a Citus cluster. */
export const distribute = (asJson: boolean) =>
  withDatabase((database) =>
    Effect.flatMap(Effect.flatMap(SqlClient, Postgres.distributeDatabase), (found) =>
      outJson({ database, ...found }, asJson)
    )
  )

const targetOf = Effect.fnUntraced(function* (text: string) {
  // A password in an argument would be visible to every process of the machine.
  const url = text === "-" ? (yield* readStdin).trim() : text
  const parsed = yield* Effect.mapError(Effect.fromResult(Postgres.parseDatabaseUrl(url)), (failure) =>
    failure.withMessage(failure.message.replace("SVC_DATABASE_URL", "--to"))
  )
  if (parsed._tag === "Memory") return yield* invalid("--to: memory: is not persistent. Use a persistent database.")
  return parsed
})

/** Opens and migrates a database to be moved or replaced as a whole, and reads its keys. */
const openedWhole = Effect.fnUntraced(function* (
  url: Postgres.PgliteUrl | Postgres.PostgresUrl,
  fate: "moved" | "replaced"
) {
  const context = yield* opened(url, { migrate: true }, ` Stop it first: a database in use cannot be ${fate}.`)
  const { deploymentKeys } = yield* Effect.fromResult(readSettings(process.env))
  return {
    context,
    keys: yield* Postgres.DeploymentKeys.keysOf(deploymentKeys, Context.get(context, Postgres.Database))
  }
})

const sumOf = (tables: unknown): number =>
  Array.isArray(tables) ? tables.reduce((sum, table) => sum + Number(Object(table).rows), 0) : 0

/** Copies all data of the database to another one: a URL, or `-` for one on standard input. */
export const moveTo = Effect.fnUntraced(function* (to: string, asJson: boolean) {
  const from = yield* persistentDatabase
  const target = yield* targetOf(to)
  if (from.label === target.label) return yield* invalid("--to names the source database. Use a different one.")
  const source = yield* openedWhole(from, "moved")
  const destination = yield* openedWhole(target, "moved")
  const sqlOf = ({ context }: typeof source) => Context.get(context, SqlClient)
  const keys = { source: source.keys, target: destination.keys }
  const tables = yield* Postgres.moveDatabase(sqlOf(source), sqlOf(destination), keys)
  const rows = sumOf(tables)
  yield* outJson({ from: from.label, to: target.label, rows, tables, verified: true }, asJson)
  yield* note("svc: set SVC_DATABASE_URL to the new database; the old one keeps its data, but nothing serves it again.")
}, Effect.scoped)

/** What is inside, and what a restoration needs beside it. */
const keyNote = (key: unknown): string =>
  key === null
    ? "Inside: all data. Not inside: SVC_DEPLOYMENT_KEY, if you set one. Keep it elsewhere: a restore needs it."
    : "Inside: all data and the deployment key (svc.key)."

/** Backs the database up, through the process that has its folder open, if one has. */
export const backup = Effect.fnUntraced(function* (given: string, asJson: boolean) {
  const url = yield* persistentDatabase
  const folder = resolve(given)
  if (url._tag === "Pglite" && !(yield* Postgres.hasDatabase(resolve(url.directory)))) {
    return yield* new WrongState({ message: `There is no database in ${url.directory}. Set SVC_DATABASE_URL.` })
  }
  const found = yield* ownerOrOpen(url, Layer.build(Postgres.databaseLayer(url, { maxConnections: 2 })))
  const manifest =
    found._tag === "Owner"
      ? yield* throughOwner(found.owner, "database.backup", { folder })
      : { ...(yield* Effect.provideContext(Postgres.backupDatabase(folder), found.value)) }
  const rows = sumOf(manifest["tables"])
  if (asJson) return yield* outJson({ folder, database: url.label, rows, verified: true, ...manifest }, true)
  yield* note(`svc: backed up ${rows} rows of ${url.label} to ${folder}, read them again and compared.`)
  yield* note(`svc: ${keyNote(manifest["key_sha256"])} Keep it private. Settings and profiles are not in it.`)
}, Effect.scoped)

/** Restores a backup into the database, which is created if it is missing. `replace` deletes what it has. */
export const restore = Effect.fnUntraced(function* (
  given: string,
  { json: asJson, replace, yes }: { readonly json: boolean; readonly replace: boolean; readonly yes: boolean }
) {
  const url = yield* persistentDatabase
  const folder = resolve(given)
  const { key, manifest } = yield* Postgres.readBackup(folder)
  if (replace && !yes && isInteractive(asJson)) {
    yield* confirmed(`Delete everything in ${url.label}, and restore the backup of ${manifest.created_at}?`)
  }
  const { context, keys: target } = yield* openedWhole(url, "replaced")
  const keys = { source: [...((key && Postgres.parseDeploymentKeys(key)) || []), ...target], target }
  yield* Effect.provideContext(Postgres.restoreDatabase(folder, manifest, keys, replace), context)
  const rows = sumOf(manifest.tables)
  const { created_at } = manifest
  if (asJson)
    return yield* outJson({ folder, database: url.label, rows, created_at, verified: true, sending_held: true }, true)
  yield* note(`svc: restored ${rows} rows of ${created_at} into ${url.label}, and compared them.`)
  yield* note("svc: sending is held. Look through what was approved, then run svc sending release.")
}, Effect.scoped)
