/**
 * A migrated PGlite folder as one file, made at build time. Starting from it is much faster than creating a database.
 *
 * A snapshot is used only when it was made by the same PGlite in the same way and its migrations are the beginning of the
 * code's. Without one, creating the database gives the same result.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PGlite } from "@electric-sql/pglite"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Migration } from "./Migration.ts"
import { checksumOf } from "./Migrator.ts"

/** The pinned PGlite version. Folders and snapshots depend on it. */
export const pgliteVersion = "0.5.16"

/** How folders are made: files of the log of 1 MB. With the usual 16 MB, two thirds of a new folder were zeros. */
export const initdbArguments: ReadonlyArray<string> = ["--wal-segsize=1"]

const archiveName = "pglite-snapshot.tar.gz"
const manifestName = "pglite-snapshot.json"

const Manifest = Schema.Struct({
  pglite: Schema.String,
  initdb: Schema.Array(Schema.String),
  applied: Schema.Array(Schema.Struct({ id: Schema.Int, checksum: Schema.String }))
})
const ManifestJson = Schema.fromJsonString(Manifest)

const manifestOf = (known: ReadonlyArray<Migration>): typeof Manifest.Type => ({
  pglite: pgliteVersion,
  initdb: initdbArguments,
  applied: known.map((migration) => ({ id: migration.id, checksum: checksumOf(migration) }))
})

/** Beside this module (built, or copied beside a bundle), and in the build folder when run from the source. */
const defaultDirectories = (): ReadonlyArray<string> =>
  ["", "../dist"].map((place) => join(dirname(fileURLToPath(import.meta.url)), place))

const manifestIn = (directory: string): Promise<typeof Manifest.Type | undefined> =>
  readFile(join(directory, manifestName), "utf8").then(
    (text) => Option.getOrUndefined(Schema.decodeUnknownOption(ManifestJson)(text)),
    () => undefined
  )

/** How many of the code's migrations the snapshot has, or undefined when it does not match. */
const matchingMigrations = (manifest: typeof Manifest.Type, known: ReadonlyArray<Migration>): number | undefined => {
  const own = manifestOf(known)
  const isMatch =
    manifest.pglite === own.pglite &&
    manifest.initdb.join() === own.initdb.join() &&
    manifest.applied.every(
      ({ id, checksum }, index) => own.applied[index]?.id === id && own.applied[index]?.checksum === checksum
    )
  return isMatch ? manifest.applied.length : undefined
}

/** The first matching snapshot, for PGlite's `loadDataDir`, or undefined. Never fails. */
export const findSnapshot = (
  known: ReadonlyArray<Migration>,
  directories: ReadonlyArray<string> = defaultDirectories()
) =>
  Effect.promise(async () => {
    for (const directory of directories) {
      const manifest = await manifestIn(directory)
      if (manifest === undefined || matchingMigrations(manifest, known) === undefined) continue
      const archive = await readFile(join(directory, archiveName)).catch(() => undefined)
      if (archive !== undefined) return new Blob([archive], { type: "application/x-gzip" })
    }
    return undefined
  })

/** Whether the folder has a snapshot of exactly these migrations. */
export const isCurrent = (directory: string, known: ReadonlyArray<Migration>): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const manifest = await manifestIn(directory)
    return manifest !== undefined && matchingMigrations(manifest, known) === known.length
  })

/**
 * Writes a snapshot of the database into the folder. The database must be migrated and idle. Files are replaced
 * atomically, the manifest last, so several processes may write at once.
 */
export const writeSnapshot = (database: PGlite, directory: string, known: ReadonlyArray<Migration>) =>
  Effect.promise(async () => {
    // No other database is created in a PGlite folder, and without templates it has half as many files.
    await database.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')")
    await database.exec("drop database template0")
    await database.exec("drop database template1")
    await database.exec("select pg_switch_wal()")
    await database.exec("checkpoint")
    const dump = await database.dumpDataDir("gzip")
    await mkdir(directory, { recursive: true })
    // A manifest must never describe another archive.
    await rm(join(directory, manifestName), { force: true })
    await replace(join(directory, archiveName), new Uint8Array(await dump.arrayBuffer()))
    await replace(join(directory, manifestName), JSON.stringify(manifestOf(known)))
  })

const replace = async (path: string, content: string | Uint8Array): Promise<void> => {
  const draft = `${path}.${randomUUID()}.new`
  await writeFile(draft, content)
  await rename(draft, path)
}
