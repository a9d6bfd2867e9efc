/**
 * The executable as the sources are now, bundled into a folder named after them: made once for any number of test files,
 * and never one that another run is using.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, statSync } from "node:fs"
import { readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeSnapshot } from "@svc/postgres/makeSnapshot"
import { migrations } from "@svc/postgres/migrations/index"
import { findSnapshot } from "@svc/postgres/PgliteSnapshot"
import * as Effect from "effect/Effect"

const root = join(import.meta.dirname, "..", "..")
const dist = join(root, "packages", "cli", "dist")
const outdated = 1_800_000

const sources = (): ReadonlyArray<string> =>
  readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name, "src")
    if (!existsSync(folder)) return []
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    return files.filter((file) => file.endsWith(".ts")).map((file) => join(folder, file))
  })

const fingerprint = (): string => {
  const hash = createHash("sha256")
  for (const file of [
    ...sources(),
    join(root, "packages", "cli", "bundle.js"),
    join(root, "packages", "cli", "compile.js")
  ].sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file}\n${mtimeMs}\n${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

const removeOutdated = async (): Promise<void> => {
  for (const name of await readdir(dist)) {
    const path = join(dist, name)
    const left = name.startsWith("test-") && Date.now() - (await stat(path)).mtimeMs > outdated
    if (left) await rm(path, { recursive: true, force: true })
  }
}

const build = async (): Promise<string> => {
  const folder = join(dist, `test-${fingerprint()}`)
  if (!existsSync(folder)) {
    const draft = `${folder}-${process.pid}`
    await promisify(execFile)(process.execPath, [join(root, "packages", "cli", "bundle.js"), draft])
    // The one that was built may be of older migrations; without one, each new folder would cost seconds.
    const found = await Effect.runPromise(findSnapshot(migrations, [draft]))
    if (found === undefined) await Effect.runPromise(makeSnapshot(draft))
    await removeOutdated()
    // Another test file may have been faster.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  }
  return join(folder, "main.js")
}

let built: Promise<string> | undefined

/** Path of the executable. */
export const svcBundle = (): Promise<string> => {
  built ??= build()
  return built
}
