/**
 * The journal in PostgreSQL: events, audit row and idempotency record in one statement.
 *
 * An idempotency key is held by a transaction-level advisory lock, so a second request with the key fails at once instead
 * of waiting for the first.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import {
  type ApprovalRequest,
  type Envelope,
  IdempotencyInProgress,
  type IdempotencyScope,
  type IdempotencyState,
  Journal,
  type JournalEntry,
  snakeKeys
} from "@svc/core"
import { newApprovalRow } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { noteWork } from "./background/DueWorkPg.ts"
import { type LeaseClock, leaseClock } from "./background/leases.ts"
import { texts } from "./columns.ts"
import { first } from "./results.ts"
import { catchUnique, orUnavailable } from "./SqlFailure.ts"
import { columnsOf, requestWork } from "./workspace/ApprovalsPg.ts"

interface KeyName {
  readonly route: string
  readonly key: string
}

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

const eventOf = ({ actor, organizationId: _, subject, undoes = false, ...event }: JournalEntry["events"][number]) => ({
  ...snakeKeys(event),
  subject_type: subject.type,
  subject_id: subject.id,
  actor_kind: actor.kind,
  actor_id: actor.id,
  is_undo: undoes
})

const auditOf = ({ organizationId: _, subject, ...entry }: NonNullable<JournalEntry["audit"]>) => ({
  ...snakeKeys(entry),
  subject_type: subject?.type ?? null,
  subject_id: subject?.id ?? null
})

/** The state of each key, held until the transaction ends; undefined where another transaction or run holds it. */
const holder =
  (sql: PgClient): Journal["Service"]["hold"] =>
  (scopes) => {
    const nameOf = ({ organizationId, route, key }: IdempotencyScope) => `${organizationId}\n${route}\n${key}`
    const names = scopes.map(nameOf)
    return Effect.gen(function* () {
      // Two statements: a single one would read as of its start, before the transaction that held the lock committed, and see
      // no key.
      const locks = yield* sql<{ readonly name: string }>`
        select n.name from unnest(${texts(names)}) as n (name)
        where pg_try_advisory_xact_lock(hashtextextended(n.name, 7))
      `
      const rows = yield* sql<KeyRow & KeyName>`
        select k.* from unnest(${texts(scopes.map(({ route }) => route))}, ${texts(scopes.map(({ key }) => key))}) as g (route, key)
        cross join lateral (
          select h.* from svc.idempotency_keys h
          where h.organization_id = ${scopes[0]?.organizationId} and h.route = g.route and h.key = g.key limit 1) k
      `
      const held = new Set(locks.map(({ name }) => name))
      return scopes.map((scope, index) => {
        const name = nameOf(scope)
        // A lock of this transaction could be taken again.
        if (!held.has(name) || names.indexOf(name) < index) return undefined
        const { key, route } = scope
        const row = rows.find((one) => one.route === route && one.key === key)
        return stateOf(scope, row)
      })
    }).pipe(orUnavailable)
  }

const appender =
  (sql: PgClient): Journal["Service"]["append"] =>
  (organizationId, entries) => {
    const entry = {
      events: entries.flatMap(({ events }) => events.map(eventOf)),
      audit: entries.flatMap(({ audit }) => (audit === undefined ? [] : auditOf(audit))),
      keys: entries.flatMap(({ idempotency }) => (idempotency === undefined ? [] : snakeKeys(idempotency)))
    }
    return sql<{ readonly stored: number }>`
      select svc.svc_append(${organizationId}, ${sql.json(entry)}) as stored
    `.pipe(
      catchUnique("idempotency_keys_pkey", inProgress),
      orUnavailable,
      // Fewer: another run has stored its result, so this one must leave nothing.
      Effect.flatMap(([row]) => (row?.stored === entry.keys.length ? Effect.void : Effect.fail(inProgress())))
    )
  }

/** Stores a request, unless the same one is pending. */
const insertRequest = (sql: PgClient, asked: ApprovalRequest) => sql<{ readonly id: string }>`
  with due as (${noteWork(sql, requestWork(sql, newApprovalRow(asked)))})
  insert into svc.approval_requests ${sql.insert(columnsOf(newApprovalRow(asked)))}
  on conflict (organization_id, command_hash, requested_user_id, (coalesce(requested_key_id, '')))
    where state = 'pending' do update set
      expires_at = excluded.expires_at, precondition = excluded.precondition
  returning id
`

const make = (sql: PgClient, clock: LeaseClock) => {
  /** The same text for every call. */
  const staleAfter = (now: string, staleBefore: string) =>
    sql.literal(`interval '${(Date.parse(now) - Date.parse(staleBefore)) / 1_000} seconds'`)
  return Journal.of({
    append: appender(sql),
    hold: holder(sql),
    // What is compared is excluded's, and in UTC, so that a distributed database can compare it.
    claim: (scope, fingerprint, now, staleBefore) =>
      sql<KeyRow & { readonly ours: boolean }>`
          with mine as (
            insert into svc.idempotency_keys as k (organization_id, route, key, fingerprint, envelope, created_at)
            values (${scope.organizationId}, ${scope.route}, ${scope.key}, ${fingerprint}, null, ${clock(now)})
            on conflict (organization_id, route, key) do update set created_at = excluded.created_at
              where k.organization_id = excluded.organization_id and k.envelope is null
                and k.fingerprint = excluded.fingerprint and k.created_at at time zone 'UTC'
                  < excluded.created_at at time zone 'UTC' - ${staleAfter(now, staleBefore)}
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
          update svc.approval_requests set state = 'expired', input = null, question = null,
            resolved_at = ${asked.createdAt}::timestamptz, mail_to = '[]', mail_at = null
          where organization_id = ${asked.organizationId} and command_hash = ${asked.commandHash} and state = 'pending'
            and requested_user_id = ${asked.requestedBy.userId}
            and coalesce(requested_key_id, '') = coalesce(${asked.requestedBy.keyId}, '')
            and (expires_at <= ${asked.createdAt}::timestamptz or input is distinct from ${sql.json(asked.input)})
          returning id
        `.pipe(
        Effect.zipWith(insertRequest(sql, asked), (replaced, [row]) => ({
          id: row?.id ?? asked.id,
          replaced: replaced.map(({ id }) => id)
        })),
        orUnavailable
      ),
    find: (scope) =>
      sql<Pick<KeyRow, "envelope">>`
          select envelope from svc.idempotency_keys
          where organization_id = ${scope.organizationId} and route = ${scope.route} and key = ${scope.key}
        `.pipe(first(({ envelope }) => envelope ?? undefined)),
    release: (scope) =>
      sql`
          delete from svc.idempotency_keys
          where organization_id = ${scope.organizationId} and route = ${scope.route} and key = ${scope.key}
            and envelope is null
        `.pipe(orUnavailable, Effect.asVoid)
  })
}

/** Keeps events, audit rows and idempotency keys in the database, whose clock decides whether a claimed key is stale. */
export const layer = Layer.effect(Journal, Effect.zipWith(PgClient, leaseClock, make))
