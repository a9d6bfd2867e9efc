/** Due work in PostgreSQL. The only statement that looks across organizations is `find`, one read of an index. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type DueKind, DueWork, type OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { each, repository } from "../results.ts"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"

/**
 * A statement, or part of one, that notes work: `rows` selects organization, kind and instant, at most one of each kind, in their
 * order. Locks what it notes until the transaction ends.
 */
export const noteWork = (sql: PgClient, rows: Fragment) => sql`
  insert into svc.due_work as w (organization_id, kind, due_at) ${rows}
  on conflict (organization_id, kind) do update set due_at = least(w.due_at, excluded.due_at)`

/** Selects when the next work of a kind in an organization is due; null where there is none. */
const nextWork = (sql: PgClient): Readonly<Record<DueKind, (organizationId: OrganizationId) => Fragment>> => ({
  actions: (id) => sql`select min(due_at) from svc.stale_actions where organization_id = ${id}`,
  approvals: () => sql`select null::timestamptz`,
  audit: (id) => sql`
    select min(created_at) from svc.audit_entries where organization_id = ${id} and sequence is null`,
  deliveries: () => sql`select null::timestamptz`,
  emails: () => sql`select null::timestamptz`,
  inboxes: () => sql`select null::timestamptz`,
  linkedin: () => sql`select null::timestamptz`,
  notices: () => sql`select null::timestamptz`,
  outcomes: () => sql`select null::timestamptz`,
  retention: () => sql`select null::timestamptz`
})

const make = (sql: PgClient) => {
  const next = nextWork(sql)
  return DueWork.of({
    find: (kind, now, limit) =>
      sql<{ readonly organization_id: OrganizationId }>`
        select organization_id from svc.due_work where kind = ${kind} and due_at <= ${now}::timestamptz
        order by due_at, organization_id limit ${limit}
      `.pipe(each((row) => row.organization_id)),
    settle: (organizationId, kind, { again, at }) =>
      Effect.gen(function* () {
        // A row that a writer holds stays as it is.
        const held = yield* sql`
          select 1 from svc.due_work where organization_id = ${organizationId} and kind = ${kind} for update skip locked`
        if (held.length === 0) return
        // In a statement of its own, which sees all that was committed before the lock.
        yield* sql`
          with next as (select (${next[kind](organizationId)}) as due_at), idle as (
            delete from svc.due_work w using next
            where w.organization_id = ${organizationId} and w.kind = ${kind} and next.due_at is null
          )
          update svc.due_work w
          set due_at = case when next.due_at <= ${at}::timestamptz then ${again}::timestamptz else next.due_at end
          from next where w.organization_id = ${organizationId} and w.kind = ${kind} and next.due_at is not null`
      }).pipe(sql.withTransaction, retrySerialization, orUnavailable)
  })
}

/** Keeps due work in the database. */
export const layer = repository(DueWork, make)
