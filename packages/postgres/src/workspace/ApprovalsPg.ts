/** Requests for approval in PostgreSQL. The journal inserts them. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { type ActorKind, type CommandId, type OrganizationId, VersionConflict } from "@svc/core"
import type { ApprovalRow, ApprovalState, Approvals } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { each, first, newestFirst, page } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"

interface RequestRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly command_id: CommandId
  readonly command_hash: string
  readonly input: Readonly<Record<string, unknown>> | null
  readonly precondition: ApprovalRow["precondition"]
  readonly requested_kind: ActorKind
  readonly requested_user_id: string
  readonly requested_key_id: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly state: ApprovalState
  readonly resolved_kind: ActorKind | null
  readonly resolved_user_id: string | null
  readonly resolved_key_id: string | null
  readonly resolved_at: Date | null
  readonly decided_through: string | null
  readonly reason: string
  readonly outcome: string | null
  readonly problem: string
  readonly question: ApprovalRow["question"]
  readonly mail_to: ReadonlyArray<string>
  readonly mail_at: Date | null
}

const requestOf = (row: RequestRow): ApprovalRow => ({
  id: row.id,
  organizationId: row.organization_id,
  commandId: row.command_id,
  commandHash: row.command_hash,
  input: row.input,
  precondition: row.precondition,
  requestedBy: { kind: row.requested_kind, userId: row.requested_user_id, keyId: row.requested_key_id },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: row.state,
  resolvedBy:
    row.resolved_kind === null
      ? null
      : { kind: row.resolved_kind, userId: row.resolved_user_id ?? "", keyId: row.resolved_key_id },
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  decidedThrough: row.decided_through,
  reason: row.reason,
  outcome: row.outcome,
  problem: row.problem,
  question: row.question,
  mailTo: row.mail_to,
  mailAt: row.mail_at?.toISOString() ?? null
})

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
        update svc.approval_requests set
          state = ${row.state}, input = ${row.input === null ? null : sql.json(row.input)},
          resolved_kind = ${row.resolvedBy?.kind ?? null}, resolved_user_id = ${row.resolvedBy?.userId ?? null},
          resolved_key_id = ${row.resolvedBy?.keyId ?? null}, resolved_at = ${row.resolvedAt}::timestamptz,
          decided_through = ${row.decidedThrough}, reason = ${row.reason}, outcome = ${row.outcome},
          problem = ${row.problem}, question = ${row.question === null ? null : sql.json(row.question)},
          mail_to = ${sql.json(row.mailTo)}, mail_at = ${row.mailAt}::timestamptz
        where organization_id = ${row.organizationId} and id = ${row.id}
      `.pipe(catchUnique("approval_requests_open", requestedAgain), orUnavailable, Effect.asVoid),
    overdue: (now, limit) =>
      sql<Pick<RequestRow, "organization_id" | "id">>`
        select organization_id, id from svc.approval_requests where state = 'pending' and expires_at <= ${now}::timestamptz
        order by expires_at, id collate "C" limit ${limit}
      `.pipe(each(({ id, organization_id }) => ({ organizationId: organization_id, id }))),
    takeMail: ({ limit, now, since, until }) =>
      sql<RequestRow>`
        with due as (
          select organization_id, id from svc.approval_requests
          where mail_at <= ${now}::timestamptz and coalesce(resolved_at, created_at) >= ${since}::timestamptz
          order by mail_at limit ${limit} for update skip locked
        )
        update svc.approval_requests r set mail_at = ${until}::timestamptz from due d
        where r.organization_id = d.organization_id and r.id = d.id
        returning r.*
      `.pipe(each(requestOf)),
    putMail: ({ id, mailAt, organizationId, state }, left) =>
      sql`
        update svc.approval_requests set
          mail_to = ${sql.json(left)}, mail_at = case when ${left.length === 0} then null else mail_at end
        where organization_id = ${organizationId} and id = ${id} and state = ${state}
          and mail_at = ${mailAt}::timestamptz
      `.pipe(orUnavailable, Effect.asVoid)
  }
}
