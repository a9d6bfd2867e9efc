/** The deployment's cursor secret, the same for every process. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { CursorSecret, type Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DeploymentSecrets from "./DeploymentSecrets.ts"

/** Reads the secret, or stores a new one. */
export const layer: Layer.Layer<CursorSecret, Failure, PgClient> = Layer.effect(
  CursorSecret,
  Effect.map(DeploymentSecrets.DeploymentSecrets, ({ cursor }) => cursor)
).pipe(Layer.provide(DeploymentSecrets.layer))
