/** Secrets of the deployment, created in the database on first use and encrypted with the deployment's key. */
import { randomBytes } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type StoreFailure, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { orUnavailable } from "../SqlFailure.ts"
import { DeploymentKeys } from "./DeploymentKeys.ts"
import { keyId, seal, sealedWith, unseal } from "./sealedText.ts"

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
            "SVC_DEPLOYMENT_KEY to it, or bring the file that it was created in."
        })
      )
    : Effect.succeed(secret)
}

/** A secret as it is stored: encrypted with the newest key. */
export const storedSecret = ([key]: Keys, name: string, secret: string): string =>
  key === undefined ? secret : seal(key, purposeOf(name), secret)

/**
 * Reads a secret by its name, or stores a new one of 32 random bytes as base64url. One that is not encrypted with the newest
 * key is encrypted with it. Fails with WRONG_STATE if it is encrypted with another key.
 */
export const deploymentSecret = Effect.fnUntraced(function* (
  sql: PgClient,
  name: string
): Effect.fn.Return<string, StoreFailure | WrongState> {
  const keys = yield* DeploymentKeys
  const made = storedSecret(keys, name, randomBytes(32).toString("base64url"))
  const readOrMake = orUnavailable(sql<{ readonly secret: string }>`
      with made as (
        insert into svc.deployment_secrets (name, secret) values (${name}, ${made})
        on conflict (name) do nothing returning secret
      )
      select secret from made union all select secret from svc.deployment_secrets where name = ${name}
    `)
  const [first] = yield* readOrMake
  // Another process stored it after this statement started; the next statement sees it.
  const [stored] = first === undefined ? yield* readOrMake : [first]
  if (stored === undefined) return yield* Effect.die(`The deployment's secret ${name} cannot be read.`)
  const secret = yield* openSecret(keys, name, stored.secret)
  const [newest] = keys
  if (newest !== undefined && sealedWith(stored.secret) !== keyId(newest)) {
    // Of processes that do so at once, one does.
    yield* orUnavailable(sql`
        update svc.deployment_secrets set secret = ${storedSecret(keys, name, secret)}
        where name = ${name} and secret = ${stored.secret}
      `)
  }
  return secret
})
