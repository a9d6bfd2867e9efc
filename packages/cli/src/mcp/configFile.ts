/** Reads and replaces a client's configuration file. */
import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { type Failure, InvalidInput, isFailure, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"

const ifMissing =
  <A>(value: A) =>
  (error: NodeJS.ErrnoException): A => {
    if (error.code === "ENOENT") return value
    throw error
  }

/** The text of a file; undefined if there is none. */
const textOf = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(ifMissing(undefined))

/** The text of a file; undefined if there is none. Fails with INVALID_INPUT if it cannot be read. */
export const readConfig = (path: string): Effect.Effect<string | undefined, Failure> =>
  Effect.tryPromise({
    try: () => textOf(path),
    catch: () => new InvalidInput({ message: `Can't read ${path}. Check its permissions.` })
  })

/** Where the file before the latest change is kept. */
const backupOf = (path: string): string => `${path}.svc-backup`

const replace = async (link: string, before: string | undefined, text: string): Promise<string | undefined> => {
  await mkdir(dirname(link), { recursive: true })
  // A link stays one: what it points to is replaced.
  const path = await realpath(link).catch(ifMissing(link))
  const draft = `${path}.svc-${process.pid}`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    if (before !== undefined) {
      await copyFile(path, backupOf(path))
      await chmod(draft, (await stat(path)).mode)
    }
    if ((await textOf(path)) !== before) {
      throw new Unavailable({ message: `${path} was changed in the meantime. Run the command again.` })
    }
    await rename(draft, path)
    return before === undefined ? undefined : backupOf(path)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Replaces a file atomically, with the permissions that it had; resolves to the path of the backup, or to undefined for a
 * new file. Fails with UNAVAILABLE if the file no longer has the text `before`, or cannot be written.
 */
export const writeConfig = (
  path: string,
  before: string | undefined,
  text: string
): Effect.Effect<string | undefined, Failure> =>
  Effect.tryPromise({
    try: () => replace(path, before, text),
    catch: (error) =>
      isFailure(error)
        ? error
        : new Unavailable({ message: `Can't write ${path}. Check its permissions, or use --print.` })
  })
