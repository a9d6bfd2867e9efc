/** Encrypts secrets in rows, with a secret of the deployment, so that a dump of the database holds none in plain text. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { StoreFailure, WrongState } from "@svc/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { DeploymentSecrets, seal, layer as secretsLayer, unseal } from "./DeploymentSecrets.ts"

/** `purpose` names the row: a text that was moved to another row does not open. */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (purpose: string, text: string) => string
    /** Undefined if the text is not what was stored for the purpose, or its deployment key was lost. */
    readonly open: (purpose: string, text: string) => string | undefined
  }
>()("@svc/postgres/SecretBox") {}

/** Reads the secret, or stores a new one. Fails with WRONG_STATE if it is encrypted with another deployment key. */
export const layer: Layer.Layer<SecretBox, StoreFailure | WrongState, PgClient> = Layer.effect(
  SecretBox,
  Effect.gen(function* () {
    const key = Redacted.make((yield* DeploymentSecrets).data)
    return SecretBox.of({
      seal: (purpose, text) => seal(key, purpose, text),
      open: (purpose, text) => unseal(key, purpose, text)
    })
  })
).pipe(Layer.provide(secretsLayer))
