/** Opens PGlite in a folder or in memory. A new one starts from the snapshot. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { type Failure, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { loadPglite } from "./loadPglite.ts"
import type { Migration } from "./Migration.ts"
import { findSnapshot, pgliteVersion } from "./PgliteSnapshot.ts"

/** An open PGlite. */
export type Pglite = PGlite

/** The major version of PostgreSQL inside {@link pgliteVersion}. Folders of other versions cannot be opened. */
const postgresMajor = "18"

type FolderState = "new" | "unfinished" | "existing"

const refused = (directory: string, why: string): Failure =>
  new Unavailable({
    message: `Can't open the folder ${directory}: ${why} Choose another one with SVC_DATABASE_URL=pglite:FOLDER.`
  })

const reading = (directory: string, cause: unknown): Failure =>
  refused(directory, `${cause instanceof Error ? cause.message : "unknown error"}.`)

const listing = (directory: string): Promise<ReadonlyArray<string>> =>
  readdir(directory).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  })

/** Exists beside the folder while it is being created, so that a killed first start begins again. */
const markOf = (directory: string): string => `${directory}.creating`

const unpack = async (archive: Blob, directory: string): Promise<void> => {
  const { extract } = await import("tar")
  const into = extract({ cwd: directory, sync: true })
  into.end(Buffer.from(await archive.arrayBuffer()))
}

const stateOf = Effect.fnUntraced(function* (directory: string): Effect.fn.Return<FolderState, Failure> {
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => reading(directory, cause) })
  const marked = yield* attempt(() =>
    readFile(markOf(directory)).then(
      () => true,
      () => false
    )
  )
  if (marked) return "unfinished"
  const names = yield* attempt(() => listing(directory))
  if (names.length === 0) return "new"
  if (!names.includes("PG_VERSION"))
    return yield* Effect.fail(refused(directory, "it contains something other than a database."))
  const major = (yield* attempt(() => readFile(join(directory, "PG_VERSION"), "utf8"))).trim()
  if (major === postgresMajor) return "existing"
  return yield* Effect.fail(
    refused(
      directory,
      `it was created by PostgreSQL ${major.slice(0, 10)}, but PGlite ${pgliteVersion} needs ${postgresMajor}.`
    )
  )
})

/** Whether a folder holds a finished database; false if it is missing or empty. Fails with UNAVAILABLE if it holds other things. */
export const hasDatabase = (directory: string): Effect.Effect<boolean, Failure> =>
  Effect.map(stateOf(directory), (state) => state === "existing")

const start = (
  directory: string | undefined,
  snapshot: Blob | undefined
): Effect.Effect<PGlite, Failure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(loadPglite, (create) =>
      Effect.tryPromise({
        try: () =>
          create({
            ...(directory === undefined ? {} : { dataDir: `file://${directory}` }),
            ...(snapshot === undefined ? {} : { loadDataDir: snapshot })
          }),
        catch: (cause) => reading(directory ?? "in memory", cause)
      })
    ),
    (database) => Effect.promise(() => (database.closed ? Promise.resolve() : database.close()))
  )

/**
 * Opens the folder, whose lock must be held, and creates it if missing. Fails with UNAVAILABLE when it has another
 * PostgreSQL version, contains something else, or is damaged.
 */
export const open = (
  directory: string,
  known: ReadonlyArray<Migration>,
  snapshot: Effect.Effect<Blob | undefined> = findSnapshot(known)
): Effect.Effect<PGlite, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const state = yield* stateOf(directory)
    if (state === "existing") return yield* start(directory, undefined)
    const attempt = (run: () => Promise<unknown>) =>
      Effect.tryPromise({ try: run, catch: (cause) => reading(directory, cause) })
    if (state === "unfinished") yield* attempt(() => rm(directory, { recursive: true, force: true }))
    yield* attempt(() => writeFile(markOf(directory), ""))
    yield* attempt(() => mkdir(directory, { recursive: true, mode: 0o700 }))
    const archive = yield* snapshot
    // Twice as fast as letting PGlite unpack it.
    if (archive !== undefined) yield* attempt(() => unpack(archive, directory))
    const database = yield* start(directory, undefined)
    yield* attempt(() => rm(markOf(directory)))
    return database
  })

/** Opens a PGlite in memory. */
export const openInMemory = (
  known: ReadonlyArray<Migration>,
  snapshot: Effect.Effect<Blob | undefined> = findSnapshot(known)
): Effect.Effect<PGlite, Failure, Scope.Scope> => Effect.flatMap(snapshot, (blob) => start(undefined, blob))
