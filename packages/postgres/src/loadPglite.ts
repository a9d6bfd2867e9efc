/** Loads PGlite where it is needed: a process on PostgreSQL has no use for its megabytes. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import { type Failure, optionalPackage, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"
import { initdbArguments, pgliteVersion } from "./PgliteSnapshot.ts"
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
 * Where the files lie that a bundle must find for PGlite, whose code a bundler may have taken out of its package; undefined
 * if this is no bundle. Fails with UNAVAILABLE if there are none: PGlite would end the process.
 */
const bundledFiles: Effect.Effect<string | undefined, Failure> = Effect.suspend(() => {
  const self = fileURLToPath(import.meta.url)
  const isOurs = [".ts", ".d.ts"].some((end) => existsSync(join(dirname(self), `loadPglite${end}`)))
  if (isOurs || process.versions["pnp"] !== undefined) return Effect.undefined
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
  random_page_cost: sessionSettings.random_page_cost,
  shared_buffers: "16MB",
  timezone: "UTC",
  wal_init_zero: "off",
  wal_recycle: "off"
}

/** PGlite. Fails with UNAVAILABLE when it is not installed, or was bundled without its files. */
export const loadPglite: Effect.Effect<CreatePglite, Failure> = Effect.gen(function* () {
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
