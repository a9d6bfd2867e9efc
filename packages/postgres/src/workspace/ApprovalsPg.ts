/** Requests for approval in PostgreSQL. The journal inserts them. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { type ActorKind, type OrganizationId, snakeKeys, VersionConflict } from "@svc/core"
import type { ApprovalRow, Approvals } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { jsonb, type RowOf, recordOf } from "../columns.ts"
import { each, first, newestFirst, page } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"

type RequestRow = RowOf<Omit<ApprovalRow, "requestedBy" | "resolvedBy">> & {
  readonly requested_kind: ActorKind
  readonly requested_user_id: string
  readonly requested_key_id: string | null
  readonly resolved_kind: ActorKind | null
  readonly resolved_user_id: string | null
  readonly resolved_key_id: string | null
}

const requestOf = ({
  requested_kind,
  requested_user_id,
  requested_key_id,
  resolved_kind,
  resolved_user_id,
  resolved_key_id,
  ...row
}: RequestRow): ApprovalRow => ({
  ...recordOf<Omit<ApprovalRow, "requestedBy" | "resolvedBy">>(row),
  requestedBy: { kind: requested_kind, userId: requested_user_id, keyId: requested_key_id },
  resolvedBy:
    resolved_kind === null ? null : { kind: resolved_kind, userId: resolved_user_id ?? "", keyId: resolved_key_id }
})

/** The columns of a request. */
export const columnsOf = ({ requestedBy, resolvedBy, ...row }: ApprovalRow) => ({
  ...snakeKeys(row),
  input: jsonb(row.input),
  precondition: jsonb(row.precondition),
  question: jsonb(row.question),
  mail_to: jsonb(row.mailTo),
  requested_kind: requestedBy.kind,
  requested_user_id: requestedBy.userId,
  requested_key_id: requestedBy.keyId,
  resolved_kind: resolvedBy?.kind ?? null,
  resolved_user_id: resolvedBy?.userId ?? null,
  resolved_key_id: resolvedBy?.keyId ?? null
})

/** When a request expires, and when it is mailed. */
export const requestWork = (sql: PgClient, { expiresAt, mailAt, organizationId, state }: ApprovalRow) => sql`
  select ${organizationId}, kind, at
  from (values ('approvals', ${state === "pending" ? expiresAt : null}::timestamptz), ('notices', ${mailAt}::timestamptz)) k (kind, at)
  where at is not null`

const requestedAgain = () =>
  new VersionConflict({ message: "The same approval was requested again in the meantime. Decide the newer request." })

/** Reads and settles the requests of the database. */
export const approvals = (sql: PgClient): Approvals => {
  const find = (lock: Fragment) => (organizationId: OrganizationId, id: string) =>
    sql<RequestRow>`
      select * from svc.approval_requests where organization_id = ${organizationId} and id = ${id} ${lock}
    `.pipe(first(requestOf))
  return {
    find: find(sql.literal("")),
    hold: find(sql.literal("for update")),
    list: (organizationId, { hidden, now, requester, state }, request) =>
      sql<RequestRow>`
        select * from svc.approval_requests
        where organization_id = ${organizationId} and command_id <> all(${[...hidden]}::text[])
          and (${state ?? null}::text is null
            or case when state = 'pending' and expires_at <= ${now}::timestamptz then 'expired' else state end = ${state ?? null})
          and (${requester === undefined} or requested_user_id = ${requester?.userId ?? null}
            and requested_key_id is not distinct from ${requester?.keyId ?? null})
          and ${newestFirst(sql, request)}
      `.pipe(page(requestOf, request.limit, (row) => [row.createdAt, row.id])),
    replace: (row) =>
      sql`
        with due as (${noteWork(sql, requestWork(sql, row))})
        update svc.approval_requests set ${sql.update(columnsOf(row), ["organization_id", "id"])}
        where organization_id = ${row.organizationId} and id = ${row.id}
      `.pipe(catchUnique("approval_requests_open", requestedAgain), orUnavailable, Effect.asVoid),
    overdue: (organizationId, now, limit) =>
      sql<Pick<ApprovalRow, "id">>`
        select id from svc.approval_requests
        where organization_id = ${organizationId} and state = 'pending' and expires_at <= ${now}::timestamptz
        order by expires_at, id collate "C" limit ${limit}
      `.pipe(each(({ id }) => id)),
    takeMail: ({ limit, now, organizationId, since, until }) =>
      sql<RequestRow>`
        with due as (
          select id from svc.approval_requests where organization_id = ${organizationId} and mail_at <= ${now}::timestamptz
          order by mail_at limit ${limit} for update skip locked
        )
        update svc.approval_requests r set mail_at =
          case when coalesce(r.resolved_at, r.created_at) >= ${since}::timestamptz then ${until}::timestamptz end
        from due d where r.organization_id = ${organizationId} and r.id = d.id
        returning r.*
      `.pipe(
        each(requestOf),
        Effect.map((taken) => taken.filter(({ mailAt }) => mailAt !== null))
      ),
    putMail: ({ id, mailAt, organizationId, state }, left) =>
      sql`
        update svc.approval_requests set
          mail_to = ${sql.json(left)}, mail_at = case when ${left.length === 0} then null else mail_at end
        where organization_id = ${organizationId} and id = ${id} and state = ${state}
          and mail_at = ${mailAt}::timestamptz
      `.pipe(orUnavailable, Effect.asVoid)
  }
}
