/**
 * A PGlite folder with the schema applied, as one file made at build time: a new folder starts from it in a fraction of
 * the time that creating a database takes.
 *
 * A snapshot is used only when it was made by the same PGlite and its migrations are the beginning of the code's;
 * otherwise it is passed over, and the slow way gives the same result.
 *
 * Source: contract 4; ecosystem research, section 0.6.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PGlite } from "@electric-sql/pglite"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { checksumOf, type Migration } from "./Migrator.ts"

/** The PGlite that this package is pinned to. Its folders and snapshots belong to it. */
export const pgliteVersion = "0.5.16"

const archiveName = "pglite-snapshot.tar.gz"
const manifestName = "pglite-snapshot.json"

const Manifest = Schema.Struct({
  pglite: Schema.String,
  applied: Schema.Array(Schema.Struct({ id: Schema.Int, checksum: Schema.String }))
})
const ManifestJson = Schema.fromJsonString(Manifest)

const manifestOf = (known: ReadonlyArray<Migration>): typeof Manifest.Type => ({
  pglite: pgliteVersion,
  applied: known.map((migration) => ({ id: migration.id, checksum: checksumOf(migration) }))
})

/** Beside this module (built, or copied beside a bundle), and in the build folder when run from the source. */
const defaultDirectories = (): ReadonlyArray<string> =>
  [".", "../dist"].map((place) => fileURLToPath(new URL(place, import.meta.url)))

const manifestIn = (directory: string): Promise<typeof Manifest.Type | undefined> =>
  readFile(join(directory, manifestName), "utf8").then(
    (text) => Option.getOrUndefined(Schema.decodeUnknownOption(ManifestJson)(text)),
    () => undefined
  )

/** How many of the code's migrations the snapshot holds, or undefined when it does not fit. */
const fit = (manifest: typeof Manifest.Type, known: ReadonlyArray<Migration>): number | undefined => {
  const own = manifestOf(known)
  const fits =
    manifest.pglite === own.pglite &&
    manifest.applied.every(
      ({ id, checksum }, index) => own.applied[index]?.id === id && own.applied[index]?.checksum === checksum
    )
  return fits ? manifest.applied.length : undefined
}

/** The first snapshot that fits, for PGlite's `loadDataDir`. Undefined when there is none. Never fails. */
export const findSnapshot = (
  known: ReadonlyArray<Migration>,
  directories: ReadonlyArray<string> = defaultDirectories()
): Effect.Effect<Blob | undefined> =>
  Effect.promise(async () => {
    for (const directory of directories) {
      const manifest = await manifestIn(directory)
      if (manifest === undefined || fit(manifest, known) === undefined) continue
      const archive = await readFile(join(directory, archiveName)).catch(() => undefined)
      if (archive !== undefined) return new Blob([archive], { type: "application/x-gzip" })
    }
    return undefined
  })

/** Whether the folder has a snapshot of exactly these migrations, so that making one again would change nothing. */
export const isCurrent = (directory: string, known: ReadonlyArray<Migration>): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const manifest = await manifestIn(directory)
    return manifest !== undefined && fit(manifest, known) === known.length
  })

/**
 * Writes the database as a snapshot into the folder. The database must be migrated and at rest. The files appear whole,
 * the manifest last, so that several processes may write at once.
 */
export const writeSnapshot = (
  database: PGlite,
  directory: string,
  known: ReadonlyArray<Migration>
): Effect.Effect<void> =>
  Effect.promise(async () => {
    // Nobody creates another database in a PGlite folder, and without the templates a new one is half as many files.
    await database.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')")
    await database.exec("drop database template0")
    await database.exec("drop database template1")
    await database.exec("select pg_switch_wal()")
    await database.exec("checkpoint")
    const dump = await database.dumpDataDir("gzip")
    await mkdir(directory, { recursive: true })
    // A manifest must never stand beside another archive than its own.
    await rm(join(directory, manifestName), { force: true })
    await replace(join(directory, archiveName), new Uint8Array(await dump.arrayBuffer()))
    await replace(join(directory, manifestName), JSON.stringify(manifestOf(known)))
  })

const replace = async (path: string, content: string | Uint8Array): Promise<void> => {
  const draft = `${path}.${randomUUID()}.new`
  await writeFile(draft, content)
  await rename(draft, path)
}
