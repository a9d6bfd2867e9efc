/** Organizations and keys in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { ActorKind, ActorMode } from "@svc/core/Actor"
import type { CommandPolicy, Scope } from "@svc/core/Policy"
import type { ApiKey, KeySecret } from "@svc/core/workspace/ApiKey"
import { type Organization, Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"

interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly created_at: Date
}

interface KeyRow {
  readonly key_id: string
  readonly organization_id: string
  readonly name: string
  readonly user_id: string
  readonly actor_kind: ActorKind
  readonly mode: ActorMode
  readonly scopes: ReadonlyArray<Scope>
  readonly secrets: ReadonlyArray<KeySecret>
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly policy: CommandPolicy
  readonly organization_policy: CommandPolicy
}

const organizationOf = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString()
})

const keyOf = (row: KeyRow): ApiKey => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  name: row.name,
  userId: row.user_id,
  actorKind: row.actor_kind,
  mode: row.mode,
  scopes: row.scopes,
  secrets: row.secrets,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  policies: { key: row.policy, organization: row.organization_policy }
})

/** Keeps organizations and keys in the database. */
export const layer: Layer.Layer<Workspaces, never, PgClient> = Layer.effect(
  Workspaces,
  Effect.map(PgClient, (sql) => {
    const insertOrganization = (organization: Organization) =>
      sql`insert into organizations (id, name, created_at)
        values (${organization.id}, ${organization.name}, ${organization.createdAt}::timestamptz)`
    const insertKey = (key: ApiKey) =>
      sql`insert into api_keys (key_id, organization_id, name, user_id, actor_kind, mode, scopes, secrets, created_at,
          expires_at, revoked_at, last_used_at, policy)
        values (${key.keyId}, ${key.organizationId}, ${key.name}, ${key.userId}, ${key.actorKind}, ${key.mode},
          ${[...key.scopes]}::text[], ${JSON.stringify(key.secrets)}::jsonb, ${key.createdAt}::timestamptz,
          ${key.expiresAt}::timestamptz, ${key.revokedAt}::timestamptz, ${key.lastUsedAt}::timestamptz, ${sql.json(key.policies?.key ?? {})})`
    return Workspaces.of({
      createOrganization: (organization, key) =>
        retrySerialization(sql.withTransaction(Effect.andThen(insertOrganization(organization), insertKey(key)))).pipe(
          Effect.asVoid
        ),
      createFirstOrganization: (organization, key) =>
        retrySerialization(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table organizations in exclusive mode`
              const existing = yield* sql`select 1 from organizations limit 1`
              if (existing.length > 0) return false
              yield* insertOrganization(organization)
              yield* insertKey(key)
              return true
            })
          )
        ),
      findOrganization: (id) =>
        sql<OrganizationRow>`select id, name, created_at from organizations where id = ${id}`.pipe(
          orUnavailable,
          Effect.map(([row]) => row && organizationOf(row))
        ),
      oldestOrganization: sql<OrganizationRow>`
        select id, name, created_at from organizations order by created_at, id collate "C" limit 1
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => row && organizationOf(row))
      ),
      createKey: (key) => insertKey(key).pipe(orUnavailable, Effect.asVoid),
      findKey: (keyId) =>
        sql<KeyRow>`
          select k.*, o.policy as organization_policy
          from api_keys k join organizations o on o.id = k.organization_id
          where k.key_id = ${keyId}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && keyOf(row))
        ),
      holdKey: (organizationId, keyId) =>
        sql<KeyRow>`
          select k.*, o.policy as organization_policy
          from api_keys k join organizations o on o.id = k.organization_id
          where k.organization_id = ${organizationId} and k.key_id = ${keyId}
          for no key update of k
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && keyOf(row))
        ),
      listKeys: (organizationId) =>
        sql<KeyRow>`
          select k.*, o.policy as organization_policy
          from api_keys k join organizations o on o.id = k.organization_id
          where k.organization_id = ${organizationId} order by k.created_at, k.key_id collate "C"
        `.pipe(
          orUnavailable,
          Effect.map((rows) => rows.map(keyOf))
        ),
      updateKey: (key) =>
        sql`
          update api_keys set secrets = ${JSON.stringify(key.secrets)}::jsonb, expires_at = ${key.expiresAt}::timestamptz,
            revoked_at = ${key.revokedAt}::timestamptz
          where organization_id = ${key.organizationId} and key_id = ${key.keyId}
        `.pipe(orUnavailable, Effect.asVoid),
      organizationPolicy: (organizationId) =>
        sql<{ readonly policy: CommandPolicy }>`select policy from organizations where id = ${organizationId}`.pipe(
          orUnavailable,
          Effect.map(([row]) => row?.policy ?? {})
        ),
      setPolicy: (organizationId, keyId, policy) =>
        (keyId === undefined
          ? sql`update organizations set policy = ${sql.json(policy)} where id = ${organizationId} returning id`
          : sql`
              update api_keys set policy = ${sql.json(policy)}
              where organization_id = ${organizationId} and key_id = ${keyId} returning key_id
            `
        ).pipe(
          orUnavailable,
          Effect.map((rows) => rows.length > 0)
        ),
      touchKey: (keyId, at) =>
        sql`
          update api_keys set last_used_at = greatest(last_used_at, ${at}::timestamptz) where key_id = ${keyId}
        `.pipe(orUnavailable, Effect.asVoid)
    })
  })
)
