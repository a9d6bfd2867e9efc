/**
 * Backups in a folder: the rows of each table as JSON lines, and a manifest, written last. Both kinds of database are backed up
 * and restored by the same rows.
 *
 * A backup is of one snapshot, so it may be made while others write. It is read again and compared with what was sent to it. A
 * restoration checks every file before it writes, and every table after it, in one transaction.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Failure, isoFromMillis, Unavailable, version, WrongState } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Database } from "./Database.ts"
import * as Migrator from "./Migrator.ts"
import * as Rows from "./moveDatabase.ts"
import { withoutDeadline } from "./PoolLimits.ts"
import { orUnavailable } from "./SqlFailure.ts"

const Manifest = Schema.Struct({
  format: Schema.Literal("svc-backup-1"),
  svc_version: Schema.String,
  created_at: Schema.String,
  /** Which migrations the tables have. */
  schema: Schema.String,
  tables: Schema.Array(
    Schema.Struct({
      table: Schema.String.check(Schema.isPattern(/^[a-z_]{1,63}$/)),
      rows: Schema.Int,
      /** What PostgreSQL makes of the rows. */
      digest: Schema.String,
      sha256: Schema.String
    })
  ),
  /** SHA-256 of the deployment key in the backup; null without one. */
  key_sha256: Schema.NullOr(Schema.String)
})

/** What a backup holds. */
export type Manifest = typeof Manifest.Type

const manifestFile = "manifest.json"
const keyFile = "svc.key"

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex")

const using = <A>(doing: string, folder: string, run: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new Unavailable({
        message: `Can't ${doing} ${folder}: ${cause instanceof Error ? cause.message : "unknown error"}.`
      })
  })

const damaged = (folder: string, what: string) =>
  new WrongState({ message: `The backup ${folder} is damaged: ${what}. Nothing was restored. Use another backup.` })

/** Tells schemas apart; undefined without tables. */
const schemaDigest = Effect.map(Migrator.status(), ({ applied, head }) =>
  head === 0 ? undefined : sha256(JSON.stringify(applied))
)

const save = (path: string, content: string): Promise<void> =>
  writeFile(path, content, { mode: 0o600, flag: "wx", flush: true })

const fileOf = (folder: string, table: string): string => join(folder, `${table}.jsonl`)

/** The lines of a file, many at a time. */
async function* linesOf(path: string) {
  let rest = ""
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 2 ** 20 })) {
    const lines = `${rest}${chunk}`.split("\n")
    rest = lines.pop() ?? ""
    if (lines.length > 0) yield lines
  }
}

const checkFile = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest("hex")
}

/** Writes a table. */
const writeTable = Effect.fnUntraced(function* (sql: SqlClient, folder: string, table: Rows.Table) {
  const hash = createHash("sha256")
  const path = fileOf(folder, table.name)
  yield* Effect.acquireUseRelease(
    using("write", path, () => open(path, "wx", 0o600)),
    (file) =>
      Effect.andThen(
        Rows.readRows(sql, table, (rows) => {
          const text = `${rows.join("\n")}\n`
          hash.update(text)
          return using("write", path, () => file.appendFile(text))
        }),
        using("write", path, () => file.sync())
      ),
    (file) => Effect.promise(() => file.close())
  )
  return { table: table.name, ...(yield* Rows.measure(sql, table)), sha256: hash.digest("hex") }
})

/** Fails with WRONG_STATE unless every file has what the manifest says. */
const verify = Effect.fnUntraced(function* (folder: string, { key_sha256, tables }: Manifest) {
  const files = new Map(tables.map(({ sha256, table }) => [fileOf(folder, table), sha256]))
  if (key_sha256 !== null) files.set(join(folder, keyFile), key_sha256)
  for (const [path, expected] of files) {
    const found = yield* Effect.orElseSucceed(
      using("read", path, () => checkFile(path)),
      () => ""
    )
    if (found !== expected) return yield* damaged(folder, `${path} is missing or changed`)
  }
})

/** Reads a backup and checks all of it. Fails with WRONG_STATE if it is none, or damaged. */
export const readBackup = Effect.fnUntraced(function* (folder: string) {
  const text = yield* using("read", folder, () => readFile(join(folder, manifestFile), "utf8")).pipe(
    Effect.mapError(() => new WrongState({ message: `${folder} is not a backup: it has no ${manifestFile}.` }))
  )
  const [line = "", checksum] = text.trimEnd().split("\n")
  const manifest = Schema.decodeUnknownResult(Schema.fromJsonString(Manifest))(line)
  if (sha256(line) !== checksum || Result.isFailure(manifest)) return yield* damaged(folder, `${manifestFile} changed`)
  yield* verify(folder, manifest.success)
  const key = manifest.success.key_sha256 === null ? undefined : join(folder, keyFile)
  return { manifest: manifest.success, key: key && (yield* using("read", key, () => readFile(key, "utf8"))).trim() }
})

