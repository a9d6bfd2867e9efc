/**
 * The journal in PostgreSQL: events, audit row and idempotency record in one statement.
 *
 * An idempotency key is held by a transaction-level advisory lock, so a second request with the key fails at once instead
 * of waiting for the first.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type Envelope, IdempotencyInProgress, type IdempotencyScope, type IdempotencyState, Journal } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { texts } from "./columnParameter.ts"
import { catchUnique, orUnavailable } from "./SqlFailure.ts"

interface KeyRow {
  readonly fingerprint: string
  readonly envelope: Envelope<unknown> | null
  readonly created_at: Date
}

const stateOf = (scope: IdempotencyScope, row: KeyRow | undefined): IdempotencyState => {
  if (row === undefined) return { _tag: "New" }
  const createdAt = row.created_at.toISOString()
  if (row.envelope === null) return { _tag: "Running", fingerprint: row.fingerprint, since: createdAt }
  return {
    _tag: "Done",
    record: { ...scope, fingerprint: row.fingerprint, envelope: row.envelope, createdAt }
  }
}

const inProgress = () => new IdempotencyInProgress({ retryAfterSeconds: 1 })

/** Keeps events, audit rows and idempotency keys in the database. */
export const layer: Layer.Layer<Journal, never, PgClient> = Layer.effect(
  Journal,
  Effect.map(PgClient, (sql) =>
    Journal.of({
      append: ({ events, audit, idempotency }) => {
        const auditRows = (audit === undefined ? [] : [audit]).map((entry) => ({
          organization_id: entry.organizationId,
          id: entry.id,
          actor_kind: entry.actorKind,
          user_id: entry.userId,
          key_id: entry.keyId,
          command_id: entry.commandId,
          command_hash: entry.commandHash,
          subject_type: entry.subject?.type ?? null,
          subject_id: entry.subject?.id ?? null,
          outcome: entry.outcome,
          created_at: entry.createdAt
        }))
        const keyRows = (idempotency === undefined ? [] : [idempotency]).map((record) => ({
          organization_id: record.organizationId,
          route: record.route,
          key: record.key,
          fingerprint: record.fingerprint,
          envelope: record.envelope,
          created_at: record.createdAt
        }))
        return sql`
          with new_events as (
            insert into svc.events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
            select r.organization_id, r.id, r.type, r.subject_type, r.subject_id, r.actor_kind, r.actor_id,
              r.data::jsonb, r.created_at::timestamptz
            from unnest(${texts(events.map(({ organizationId }) => organizationId))},
              ${texts(events.map(({ id }) => id))}, ${texts(events.map(({ type }) => type))},
              ${texts(events.map(({ subject }) => subject.type))}, ${texts(events.map(({ subject }) => subject.id))},
              ${texts(events.map(({ actor }) => actor.kind))}, ${texts(events.map(({ actor }) => actor.id))},
              ${texts(events.map(({ data }) => JSON.stringify(data)))},
              ${texts(events.map(({ createdAt }) => createdAt))}) as r (organization_id, id, type, subject_type,
              subject_id, actor_kind, actor_id, data, created_at)
          ), new_audit as (
            insert into svc.audit_entries (organization_id, id, actor_kind, user_id, key_id, command_id, command_hash,
              subject_type, subject_id, outcome, created_at)
            select * from jsonb_to_recordset(${sql.json(auditRows)}) as r (
              organization_id text, id text, actor_kind text, user_id text, key_id text, command_id text,
              command_hash text, subject_type text, subject_id text, outcome text, created_at timestamptz)
          )
          insert into svc.idempotency_keys as k (organization_id, route, key, fingerprint, envelope, created_at)
          select * from jsonb_to_recordset(${sql.json(keyRows)}) as r (
            organization_id text, route text, key text, fingerprint text, envelope jsonb, created_at timestamptz)
          on conflict (organization_id, route, key) do update
            set envelope = excluded.envelope, created_at = excluded.created_at
            where k.organization_id = excluded.organization_id and k.envelope is null
          returning k.key
        `.pipe(
          catchUnique("idempotency_keys_pkey", inProgress),
          orUnavailable,
          // No row: another run has stored its result, so this one must leave nothing.
          Effect.flatMap((rows) => (rows.length < keyRows.length ? Effect.fail(inProgress()) : Effect.void))
        )
      },
      // Two statements: a single one would read as of its start, before the transaction that held the lock committed, and
      // see no key.
      hold: (scope) =>
        Effect.gen(function* () {
          const [lock] = yield* sql<{ readonly held: boolean }>`
            select pg_try_advisory_xact_lock(
              hashtextextended(${`${scope.organizationId}\n${scope.route}\n${scope.key}`}, 7)) as held
          `
          if (lock?.held !== true) return yield* inProgress()
          const [row] = yield* sql<KeyRow>`
            select fingerprint, envelope, created_at from svc.idempotency_keys
            where organization_id = ${scope.organizationId} and route = ${scope.route} and key = ${scope.key}
          `
          return stateOf(scope, row)
        }).pipe(orUnavailable),
      claim: (scope, fingerprint, now, staleBefore) =>
        sql<KeyRow & { readonly ours: boolean }>`
          with mine as (
            insert into svc.idempotency_keys as k (organization_id, route, key, fingerprint, envelope, created_at)
            values (${scope.organizationId}, ${scope.route}, ${scope.key}, ${fingerprint}, null, ${now}::timestamptz)
            on conflict (organization_id, route, key) do update set created_at = excluded.created_at
              where k.organization_id = excluded.organization_id and k.envelope is null
                and k.fingerprint = excluded.fingerprint and k.created_at < ${staleBefore}::timestamptz
            returning fingerprint, envelope, created_at
          )
          select true as ours, fingerprint, envelope, created_at from mine
          union all
          select false, fingerprint, envelope, created_at from svc.idempotency_keys
          where organization_id = ${scope.organizationId} and route = ${scope.route} and key = ${scope.key}
            and not exists (select 1 from mine)
        `.pipe(
          orUnavailable,
          // No row: the key was stored by a transaction that this statement could not see yet.
          Effect.flatMap(([row]) => (row === undefined ? Effect.fail(inProgress()) : Effect.succeed(row))),
          Effect.map((row) => (row.ours ? { _tag: "New" as const } : stateOf(scope, row)))
        ),
      requestApproval: (asked) =>
        sql<{ readonly id: string }>`
          insert into svc.approval_requests (organization_id, id, command_id, command_hash, input, precondition,
            requested_kind, requested_user_id, requested_key_id, created_at, expires_at, state)
          values (${asked.organizationId}, ${asked.id}, ${asked.commandId}, ${asked.commandHash}, ${sql.json(asked.input)},
            ${asked.precondition === null ? null : sql.json(asked.precondition)}, ${asked.requestedBy.kind}, ${asked.requestedBy.userId}, ${asked.requestedBy.keyId},
            ${asked.createdAt}::timestamptz, ${asked.expiresAt}::timestamptz, 'pending')
          on conflict (organization_id, command_hash, requested_user_id, (coalesce(requested_key_id, '')))
            where state = 'pending' do update set
              expires_at = excluded.expires_at, precondition = excluded.precondition
          returning id
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row?.id ?? asked.id)
        ),
      release: (scope) =>
        sql`
          delete from svc.idempotency_keys
          where organization_id = ${scope.organizationId} and route = ${scope.route} and key = ${scope.key}
            and envelope is null
        `.pipe(orUnavailable, Effect.asVoid)
    })
  )
)
