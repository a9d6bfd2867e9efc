/** Secrets of the deployment, created in the database on first use and encrypted with the deployment's key. */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg/PgClient"
import { type Failure, type StoreFailure, WrongState } from "@svc/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { orUnavailable } from "../SqlFailure.ts"
import { DeploymentKeys } from "./DeploymentKeys.ts"

const nonceBytes = 12
const tagBytes = 16

const bytesOf = (key: Redacted.Redacted): Buffer => Buffer.from(Redacted.value(key), "base64url")

/** Tells keys apart without telling them. */
const keyId = (key: Redacted.Redacted): string =>
  createHash("sha256").update("svc key id\n").update(bytesOf(key)).digest("hex").slice(0, 8)

/** Encrypts a text. Only the same `purpose` decrypts it, so it cannot be moved to another place. */
export const seal = (key: Redacted.Redacted, purpose: string, text: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", bytesOf(key), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `v1.${keyId(key)}.${sealed.toString("base64url")}`
}

/** The ids of the keys that a stored text is encrypted with, newest first, each with what it opens; none if it is plain. */
const sealsOf = (stored: string): ReadonlyArray<readonly [id: string, text: string]> =>
  stored.split(" ").flatMap((text) => {
    const id = /^v1\.([0-9a-f]{8})\.[\w-]+$/.exec(text)?.[1]
    return id === undefined ? [] : [[id, text] as const]
  })

/** Decrypts a text; undefined with another key, for another purpose, or after a change. */
export const unseal = (key: Redacted.Redacted, purpose: string, text: string): string | undefined => {
  const sealed = Buffer.from(text.slice(text.lastIndexOf(".") + 1), "base64url")
  const body = sealed.subarray(nonceBytes, -tagBytes)
  try {
    const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), sealed.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8")
  } catch {
    return undefined
  }
}

const purposeOf = (name: string): string => `deployment secret ${name}`

type Keys = ReadonlyArray<Redacted.Redacted>

/** The secret of a stored text. Fails with WRONG_STATE if none of the keys opens it. */
export const openSecret = (keys: Keys, name: string, stored: string): Effect.Effect<string, WrongState> => {
  const seals = new Map(sealsOf(stored))
  if (seals.size === 0) return Effect.succeed(stored)
  for (const key of keys) {
    const secret = unseal(key, purposeOf(name), seals.get(keyId(key)) ?? "")
    if (secret !== undefined) return Effect.succeed(secret)
  }
  return Effect.fail(
    new WrongState({
      message:
        `The secrets of this database are encrypted with the deployment key ${[...seals.keys()].join(" or ")}, which this process ` +
        "does not have. Set SVC_DEPLOYMENT_KEY to the key of the other machines, or restore svc.key in an embedded database's " +
        'folder; if it is lost, follow "Deployment key" in the README of @svc/embed.'
    })
  )
}

/** Fails with WRONG_STATE if a secret in the database is encrypted with none of the keys. Changes nothing. */
export const requireKeys = (keys: Keys): Effect.Effect<void, Failure, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => orUnavailable(sql<Row>`select name, secret from svc.deployment_secrets`)).pipe(
    Effect.flatMap((rows) =>
      Effect.forEach(rows, ({ name, secret }) => openSecret(keys, name, secret), { discard: true })
    )
  )

/** A secret as it is stored: encrypted with each of the keys, so that while one replaces another both open it. */
export const storedSecret = (keys: Keys, name: string, secret: string): string =>
  keys.length === 0 ? secret : keys.map((key) => seal(key, purposeOf(name), secret)).join(" ")

/** Whether a stored text is as these keys want it. It is left to others where a newer key than theirs opens it, too. */
const isCurrent = (keys: Keys, stored: string): boolean => {
  const [own, held] = [keys.map(keyId), sealsOf(stored).map(([id]) => id)]
  const isBehind = held.indexOf(own[0] ?? "") > 0
  return isBehind || own.join() === held.join()
}

const names = ["audit", "cursor", "data", "tombstone"] as const

interface Row {
  readonly name: string
  readonly secret: string
}

/** The secrets of the deployment by their names, 32 random bytes each as base64url. */
export class DeploymentSecrets extends Context.Service<
  DeploymentSecrets,
  Readonly<Record<(typeof names)[number], string>>
>()("@svc/postgres/DeploymentSecrets") {}

/**
 * Reads the secrets by one statement, or stores new ones. Those that are not encrypted with exactly the process's keys are
 * encrypted anew. Fails with WRONG_STATE if one is encrypted with another key, and has then written nothing.
 */
export const layer: Layer.Layer<DeploymentSecrets, StoreFailure | WrongState, PgClient> = Layer.effect(
  DeploymentSecrets,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const keys = yield* DeploymentKeys
    const read = orUnavailable(
      sql<Row>`select name, secret from svc.deployment_secrets where name = any(${names}::text[])`
    ).pipe(Effect.tap((rows) => Effect.forEach(rows, ({ name, secret }) => openSecret(keys, name, secret))))
    let stored = yield* read
    if (stored.length < names.length) {
      const made = names.map((name) => storedSecret(keys, name, randomBytes(32).toString("base64url")))
      // Of processes that start at once, one stores them, and the others read what it stored.
      yield* orUnavailable(sql`
        insert into svc.deployment_secrets (name, secret) select * from unnest(${names}::text[], ${made}::text[])
        on conflict (name) do nothing
      `)
      stored = yield* read
    }
    const secretOf = Effect.fnUntraced(function* (name: (typeof names)[number]) {
      const row = stored.find((one) => one.name === name)
      if (row === undefined) return yield* Effect.die(`The deployment's secret ${name} cannot be read.`)
      const secret = yield* openSecret(keys, name, row.secret)
      if (isCurrent(keys, row.secret)) return secret
      // Of processes that do so at once, one does.
      yield* orUnavailable(sql`
        update svc.deployment_secrets set secret = ${storedSecret(keys, name, secret)}
        where name = ${name} and secret = ${row.secret}
      `)
      return secret
    })
    return {
      audit: yield* secretOf("audit"),
      cursor: yield* secretOf("cursor"),
      data: yield* secretOf("data"),
      tombstone: yield* secretOf("tombstone")
    }
  })
)
