/** Requests for approval in PostgreSQL. The journal inserts them. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { ActorKind } from "@svc/core/Actor"
import type { ApprovalRow, ApprovalState } from "@svc/core/approvals/ApprovalRow"
import { ApprovalsRepo } from "@svc/core/approvals/ApprovalsRepo"
import { fail } from "@svc/core/Failure"
import { cutPage } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"

interface RequestRow {
  readonly organization_id: string
  readonly id: string
  readonly command_id: string
  readonly command_hash: string
  readonly input: Readonly<Record<string, unknown>> | null
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
  readonly reason: string
  readonly outcome: string | null
}

const requestOf = (row: RequestRow): ApprovalRow => ({
  id: row.id,
  organizationId: row.organization_id,
  commandId: row.command_id,
  commandHash: row.command_hash,
  input: row.input,
  requestedBy: { kind: row.requested_kind, userId: row.requested_user_id, keyId: row.requested_key_id },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: row.state,
  resolvedBy:
    row.resolved_kind === null
      ? null
      : { kind: row.resolved_kind, userId: row.resolved_user_id ?? "", keyId: row.resolved_key_id },
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  reason: row.reason,
  outcome: row.outcome
})

const asked = () => fail("VERSION_CONFLICT", "The same run was asked for again meanwhile. Decide the newer request.")

/** Reads and settles the requests of the database. */
export const layer: Layer.Layer<ApprovalsRepo, never, PgClient> = Layer.effect(
  ApprovalsRepo,
  Effect.map(PgClient, (sql) =>
    ApprovalsRepo.of({
      find: (organizationId, id) =>
        sql<RequestRow>`
          select * from approval_requests where organization_id = ${organizationId} and id = ${id}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && requestOf(row))
        ),
      hold: (organizationId, id) =>
        sql<RequestRow>`
          select * from approval_requests where organization_id = ${organizationId} and id = ${id} for update
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && requestOf(row))
        ),
      list: (organizationId, { now, state }, { after, limit }) => {
        const [createdAt = null, id = null] = after ?? []
        return sql<RequestRow>`
          select * from approval_requests
          where organization_id = ${organizationId}
            and (${state ?? null}::text is null
              or case when state = 'pending' and expires_at <= ${now}::timestamptz then 'expired' else state end = ${state ?? null})
            and (${createdAt}::timestamptz is null
              or (created_at, id collate "C") < (${createdAt}::timestamptz, ${id}::text collate "C"))
          order by created_at desc, id collate "C" desc limit ${limit + 1}
        `.pipe(
          orUnavailable,
          Effect.map((rows) => cutPage(rows.map(requestOf), limit, (row) => [row.createdAt, row.id]))
        )
      },
      replace: (row) =>
        sql`
          update approval_requests set
            state = ${row.state}, input = ${row.input === null ? null : sql.json(row.input)},
            resolved_kind = ${row.resolvedBy?.kind ?? null}, resolved_user_id = ${row.resolvedBy?.userId ?? null},
            resolved_key_id = ${row.resolvedBy?.keyId ?? null}, resolved_at = ${row.resolvedAt}::timestamptz,
            reason = ${row.reason}, outcome = ${row.outcome}
          where organization_id = ${row.organizationId} and id = ${row.id}
        `.pipe(catchUnique("approval_requests_open", asked), orUnavailable, Effect.asVoid)
    })
  )
)
