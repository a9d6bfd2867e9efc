/**
 * The keys that secrets in the database are encrypted with, so that a dump of the database holds none of them.
 *
 * They come from the environment, or from a file that the first start creates: inside an embedded database's folder, else
 * in the user's configuration. The first key encrypts; the others only decrypt, so that a key can be replaced.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Database } from "../Database.ts"
import { parseDeploymentKeys } from "./parseDeploymentKeys.ts"

/** The keys of this process, newest first, 32 bytes each as base64url; none leaves secrets in plain text. */
export const DeploymentKeys = Context.Reference<ReadonlyArray<Redacted.Redacted>>("@svc/postgres/DeploymentKeys", {
  defaultValue: () => []
})

/** The file with the key of a database: in the folder of an embedded one, else in the user's configuration. */
const fileOf = ({ directory }: Database["Service"]): string => {
  if (directory !== undefined) return join(directory, "svc.key")
  const { HOME: home, XDG_CONFIG_HOME: configured } = process.env
  return join(configured || join(home || homedir(), ".config"), "svc", "deployment.key")
}

/** Reads the file, or creates it with a new key; of several processes that start at once, one creates it. */
const readOrCreate = async (file: string): Promise<string> => {
  const read = () => readFile(file, "utf8")
  try {
    return await read()
  } catch (cause) {
    if (Object(cause).code !== "ENOENT") throw cause
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Linked when it is whole, so that no other process reads half of it.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" })
  try {
    await link(draft, file)
  } catch (cause) {
    if (Object(cause).code !== "EEXIST") throw cause
  } finally {
    await rm(draft)
  }
  return read()
}

/** The keys of the database's file. Where no file can be written, none, which is logged. */
export const keysInFile = (database: Database["Service"]): Effect.Effect<ReadonlyArray<Redacted.Redacted>> => {
  const file = fileOf(database)
  return Effect.tryPromise(() => readOrCreate(file)).pipe(
    Effect.flatMap((text) => Effect.fromNullishOr(parseDeploymentKeys(text.trim()))),
    Effect.catch(() =>
      Effect.as(
        Effect.logWarning("The deployment key's file cannot be used, so secrets are stored in plain text", {
          file,
          next: "Set SVC_DEPLOYMENT_KEY to 32 random bytes in Base64, or make the file writable."
        }),
        []
      )
    )
  )
}

/** The configured keys, else those of the database's file. */
export const layer = (configured: ReadonlyArray<Redacted.Redacted> | undefined): Layer.Layer<never, never, Database> =>
  Layer.effect(
    DeploymentKeys,
    Effect.flatMap(Database, (database) =>
      configured === undefined ? keysInFile(database) : Effect.succeed(configured)
    )
  )
