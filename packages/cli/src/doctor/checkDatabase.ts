/** The database, for `svc doctor`. */
import { access, constants } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Settings } from "@svc/embed/composition"
import { describeOwner, readOwner, type TableSize } from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { type Check, failed, ok, warn } from "./Check.ts"

const checkFolder = (directory: string): Effect.Effect<Check> =>
  Effect.gen(function* () {
    const owner = yield* Effect.option(readOwner(directory))
    if (Option.isSome(owner) && owner.value !== undefined) return ok("database", describeOwner(directory, owner.value))
    const parent = dirname(directory)
    const writable = yield* Effect.promise(() =>
      access(parent, constants.W_OK).then(
        () => true,
        () =>
          access(dirname(parent), constants.W_OK).then(
            () => true,
            () => false
          )
      )
    )
    return writable
      ? ok("database", `${directory} (embedded, not in use)`)
      : {
          name: "database",
          state: "fail",
          detail: `${directory} is not writable; choose another folder with SVC_DATABASE_URL`
        }
  })

/** Bytes for people: 3 significant digits. */
const bytesText = (bytes: number): string => {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${["B", "kB", "MB", "GB", "TB"][power]}`
}

/** Number of tables that people are shown. */
const shownTables = 5

const storageCheck = (tables: ReadonlyArray<TableSize>): Check => {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = tables.slice(0, shownTables).map(({ bytes, oldest, table }) => {
    const since = oldest === null ? "" : ` since ${oldest.slice(0, 10)}`
    return `${table} ${bytesText(bytes)}${since}`
  })
  return ok("storage", `${bytesText(total)} in ${tables.length} tables: ${shown.join(", ")}`)
}

/** The checks of a database, and its tables, largest first; none of an embedded one, which a process may be using. */
interface DatabaseReport {
  readonly checks: ReadonlyArray<Check>
  readonly storage: ReadonlyArray<TableSize>
}

const only = (check: Check): DatabaseReport => ({ checks: [check], storage: [] })

/** Checks the database. */
export const checkDatabase = ({ databaseUrl }: Settings): Effect.Effect<DatabaseReport> => {
  if (databaseUrl._tag === "Memory")
    return Effect.succeed(only(warn("database", "memory: data is lost when the process ends")))
  if (databaseUrl._tag === "Pglite") return Effect.map(checkFolder(resolve(databaseUrl.directory)), only)
  return Effect.gen(function* () {
    const { databaseLayer, Migrator, requirePrivileges, tableSizes } = yield* Effect.promise(
      () => import("@svc/postgres")
    )
    const context = yield* Layer.build(databaseLayer(databaseUrl, { maxConnections: 1 }))
    yield* Effect.provideContext(requirePrivileges, context)
    const { applied, pending } = yield* Effect.provideContext(Migrator.status(), context)
    const schema = `schema ${applied.length}/${applied.length + pending.length}`
    if (pending.length > 0) {
      return only(warn("database", `${databaseUrl.label}, ${schema}; run svc db plan, then svc db migrate`))
    }
    const storage = yield* Effect.provideContext(tableSizes, context)
    const [held] = yield* Effect.provideContext(
      Effect.flatMap(SqlClient, (sql) => sql<{ reason: string | null }>`select svc_sending_hold() as reason`),
      context
    ).pipe(Effect.orElseSucceed(() => []))
    const check =
      held?.reason == null
        ? ok("database", `${databaseUrl.label}, ${schema}`)
        : warn("database", `${databaseUrl.label}: sending is held (${held.reason}); see svc sending status`)
    return { checks: [check, storageCheck(storage)], storage }
  }).pipe(
    Effect.scoped,
    Effect.catch((failure) => Effect.succeed(only(failed("database", failure))))
  )
}
