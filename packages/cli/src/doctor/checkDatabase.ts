/** The database, for `svc doctor`. */
import { access, constants, lstat, readdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Settings } from "@svc/embed/composition"
import * as Postgres from "@svc/postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { compileQuickly } from "../compileQuickly.ts"
import { throughOwner } from "../runOperator.ts"
import { type Check, failed, ok, warn } from "./Check.ts"

/** Bytes of all files below a folder. Files that disappear meanwhile count 0, so a folder in use can be measured. */
const folderBytes = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const found = await Promise.allSettled(files.map(({ name, parentPath }) => lstat(join(parentPath, name))))
  return found.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value.size : 0), 0)
}

/** Whether a folder can be created: in the folder above it, or with that one. */
const checkNewFolder = Effect.fnUntraced(function* (directory: string) {
  const parent = dirname(directory)
  const writable = [parent, dirname(parent)].map((path) => access(path, constants.W_OK))
  const tried = yield* Effect.promise(() => Promise.allSettled(writable))
  return tried.some(({ status }) => status === "fulfilled")
    ? ok("database", `${directory} (embedded, not in use)`)
    : failed("database", `${directory} is not writable; choose another folder with SVC_DATABASE_URL`)
})

/** Bytes for people: 3 significant digits. */
const bytesText = (bytes: number): string => {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${["B", "kB", "MB", "GB", "TB"][power]}`
}

/** How texts are searched, by the number of columns of the index: what it lacks, and what that costs. */
const searchText = (columns: number): string =>
  columns > 1
    ? "by an index (pg_trgm, btree_gin)"
    : columns === 1
      ? "by an index (pg_trgm). btree_gin was missing when the schema was made: a search costs what all organizations have"
      : "without an index. pg_trgm was missing when the schema was made: a page looks at 20,000 leads at most"

/** Number of tables that people are shown. */
const shownTables = 5

const tablesText = (tables: ReadonlyArray<Postgres.TableSize>): string => {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = tables.slice(0, shownTables).map(({ bytes, oldest, table }) => {
    const since = oldest === null ? "" : ` since ${oldest.slice(0, 10)}`
    return `${table} ${bytesText(bytes)}${since}`
  })
  return `${bytesText(total)} in ${tables.length} tables: ${shown.join(", ")}`
}

/**
 * The checks of a database, its tables, largest first, and the folder of an embedded one. No tables if they cannot be read
 * now, which the checks explain.
 */
interface DatabaseReport {
  readonly checks: ReadonlyArray<Check>
  readonly storage: ReadonlyArray<Postgres.TableSize>
  readonly folder?: { readonly path: string; readonly bytes: number }
  /** Why sending is held; absent if it is not, or that is unknown. */
  readonly held?: string | undefined
}

const only = (check: Check): DatabaseReport => ({ checks: [check], storage: [] })

/** Adds the sizes of tables to the report of a database. */
const withTables = ({ checks, storage, ...rest }: DatabaseReport): DatabaseReport => ({
  ...rest,
  checks: storage.length === 0 ? checks : [...checks, ok("storage", tablesText(storage))],
  storage
})

/** Adds the sizes of a folder and its tables to the report of its database. */
const withFolder = Effect.fnUntraced(function* (path: string, { checks, storage, ...rest }: DatabaseReport) {
  const bytes = yield* Effect.promise(() => folderBytes(path))
  const tables = storage.length === 0 ? "the tables could not be read" : tablesText(storage)
  const detail = `${bytesText(bytes)} in the folder; ${tables}`
  return { ...rest, checks: [...checks, ok("storage", detail)], storage, folder: { path, bytes } }
})

/** The tables of a folder that another process has open, if that process responds. */
const tablesOfOwner = ({ token, url }: Postgres.Owner): Effect.Effect<ReadonlyArray<Postgres.TableSize>> =>
  url === null
    ? Effect.succeed([])
    : throughOwner({ url, token }, "database.sizes", {}).pipe(
        Effect.map(({ tables }) => (Array.isArray(tables) ? tables : [])),
        Effect.timeout("5 seconds"),
        Effect.orElseSucceed(() => [])
      )

/** Opens a database without migrating it, and reads what it holds. */
const checkOpened = (
  databaseUrl: Postgres.PostgresUrl | Postgres.PgliteUrl,
  label: string,
  { deploymentKeys: keys, heartbeatGapSeconds, linkedinGateway = "simulator", onFailover }: Settings
) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Postgres.databaseLayer(databaseUrl, { maxConnections: 1 }))
    const inDatabase = Effect.provideContext(context)
    yield* inDatabase(Postgres.requirePrivileges)
    const { applied, pending } = yield* inDatabase(Postgres.Migrator.status())
    const schema = `schema ${applied.length}/${applied.length + pending.length}`
    if (pending.length > 0) {
      return only(warn("database", `${label}, ${schema}; run svc db plan, then svc db migrate`))
    }
    const storage = yield* inDatabase(Postgres.tableSizes)
    const sql = Context.get(context, SqlClient)
    const [found] = yield* sql<{ columns: number | null }>`
      select (select i.indnatts::int from pg_index i where i.indexrelid = to_regclass('svc.leads_text')) as columns`.pipe(
      Effect.orElseSucceed(() => [])
    )
    const gapSeconds = linkedinGateway === "simulator" ? 0 : heartbeatGapSeconds
    const sending = yield* inDatabase(Postgres.SendingHoldPg.inspect(gapSeconds, onFailover))
    const search = ok("text search", searchText(found?.columns ?? 0))
    const check =
      sending.reason !== null
        ? warn("database", `${label}: sending is held (${sending.reason}); see svc sending status`)
        : sending.isResumed
          ? warn("database", `${label}, ${schema}; sending resumed (failover); see svc sending status`)
          : ok("database", `${label}, ${schema}`)
    const held = sending.reason ?? undefined
    if (databaseUrl._tag === "Pglite") return { checks: [check], storage, held }
    const key = yield* Effect.match(inDatabase(Postgres.requireKeys(keys ?? [])), {
      onFailure: ({ message }) => failed("deployment key", message),
      onSuccess: () =>
        keys === undefined
          ? warn("deployment key", Postgres.DeploymentKeys.withoutKey)
          : ok("deployment key", "SVC_DEPLOYMENT_KEY is set")
    })
    return { checks: [check, key, search], storage, held }
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed(only(failed("database", message))))
  )

const checkFolder = (url: Postgres.PgliteUrl, settings: Settings): Effect.Effect<DatabaseReport> =>
  Effect.gen(function* () {
    const directory = resolve(url.directory)
    const owner = Option.getOrUndefined(yield* Effect.option(Postgres.readOwner(directory)))
    if (owner !== undefined) {
      const storage = yield* tablesOfOwner(owner)
      const label = `${directory} (embedded), in use by process ${owner.pid}`
      const check =
        owner.url === null
          ? warn("database", `${label}, which is not a server: other commands wait for it`)
          : ok("database", `${label} at ${owner.url}; commands use that server`)
      return yield* withFolder(directory, { checks: [check], storage })
    }
    if (!(yield* Postgres.hasDatabase(directory))) return only(yield* checkNewFolder(directory))
    compileQuickly()
    return yield* withFolder(directory, yield* checkOpened(url, `${directory} (embedded, not in use)`, settings))
  }).pipe(Effect.catch(({ message }) => Effect.succeed(only(failed("database", message)))))

/** Checks the database. */
export const checkDatabase = (settings: Settings): Effect.Effect<DatabaseReport> => {
  const { databaseUrl } = settings
  if (databaseUrl._tag === "Memory")
    return Effect.succeed(only(warn("database", "memory: data is lost when the process ends")))
  return databaseUrl._tag === "Pglite"
    ? checkFolder(databaseUrl, settings)
    : Effect.map(checkOpened(databaseUrl, databaseUrl.label, settings), withTables)
}
