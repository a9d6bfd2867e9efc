/** Opens PGlite in a folder or in memory. A new one starts from the snapshot. */

import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import { type Failure, optionalPackage, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Migration } from "./Migration.ts"
import { findSnapshot, initdbArguments, pgliteVersion } from "./PgliteSnapshot.ts"
import { sessionSettings } from "./sessionSettings.ts"

const name = "@electric-sql/pglite"

const installed = optionalPackage(`${name}@${pgliteVersion}`, "The embedded database", async () => {
  try {
    return await import("@electric-sql/pglite")
  } catch (cause) {
    return Promise.reject(cause)
  }
})

/** The files that PGlite reads: an archive, and two programs. */
const files = ["pglite.data", "pglite.wasm", "initdb.wasm"] as const

/** The folders that may have them for a bundle: its own, and the package in each `node_modules` above. */
const foldersFor = (folder: string): ReadonlyArray<string> => {
  const above = dirname(folder)
  return [join(folder, "node_modules", name, "dist"), ...(above === folder ? [] : foldersFor(above))]
}

/**
 * Where the files of PGlite lie, whose code a bundler may have taken out of its package; undefined where only the package
 * manager knows. Fails with UNAVAILABLE if there are none: PGlite would end the process.
 */
const bundledFiles: Effect.Effect<string | undefined, Failure> = Effect.suspend(() => {
  const self = fileURLToPath(import.meta.url)
  if (process.versions["pnp"] !== undefined) return Effect.undefined
  const folder = [dirname(self), ...foldersFor(dirname(self))].find((one) => existsSync(join(one, files[0])))
  if (folder !== undefined) return Effect.succeed(folder)
  return new Unavailable({
    message:
      `This bundle lacks the files that the embedded database reads. Install ${name}@${pgliteVersion} where the bundle ` +
      `runs, or copy ${files.join(", ")} from its dist folder to the bundle's.`
  })
})

// Types of Node alone do not have it.
const { compile } = Reflect.get(globalThis, "WebAssembly") as {
  readonly compile: (code: Uint8Array) => Promise<NonNullable<PGliteOptions["pgliteWasmModule"]>>
}

/** The content of a file. A `Blob` of it would copy it three times. */
class FileContent extends Blob {
  readonly #content: Uint8Array<ArrayBuffer>

  constructor(content: Uint8Array<ArrayBuffer>) {
    super([])
    this.#content = content
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteLength, byteOffset } = this.#content
    return Promise.resolve(
      buffer.byteLength === byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    )
  }
}

/** Opens a database. */
type CreatePglite = (options: PGliteOptions) => Promise<PGlite>

/**
 * Settings of PostgreSQL. PGlite writes zeros into all of the memory for pages of tables when it starts: the usual 128 MB take
 * half of the time until it is open, and stay with the process; the system caches the files anyway. Files of the log begin
 * empty: filling them with zeros first wrote everything twice.
 */
const settings = {
  application_name: "svc",
  random_page_cost: sessionSettings().random_page_cost,
  shared_buffers: "16MB",
  timezone: "UTC",
  wal_init_zero: "off",
  wal_recycle: "off"
}

/** PGlite. Fails with UNAVAILABLE when it is not installed, or was bundled without its files. */
const loadPglite: Effect.Effect<CreatePglite, Failure> = Effect.gen(function* () {
  const { PGlite } = yield* installed
  const set = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const parameters = { startParams: [...PGlite.defaultStartParams, ...set], initDbStartParams: [...initdbArguments] }
  const folder = yield* bundledFiles
  if (folder === undefined) return (options) => PGlite.create({ ...options, ...parameters })
  const read = (file: (typeof files)[number]) => readFile(join(folder, file))
  return async (options) => {
    const [data, pglite, initdb] = await Promise.all([read(files[0]), read(files[1]), read(files[2])])
    const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile(pglite), compile(initdb)])
    return PGlite.create({
      ...options,
      ...parameters,
      fsBundle: new FileContent(data),
      pgliteWasmModule,
      initdbWasmModule
    })
  }
})

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

const attempt = <A>(directory: string, run: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: run, catch: (cause) => reading(directory, cause) })

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
  if (existsSync(markOf(directory))) return "unfinished"
  const names = yield* attempt(directory, () => listing(directory))
  if (names.length === 0) return "new"
  if (!names.includes("PG_VERSION"))
    return yield* Effect.fail(refused(directory, "it contains something other than a database."))
  const major = (yield* attempt(directory, () => readFile(join(directory, "PG_VERSION"), "utf8"))).trim()
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
      attempt(directory ?? "in memory", () =>
        create({
          ...(directory === undefined ? {} : { dataDir: `file://${directory}` }),
          ...(snapshot === undefined ? {} : { loadDataDir: snapshot })
        })
      )
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
    if (state === "unfinished") yield* attempt(directory, () => rm(directory, { recursive: true, force: true }))
    yield* attempt(directory, () => writeFile(markOf(directory), ""))
    yield* attempt(directory, () => mkdir(directory, { recursive: true, mode: 0o700 }))
    const archive = yield* snapshot
    // Twice as fast as letting PGlite unpack it.
    if (archive !== undefined) yield* attempt(directory, () => unpack(archive, directory))
    const database = yield* start(directory, undefined)
    yield* attempt(directory, () => rm(markOf(directory)))
    return database
  })

/** Opens a PGlite in memory. */
export const openInMemory = (
  known: ReadonlyArray<Migration>,
  snapshot: Effect.Effect<Blob | undefined> = findSnapshot(known)
): Effect.Effect<PGlite, Failure, Scope.Scope> => Effect.flatMap(snapshot, (blob) => start(undefined, blob))
