/** The deployment's cursor secret, made once in the database by whoever starts first. */
import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg/PgClient"
import type { Failure } from "@svc/core/Failure"
import { CursorSecret } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

/** Reads the secret, or stores a new one. */
export const layer: Layer.Layer<CursorSecret, Failure, PgClient> = Layer.effect(
  CursorSecret,
  Effect.gen(function* () {
    const sql = yield* PgClient
    yield* sql`insert into deployment_secrets (name, secret) values ('cursor', ${randomBytes(32).toString("base64url")})
      on conflict (name) do nothing`.pipe(orUnavailable)
    const rows = yield* sql<{ readonly secret: string }>`
      select secret from deployment_secrets where name = 'cursor'`.pipe(orUnavailable)
    return rows[0]?.secret ?? (yield* Effect.die("the cursor secret is gone"))
  })
)