/**
 * Writes a backup into a new or empty folder, with the deployment key of an embedded database, and reads it again. Fails with
 * WRONG_STATE if the folder has something else, and leaves nothing in it when it fails.
 */
export const backupDatabase = Effect.fnUntraced(function* (folder: string) {
  const sql = yield* SqlClient
  const { directory } = yield* Database
  const schema = yield* schemaDigest
  if (schema === undefined) return yield* new WrongState({ message: "This database has no tables yet." })
  yield* using("create", folder, () => mkdir(folder, { recursive: true, mode: 0o700 }))
  const names = yield* using("read", folder, () => readdir(folder))
  if (names.length > 0) return yield* new WrongState({ message: `${folder} is not empty. Back up into a new folder.` })
  const key = directory === undefined ? undefined : join(directory, keyFile)
  const keyText = key && (yield* Effect.promise(() => readFile(key, "utf8").catch(() => undefined)))
  const write = Effect.gen(function* () {
    yield* sql`set transaction isolation level repeatable read, read only`
    yield* Rows.liftTimeouts(sql)
    return yield* Effect.forEach(yield* Rows.tablesOf(sql), (table) => writeTable(sql, folder, table))
  })
  return yield* Effect.gen(function* () {
    const manifest: Manifest = {
      format: "svc-backup-1",
      svc_version: version,
      created_at: isoFromMillis(yield* Clock.currentTimeMillis),
      schema,
      tables: yield* orUnavailable(sql.withTransaction(write)),
      key_sha256: keyText === undefined ? null : sha256(keyText)
    }
    const line = JSON.stringify(manifest)
    yield* using("write", folder, async () => {
      if (keyText !== undefined) await save(join(folder, keyFile), keyText)
      await save(join(folder, manifestFile), `${line}\n${sha256(line)}\n`)
    })
    return (yield* readBackup(folder)).manifest
  }).pipe(
    withoutDeadline,
    Effect.onError(() => Effect.promise(() => rm(folder, { recursive: true, force: true })))
  )
})

const restoreTable = Effect.fnUntraced(function* (
  folder: string,
  target: SqlClient,
  table: Rows.Table,
  expected: Rows.Measure
) {
  const batches = linesOf(fileOf(folder, table.name))
  for (;;) {
    const next = yield* using("read", folder, () => batches.next())
    if (next.done === true) break
    yield* Rows.insertRows(target, table, next.value)
  }
  const { digest, rows } = yield* Rows.measure(target, table)
  if (rows !== expected.rows || digest !== expected.digest) return yield* damaged(folder, `${table.name} differs`)
})

/**
 * Restores a backup that {@link readBackup} has checked, and holds sending: the database does not know what left since. `replace`
 * deletes what the database has. Fails with WRONG_STATE when it has an organization otherwise, other processes are connected, or
 * another version made the backup; it is then unchanged.
 */
export const restoreDatabase = Effect.fnUntraced(function* (
  folder: string,
  manifest: Manifest,
  keys: Rows.MoveKeys,
  replace: boolean
) {
  const target = yield* SqlClient
  if (manifest.schema !== (yield* schemaDigest)) {
    return yield* new WrongState({
      message: `Another version of svc (${manifest.svc_version}) made this backup. Restore it with that version, then start this one.`
    })
  }
  const restore = Effect.gen(function* () {
    yield* Rows.liftTimeouts(target)
    yield* Rows.requireNoOtherProcess(target, "the database")
    if (!replace) yield* Rows.requireEmpty(target, "Restore into an empty one, or add --replace to delete what it has.")
    const tables = yield* Rows.tablesOf(target)
    const known = new Map(manifest.tables.map((table) => [table.table, table]))
    yield* Rows.refill(
      target,
      tables,
      Effect.forEach(tables, (table) => {
        const expected = known.get(table.name)
        return expected === undefined
          ? damaged(folder, `${table.name} is missing`)
          : restoreTable(folder, target, table, expected)
      })
    )
    yield* Rows.rewrapSecrets(target, keys)
    yield* target`delete from svc.deployment`
    yield* Rows.holdSending(target, "database_restored")
  })
  yield* orUnavailable(target.withTransaction(restore)).pipe(withoutDeadline)
})
