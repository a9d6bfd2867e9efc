/**
 * Opens PGlite, in a folder or in memory, from the snapshot where it is new.
 *
 * Source: contract 4; data research, section 1.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Migration } from "./Migrator.ts"
import { findSnapshot, pgliteVersion } from "./PgliteSnapshot.ts"

/** An open PGlite. */
export type Pglite = PGlite

/** The major version of PostgreSQL inside {@link pgliteVersion}; a folder of another one cannot be opened. */
const postgresMajor = "18"

type FolderState = "new" | "unfinished" | "existing"

const refused = (directory: string, why: string): Failure =>
  fail(
    "UNAVAILABLE",
    `The folder ${directory} cannot be opened: ${why} Choose another one with SVC_DATABASE_URL=pglite:FOLDER.`
  )

const reading = (directory: string, cause: unknown): Failure =>
  refused(directory, `${cause instanceof Error ? cause.message : "unknown error"}.`)

const listing = (directory: string): Promise<ReadonlyArray<string>> =>
  readdir(directory).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  })

/** Stands beside the folder from before it is filled until it is whole, so that a killed first start is started over. */
const markOf = (directory: string): string => `${directory}.creating`

const unpack = async (archive: Blob, directory: string): Promise<void> => {
  const { extract } = await import("tar")
  const into = extract({ cwd: directory, sync: true })
  into.end(Buffer.from(await archive.arrayBuffer()))
}

const stateOf = (directory: string): Effect.Effect<FolderState, Failure> =>
  Effect.gen(function* () {
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
      return yield* Effect.fail(refused(directory, "it holds something else than a database."))
    const major = (yield* attempt(() => readFile(join(directory, "PG_VERSION"), "utf8"))).trim()
    if (major === postgresMajor) return "existing"
    return yield* Effect.fail(
      refused(
        directory,
        `it was made by PostgreSQL ${major.slice(0, 10)}, and PGlite ${pgliteVersion} reads ${postgresMajor}.`
      )
    )
  })

const start = (
  directory: string | undefined,
  snapshot: Blob | undefined
): Effect.Effect<PGlite, Failure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        // Loaded here, since a process on PostgreSQL never needs its megabytes.
        const { PGlite } = await import("@electric-sql/pglite")
        const database = await PGlite.create({
          ...(directory === undefined ? {} : { dataDir: `file://${directory}` }),
          ...(snapshot === undefined ? {} : { loadDataDir: snapshot })
        })
        await database.exec("set application_name = 'svc'; set timezone = 'UTC'; set random_page_cost = 1.1")
        return database
      },
      catch: (cause) => reading(directory ?? "in memory", cause)
    }),
    (database) => Effect.promise(() => (database.closed ? Promise.resolve() : database.close()))
  )

/**
 * Opens the folder, whose lock must be held, creating it if need be. Fails with UNAVAILABLE when it is of another
 * PostgreSQL version, holds something else, or is damaged.
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
    // Unpacking in one go takes half the time that PGlite needs for it.
    if (archive !== undefined) yield* attempt(() => unpack(archive, directory))
    const database = yield* start(directory, undefined)
    yield* attempt(() => rm(markOf(directory)))
    return database
  })

/** Opens a PGlite that is kept nowhere. */
export const openInMemory = (
  known: ReadonlyArray<Migration>,
  snapshot: Effect.Effect<Blob | undefined> = findSnapshot(known)
): Effect.Effect<PGlite, Failure, Scope.Scope> => Effect.flatMap(snapshot, (blob) => start(undefined, blob))
