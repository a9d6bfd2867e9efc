/** Retention in PostgreSQL: one statement each, over an index of ages of the organization. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import type { DeletedKind, Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { texts } from "../columns.ts"
import { keepingLeads } from "../leads/keepLeads.ts"
import { orUnavailable } from "../SqlFailure.ts"

interface DeletedRow {
  readonly count: number
  readonly is_more: boolean
}

/** With the leads of which changes of status were deleted. */
interface DeletedEvents extends DeletedRow {
  readonly lead_ids: ReadonlyArray<string>
}

type Delete = (
  organizationId: OrganizationId,
  before: string,
  limit: number
) => Effect.Effect<ReadonlyArray<DeletedRow>, SqlError>

/**
 * Deletes old rows in the database. Rows are named by arrays, for which indexes are used: a join would read all of an organization,
 * whose size the planner does not know.
 */
export const deleteBefore = (sql: PgClient): Workspaces["Service"]["deleteBefore"] => {
  const statements: Readonly<Record<DeletedKind, Delete>> = {
    idempotency: (id, before, limit) => sql`
      with old as (
        select route, key from svc.idempotency_keys where organization_id = ${id} and created_at < ${before}::timestamptz
        order by created_at limit ${limit} for update skip locked
      ), gone as (
        delete from svc.idempotency_keys k
        where k.organization_id = ${id} and k.route = any (array(select route from old))
          and k.key = any (array(select key from old))
          and exists (select 1 from old o where o.route = k.route and o.key = k.key)
        returning 1
      )
      select count(*)::int as count, count(*) = ${limit} as is_more from gone
    `,
    deliveries: (id, before, limit) => sql`
      with old as (
        select id from svc.webhook_deliveries where organization_id = ${id} and ended_at < ${before}::timestamptz
        order by ended_at limit ${limit} for update skip locked
      ), gone as (
        delete from svc.webhook_deliveries where organization_id = ${id} and id = any (array(select id from old)) returning 1
      )
      select count(*)::int as count, count(*) = ${limit} as is_more from gone
    `,
    // Numbers have no gaps, and the next one follows the highest: so from the lowest on, and never the last.
    events: (id, before, limit) =>
      sql<DeletedEvents>`
      with org as (
        select stop.sequence as stop
        from svc.organizations o cross join lateral (
          select least(
            (select max(m.sequence) from svc.events m where m.organization_id = ${id}),
            (select min(w.told_sequence) + 1 from svc.webhooks w
              where w.organization_id = ${id} and w.is_active and w.purpose = 'events')) as sequence
        ) stop cross join lateral (
          select e.sequence, e.created_at from svc.events e where e.organization_id = ${id} order by e.sequence limit 1
        ) first
        where o.id = ${id} and first.created_at < ${before}::timestamptz and first.sequence < stop.sequence
        for no key update of o skip locked
      ), old as (
        select e.id, e.sequence, e.created_at from org cross join lateral (
          select f.id, f.sequence, f.created_at from svc.events f
          where f.organization_id = ${id} order by f.sequence limit ${limit}
        ) e where e.sequence < org.stop
      ), gone as (
        delete from svc.events e using old o where e.organization_id = ${id} and e.id = o.id
          and o.sequence < coalesce(
            (select min(n.sequence) from old n where n.created_at >= ${before}::timestamptz), o.sequence + 1)
        returning e.type, e.subject_id
      )
      select (select count(*) from gone)::int as count, exists (select 1 from org) as is_more,
        array(select distinct subject_id from gone where type = 'lead.status_changed') as lead_ids
    `.pipe(
        Effect.tap(
          ([row]) => sql`
          select 1 from svc.leads where organization_id = ${id} and id = any (${texts(row?.lead_ids ?? [])})
          order by id collate "C" for no key update
        `
        ),
        keepingLeads(sql, id, ([row]: ReadonlyArray<DeletedEvents>) => row?.lead_ids ?? [])
      ),
    importRows: (id, before, limit) => sql`
      with run as (
        select id from svc.imports
        where organization_id = ${id} and updated_at < ${before}::timestamptz and (rows_deleted_at is null or rows_deleted_at < updated_at)
        order by updated_at limit 1 for no key update skip locked
      ), old as (
        select r.import_id, r.position from run join svc.import_rows r
          on r.organization_id = ${id} and r.import_id = run.id
        order by r.position limit ${limit}
      ), gone as (
        delete from svc.import_rows r using old o
        where r.organization_id = ${id} and r.import_id = o.import_id and r.position = o.position
        returning 1
      ), done as (
        update svc.imports i set rows_deleted_at = greatest(now(), i.updated_at) from run
        where i.organization_id = ${id} and i.id = run.id and (select count(*) from old) < ${limit}
      )
      select (select count(*) from gone)::int as count, exists (select 1 from run) as is_more
    `,
    mails: (id, before, limit) => sql`
      with old as (
        select hash from svc.taken_mails where organization_id = ${id} and taken_at < ${before}::timestamptz
        order by taken_at limit ${limit} for update skip locked
      ), gone as (
        delete from svc.taken_mails where organization_id = ${id} and hash = any (array(select hash from old)) returning 1
      )
      select count(*)::int as count, count(*) = ${limit} as is_more from gone
    `,
    sessions: (id, before, limit) => sql`
      with old as (
        select key_id from svc.api_keys
        where organization_id = ${id} and session is not null and least(expires_at, revoked_at) < ${before}::timestamptz
        order by least(expires_at, revoked_at) limit ${limit} for update skip locked
      ), unknown as (
        delete from svc.organization_lookups
        where organization_id = ${id} and kind = 'api_key' and value = any (array(select key_id from old))
      ), gone as (
        delete from svc.api_keys where organization_id = ${id} and key_id = any (array(select key_id from old)) returning 1
      )
      select count(*)::int as count, count(*) = ${limit} as is_more from gone
    `
  }
  return (organizationId, kind, before, limit) =>
    orUnavailable(statements[kind](organizationId, before, limit)).pipe(
      Effect.map(([row]) => ({ count: row?.count ?? 0, isMore: row?.is_more === true }))
    )
}
