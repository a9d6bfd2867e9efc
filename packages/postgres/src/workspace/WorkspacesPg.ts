/** Organizations and keys in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import {
  type CommandPolicy,
  CursorSecret,
  type KeyId,
  type OrganizationId,
  type StoreFailure,
  snakeKeys,
  type WrongState
} from "@svc/core"
import { type ApiKey, type KeySession, type Organization, Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { noteWork } from "../background/DueWorkPg.ts"
import { type RowOf, recordOf } from "../columns.ts"
import { each, first, hasRows } from "../results.ts"
import { sameRead } from "../SharedRead.ts"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"
import { approvals } from "./ApprovalsPg.ts"
import { auditLog } from "./AuditLogPg.ts"
import { DeploymentSecrets, layer as secretsLayer } from "./DeploymentSecrets.ts"
import { eventFeed } from "./EventFeedPg.ts"
import { deleteBefore } from "./RetentionPg.ts"

type KeyRow = RowOf<Omit<ApiKey, "policies" | "session">> & {
  readonly session: KeySession | null
  readonly policy: CommandPolicy
  readonly organization_policy: CommandPolicy
}

const organizationOf = recordOf<Organization>

const keyOf = ({ organization_policy, policy, session, ...row }: KeyRow): ApiKey => ({
  ...recordOf<Omit<ApiKey, "policies" | "session">>(row),
  session: session ?? undefined,
  policies: { key: policy, organization: organization_policy }
})

const sessionOf = ({ session }: ApiKey): string | null => (session === undefined ? null : JSON.stringify(session))

const make = (sql: PgClient, auditKey: string): Workspaces["Service"] => {
  const selectOrganization = sql.literal("select id, name, external_id, created_at from svc.organizations")
  const selectKey = sql.literal(`select k.*, o.policy as organization_policy
    from svc.api_keys k join svc.organizations o on o.id = k.organization_id`)
  const insertOrganization = (organization: Organization) =>
    sql`with made as (
        insert into svc.organizations ${sql.insert(snakeKeys(organization))} on conflict (external_id) do nothing returning id
      ), due as (${noteWork(sql, sql`select id, 'retention', '-infinity'::timestamptz from made`)})
      select id from made`
  const insertKey = ({ policies, ...key }: ApiKey) =>
    sql`with known as (
        insert into svc.organization_lookups (kind, value, organization_id)
        values ('api_key', ${key.keyId}, ${key.organizationId})
        on conflict (kind, value) do nothing returning value
      )
      insert into svc.api_keys
      select r.* from known, jsonb_populate_record(null::svc.api_keys,
        ${sql.json({ ...snakeKeys(key), policy: policies?.key ?? {} })}) r
      returning key_id`
  /** Runs a statement in the organization of a key, if there is one. */
  const ofOwner = <A, E>(keyId: KeyId, use: (organizationId: OrganizationId) => Effect.Effect<A, E>) =>
    sql<{ readonly organization_id: OrganizationId }>`
      select organization_id from svc.organization_lookups where kind = 'api_key' and value = ${keyId}
    `.pipe(
      orUnavailable,
      Effect.flatMap(([owner]) => (owner === undefined ? Effect.succeed(undefined) : use(owner.organization_id)))
    )
  // Of requests with one key that come at once, few read it. If each did, each would take a connection, and those that run
  // commands would change all the time: one has to plan its functions before they are fast.
  const findKey = sameRead(sql, (keyId: KeyId) =>
    ofOwner(keyId, (organizationId) =>
      sql<KeyRow>`${selectKey} where k.organization_id = ${organizationId} and k.key_id = ${keyId}`.pipe(first(keyOf))
    )
  )
  return {
    createOrganization: (organization, key) =>
      retrySerialization(transacted(sql, Effect.andThen(insertOrganization(organization), insertKey(key)))).pipe(
        Effect.asVoid
      ),
    createFirstOrganization: (organization, key) =>
      retrySerialization(
        sql.withTransaction(
          Effect.gen(function* () {
            // When two servers start at once, only one creates the organization.
            yield* sql`lock table svc.organizations in exclusive mode`
            const existing = yield* sql`select 1 from svc.organizations limit 1`
            if (existing.length > 0) return false
            yield* insertOrganization(organization)
            yield* insertKey(key)
            return true
          })
        )
      ),
    createExternalOrganization: (organization) => hasRows(insertOrganization(organization)),
    findExternalOrganization: (externalId) =>
      sql<RowOf<Organization>>`
        ${selectOrganization} where external_id = ${externalId}
      `.pipe(first(organizationOf)),
    renameOrganization: (id, name) =>
      hasRows(sql`update svc.organizations set name = ${name} where id = ${id} and name <> ${name} returning id`),
    findOrganization: (id) =>
      sql<RowOf<Organization>>`${selectOrganization} where id = ${id}`.pipe(first(organizationOf)),
    listOrganizations: sql<RowOf<Organization>>`
      ${selectOrganization} order by created_at, id collate "C" limit 1000
    `.pipe(each(organizationOf)),
    oldestOrganization: sql<RowOf<Organization>>`
      ${selectOrganization} order by created_at, id collate "C" limit 1
    `.pipe(first(organizationOf)),
    createKey: (key) => hasRows(insertKey(key)),
    findKey,
    holdKey: (organizationId, keyId) =>
      sql<KeyRow>`
        ${selectKey}
        where k.organization_id = ${organizationId} and k.key_id = ${keyId}
        for no key update of k
      `.pipe(first(keyOf)),
    listKeys: (organizationId) =>
      sql<KeyRow>`
        ${selectKey}
        where k.organization_id = ${organizationId} order by k.created_at, k.key_id collate "C"
      `.pipe(each(keyOf)),
    updateKey: (key) =>
      sql`
        update svc.api_keys set name = ${key.name}, scopes = ${[...key.scopes]}::text[],
          secrets = ${JSON.stringify(key.secrets)}::jsonb, expires_at = ${key.expiresAt}::timestamptz,
          revoked_at = ${key.revokedAt}::timestamptz, session = ${sessionOf(key)}::jsonb
        where organization_id = ${key.organizationId} and key_id = ${key.keyId}
      `.pipe(orUnavailable, Effect.asVoid),
    organizationPolicy: (organizationId) =>
      sql<{ readonly policy: CommandPolicy }>`select policy from svc.organizations where id = ${organizationId}`.pipe(
        first(({ policy }) => policy),
        Effect.map((policy) => policy ?? {})
      ),
    changePolicy: (organizationId, keyId, change) =>
      (keyId === undefined
        ? sql<{ readonly policy: CommandPolicy }>`
            update svc.organizations set policy = jsonb_strip_nulls(policy || ${sql.json(change)})
            where id = ${organizationId} returning policy
          `
        : sql<{ readonly policy: CommandPolicy }>`
            update svc.api_keys set policy = jsonb_strip_nulls(policy || ${sql.json(change)})
            where organization_id = ${organizationId} and key_id = ${keyId} and session is null returning policy
          `
      ).pipe(first(({ policy }) => policy)),
    touchKey: (keyId, at) =>
      ofOwner(keyId, (organizationId) =>
        orUnavailable(sql`
          update svc.api_keys set last_used_at = greatest(last_used_at, ${at}::timestamptz)
          where organization_id = ${organizationId} and key_id = ${keyId}
        `)
      ).pipe(Effect.asVoid),
    approvals: approvals(sql),
    audit: auditLog(sql, auditKey),
    events: eventFeed(sql),
    deleteBefore: deleteBefore(sql)
  }
}

/** Keeps organizations, and what belongs to all of their data, in the database; with the secret of its cursors. */
export const layer: Layer.Layer<Workspaces | CursorSecret, StoreFailure | WrongState, PgClient> = Layer.merge(
  Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      return make(yield* PgClient, (yield* DeploymentSecrets).audit)
    })
  ),
  Layer.effect(
    CursorSecret,
    Effect.map(DeploymentSecrets, ({ cursor }) => cursor)
  )
).pipe(Layer.provide(secretsLayer))
