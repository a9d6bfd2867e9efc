/**
 * Hashes of identifiers: all that is kept of erased people.
 *
 * The deployment's secret is read once, so looking people up costs no extra statement.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, StoreFailure, WrongState } from "@svc/core"
import { type Suppressible, tombstoneHash } from "@svc/core/leads"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DeploymentSecrets, layer as secretsLayer } from "../workspace/DeploymentSecrets.ts"

/** Hashes identifiers of an organization; null for leads and domains, which have no tombstones. */
export class Tombstones extends Context.Service<
  Tombstones,
  {
    readonly hashesOf: (
      organizationId: OrganizationId,
      identifiers: ReadonlyArray<Suppressible>
    ) => ReadonlyArray<string | null>
  }
>()("@svc/postgres/leads/Tombstones") {}

/** Hashes with the secret of the deployment. Fails with UNAVAILABLE when the database is unreachable,
 * and with WRONG_STATE if the secret is encrypted with another deployment key. */
export const layer: Layer.Layer<Tombstones, StoreFailure | WrongState, PgClient> = Layer.effect(
  Tombstones,
  Effect.gen(function* () {
    const { tombstone: secret } = yield* DeploymentSecrets
    return Tombstones.of({
      hashesOf: (organizationId, identifiers) =>
        identifiers.map((one) =>
          one.kind === "lead" || one.kind === "domain" ? null : tombstoneHash(secret, organizationId, one)
        )
    })
  })
).pipe(Layer.provide(secretsLayer))
