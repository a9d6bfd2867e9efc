/**
 * The keys that secrets in the database are encrypted with, so that a dump of the database holds none of them.
 *
 * They are configured; an embedded database without a configured key has one in its folder, which the first start creates, and
 * which keeps opening it when a key is configured later. On PostgreSQL, which other machines use too, nothing is created:
 * without a configured key the secrets stay in plain text. With several keys each opens the secrets, so that one can be
 * replaced while processes with the old one and with the new one run and start.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { link, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
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

/** The file's text; undefined where there is none. */
const readIfAny = (file: string): Promise<string | undefined> =>
  readFile(file, "utf8").catch((cause: unknown) => {
    if (Object(cause).code === "ENOENT") return undefined
    throw cause
  })

/** Reads the file, or creates it with a new key; of several processes that start at once, one creates it. */
const readOrCreate = async (file: string): Promise<string> => {
  const known = await readIfAny(file)
  if (known !== undefined) return known
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
  return readFile(file, "utf8")
}

/** The keys in the folder of an embedded database. Where the file cannot be read or written, none, which is logged. */
const keysInFolder = (
  directory: string,
  readKey: (file: string) => Promise<string | undefined>
): Effect.Effect<ReadonlyArray<Redacted.Redacted>> => {
  const file = join(directory, "svc.key")
  return Effect.tryPromise(() => readKey(file)).pipe(
    Effect.flatMap((text) =>
      text === undefined ? Effect.succeed([]) : Effect.fromNullishOr(parseDeploymentKeys(text.trim()))
    ),
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

/** What the log and `svc doctor` say of PostgreSQL without a configured key. */
export const withoutKey =
  "SVC_DEPLOYMENT_KEY is not set, so the secrets in the database are in plain text. Set the same key on every machine (openssl rand -base64 32)."

/** The configured keys, then that of an embedded database's folder, which is created only if it is the first; without any, a log line. */
export const keysOf = (
  configured: ReadonlyArray<Redacted.Redacted> | undefined,
  { backend, directory }: Database["Service"]
) => {
  if (directory !== undefined) {
    const inFolder = keysInFolder(directory, configured === undefined ? readOrCreate : readIfAny)
    return Effect.map(inFolder, (keys) => [...(configured ?? []), ...keys])
  }
  if (configured !== undefined) return Effect.succeed(configured)
  return Effect.as(backend === "postgres" ? Effect.logWarning(withoutKey) : Effect.void, [])
}

/** The keys of the database. */
export const layer = (configured: ReadonlyArray<Redacted.Redacted> | undefined): Layer.Layer<never, never, Database> =>
  Layer.effect(
    DeploymentKeys,
    Effect.flatMap(Database, (database) => keysOf(configured, database))
  )
