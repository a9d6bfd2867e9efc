/** Taking, leasing and starting transmissions in PostgreSQL, one statement for each method. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { DraftId, LeadId, OrganizationId } from "@svc/core"
import type { Due, TransmissionsRepo } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { type LeaseClock, leasing } from "../background/leases.ts"
import { orUnavailable } from "../SqlFailure.ts"

interface DueColumns {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly lead_id: LeadId
  readonly draft_id: DraftId | null
  readonly state: Due["state"]
  readonly fence: number
}

const dueOf = (row: DueColumns): Due => ({
  organizationId: row.organization_id,
  id: row.id,
  leadId: row.lead_id,
  draftId: row.draft_id,
  state: row.state,
  fence: row.fence
})

/** Takes and starts transmissions in the database, with leases on the given clock. */
export const turnsPg = (
  sql: PgClient,
  clock: LeaseClock
): Pick<TransmissionsRepo["Service"], "take" | "takeUnsettled" | "renew" | "begin"> => {
  const lease = leasing(sql, clock)
  const columns = sql.literal("q.organization_id, q.id, q.lead_id, q.draft_id, q.state, q.fence")
  const due = Effect.map((rows: ReadonlyArray<DueColumns>) => rows.map(dueOf))
  return {
    take: ({ isPaced, kind, leaseSeconds, limit, now, organizationId = null }) =>
      sql<DueColumns>`
        select ${columns} from svc.svc_take(${organizationId}::text, ${kind}, ${now}::timestamptz, ${isPaced}::boolean,
          ${limit}::integer, ${leaseSeconds}::integer, ${clock(now)}) q
      `.pipe(orUnavailable, due),
    takeUnsettled: ({ kind, leaseSeconds, limit, now, organizationId = null, state }) =>
      sql<DueColumns>`
        with found as materialized (
          select q.organization_id, q.id from svc.transmissions q
          where q.kind = ${kind} and ${sql.literal(state === "sending" ? "q.state = 'sending'" : "q.state = 'ambiguous'")}
            and ${lease.isFree("q", now)}
            ${state === "sending" ? sql`` : sql`and q.not_before <= ${now}::timestamptz`}
            and (${organizationId}::text is null or q.organization_id = ${organizationId}::text)
          order by q.not_before nulls first, q.id collate "C" limit ${limit} for update of q skip locked
        )
        update svc.transmissions q set ${lease.take("q", now, leaseSeconds)}
        from found f where q.organization_id = f.organization_id and q.id = f.id
        returning ${columns}
      `.pipe(orUnavailable, due),
    renew: lease.renewIn("transmissions"),
    begin: ({ attempt, fence = null, gapSeconds, leaseSeconds, updatedAt }) => {
      const { accountId, organizationId, queueItemId, startedAt } = attempt
      return sql<{ readonly fence: number }>`
        with begun as (
          update svc.transmissions q set account_id = ${accountId}, state = 'sending', reason = null,
            not_before = null, attempts = ${attempt.number}::integer, updated_at = ${updatedAt}::timestamptz,
            ${lease.take("q", startedAt, leaseSeconds)}
          where q.organization_id = ${organizationId} and q.id = ${queueItemId}
            and (${fence}::integer is null or q.fence = ${fence}::integer)
          returning q.fence
        ), noted as (
          insert into svc.linkedin_attempts (organization_id, queue_item_id, number, account_id, action, started_at)
          select ${organizationId}, ${queueItemId}, ${attempt.number}::integer, ${accountId}, ${attempt.action},
            ${startedAt}::timestamptz
          from begun
        ), rested as (
          update svc.senders p set next_at = ${startedAt}::timestamptz + make_interval(secs => ${gapSeconds}::integer)
          from begun
          where ${gapSeconds}::integer is not null and p.organization_id = ${organizationId} and p.sender_id = ${accountId}
        )
        select fence from begun
      `.pipe(
        orUnavailable,
        Effect.map(([begun]) => begun?.fence)
      )
    }
  }
}
