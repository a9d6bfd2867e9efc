/**
 * The executable as the sources are now, bundled into a folder named after them: made once for any number of test files,
 * and never one that another run is using.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, statSync } from "node:fs"
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { makeSnapshot } from "#postgres/makeSnapshot.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { findSnapshot } from "#postgres/PgliteSnapshot.ts"

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
  const cli = join(root, "packages", "cli")
  const builders = readdirSync(cli).filter((file) => file.endsWith(".js"))
  for (const file of [...sources(), ...builders.map((file) => join(cli, file))].sort()) {
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

const buildInto = async (folder: string): Promise<void> => {
  const draft = `${folder}-${process.pid}`
  const run = promisify(execFile)
  await run(process.execPath, [join(root, "packages", "cli", "bundle.js"), draft])
  // The one that was built may be of older migrations; without one, each new folder would cost seconds.
  const found = await Effect.runPromise(findSnapshot(migrations, [draft]))
  if (found === undefined) await Effect.runPromise(makeSnapshot(draft))
  await removeOutdated()
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

const build = async (): Promise<string> => {
  const folder = join(dist, `test-${fingerprint()}`)
  const begun = `${folder}.begun`
  if (!existsSync(folder)) {
    await mkdir(dist, { recursive: true })
    const isFirst = await writeFile(begun, "", { flag: "wx" }).then(
      () => true,
      () => false
    )
    // Another worker may be at it; if it was killed, it is not waited for any longer.
    for (let look = 0; !isFirst && look < 600 && !existsSync(folder); look++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    try {
      if (!existsSync(folder)) await buildInto(folder)
    } finally {
      await rm(begun, { force: true })
    }
  }
  return join(folder, "main.js")
}

let built: Promise<string> | undefined

/** Path of the executable. */
export const svcBundle = (): Promise<string> => {
  built ??= build()
  return built
}
