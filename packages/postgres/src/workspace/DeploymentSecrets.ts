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

/** The id of the key that a text was encrypted with; undefined if it is plain. */
const sealedWith = (text: string): string | undefined => /^v1\.([0-9a-f]{8})\.[\w-]+$/.exec(text)?.[1]

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
  const id = sealedWith(stored)
  if (id === undefined) return Effect.succeed(stored)
  const key = keys.find((one) => keyId(one) === id)
  const secret = key === undefined ? undefined : unseal(key, purposeOf(name), stored)
  return secret === undefined
    ? Effect.fail(
        new WrongState({
          message:
            `The secrets of this database are encrypted with the deployment key ${id}, which this process does not have. Set ` +
            "SVC_DEPLOYMENT_KEY to the key of the other machines, or restore svc.key in an embedded database's folder; if it " +
            'is lost, follow "Deployment key" in the README of @svc/embed.'
        })
      )
    : Effect.succeed(secret)
}

/** Fails with WRONG_STATE if a secret in the database is encrypted with none of the keys. Changes nothing. */
export const requireKeys = (keys: Keys): Effect.Effect<void, Failure, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => orUnavailable(sql<Row>`select name, secret from svc.deployment_secrets`)).pipe(
    Effect.flatMap((rows) =>
      Effect.forEach(rows, ({ name, secret }) => openSecret(keys, name, secret), { discard: true })
    )
  )

/** A secret as it is stored: encrypted with the newest key. */
export const storedSecret = ([key]: Keys, name: string, secret: string): string =>
  key === undefined ? secret : seal(key, purposeOf(name), secret)

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
 * Reads the secrets, or stores new ones, by one statement for each process. Those that are not encrypted with the newest key
 * are encrypted with it. Fails with WRONG_STATE if one is encrypted with another key.
 */
export const layer: Layer.Layer<DeploymentSecrets, StoreFailure | WrongState, PgClient> = Layer.effect(
  DeploymentSecrets,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const keys = yield* DeploymentKeys
    const made = names.map((name) => storedSecret(keys, name, randomBytes(32).toString("base64url")))
    const readOrMake = orUnavailable(sql<Row>`
      with made as (
        insert into svc.deployment_secrets (name, secret) select * from unnest(${names}::text[], ${made}::text[])
        on conflict (name) do nothing returning name, secret
      )
      select name, secret from made
      union all select name, secret from svc.deployment_secrets where name = any(${names}::text[])
    `)
    const first = yield* readOrMake
    // Another process stored some after this statement started; the next statement sees them.
    const stored = first.length < names.length ? yield* readOrMake : first
    const secretOf = Effect.fnUntraced(function* (name: (typeof names)[number]) {
      const row = stored.find((one) => one.name === name)
      if (row === undefined) return yield* Effect.die(`The deployment's secret ${name} cannot be read.`)
      const secret = yield* openSecret(keys, name, row.secret)
      const [newest] = keys
      if (newest === undefined || sealedWith(row.secret) === keyId(newest)) return secret
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
