/** Leases, the beginning of transmissions and holds in PostgreSQL: one statement each. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Begun, DueSend, QueueRepo } from "@svc/core/linkedin/QueueRepo"
import { isoFromMillis, now as present } from "@svc/core/Time"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { orUnavailable } from "../SqlFailure.ts"

/** The instant that leases are measured by, given the process's own. */
export type LeaseClock = (now: string) => Fragment

/** Something due, as a statement answers it. */
export interface DueColumns {
  readonly organization_id: string
  readonly draft_id: string
  readonly queue_item_id: string | null
  readonly is_stale: boolean
  readonly due: Date
  readonly fence: number
}

/** Something due out of its columns. */
export const dueOf = (row: DueColumns): DueSend => ({
  organizationId: row.organization_id,
  draftId: row.draft_id,
  queueItemId: row.queue_item_id,
  isStale: row.is_stale,
  due: row.due.toISOString(),
  fence: row.fence
})

interface Answer {
  readonly answer: {
    readonly fence?: number
    readonly held?: "spacing" | "usage_limit" | "limit"
    readonly until?: string
  }
}

const begunOf = ({ fence, held, until }: Answer["answer"]): Begun => {
  if (fence !== undefined) return { _tag: "Begun", fence }
  if (held === undefined || until === undefined) return { _tag: "Lost" }
  return { _tag: "Held", reason: held, until: isoFromMillis(Math.ceil(Date.parse(until))) }
}

/** Takes, renews and begins; holds and stops accounts. */
export const leasesPg = (
  sql: PgClient,
  clock: LeaseClock
): Pick<QueueRepo["Service"], "take" | "takeUnknown" | "renew" | "begin" | "hold" | "stop" | "setLimits"> => {
  // Text of statements; q, d and m are the item, its draft and the mission of that, p the account's pace.
  const surroundings = sql.literal(`
    join linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
      and d.queue_item_id = q.id and d.status = 'READY_TO_SEND'
    left join missions m on m.organization_id = d.organization_id and m.id = d.mission_id`)

  return {
    take: ({ isPaced, leaseSeconds, limit, now, organizationId = null }) => {
      const ready = sql`
        q.organization_id = p.organization_id and q.account_id = p.account_id
        and q.state in ('queued', 'waiting_relation') and q.not_before <= ${now}::timestamptz
        and (q.lease_until is null or q.lease_until <= ${clock(now)})
        and (q.bypass or d.mission_id is null or m.status = 'ACTIVE')
        and (q.state = 'waiting_relation' or (
          (q.invite or p.message_stopped_until is null or p.message_stopped_until <= ${now}::timestamptz)
          and (q.bypass or not ${isPaced}::boolean
            or greatest(p.look_at, p.next_at, '-infinity') <= ${now}::timestamptz)))`
      return sql<DueColumns>`
        with turns as materialized (
          select p.* from linkedin_pacing p
          where (${organizationId}::text is null or p.organization_id = ${organizationId}::text)
            and exists (select 1 from linkedin_queue q ${surroundings} where ${ready})
          order by p.served_at nulls first, p.organization_id, p.account_id
          limit ${limit} for update of p skip locked
        ), found as materialized (
          select q.organization_id, q.id, p.served_at, p.account_id, row_number() over (
            partition by p.organization_id, p.account_id order by q.not_before, q.id collate "C") as place
          from turns p cross join lateral (
            select q.organization_id, q.id, q.not_before from linkedin_queue q ${surroundings}
            where ${ready}
            order by q.not_before, q.id collate "C" limit ${limit} for update of q skip locked
          ) q
        ), chosen as materialized (
          select * from found order by place, served_at nulls first, organization_id, account_id limit ${limit}
        ), served as (
          update linkedin_pacing p set served_at = clock_timestamp()
          from (select distinct organization_id, account_id from chosen) c
          where p.organization_id = c.organization_id and p.account_id = c.account_id
        )
        update linkedin_queue q set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds}),
          fence = q.fence + 1
        from chosen c where q.organization_id = c.organization_id and q.id = c.id
        returning q.organization_id, q.draft_id, q.id as queue_item_id, false as is_stale, q.not_before as due, q.fence
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(dueOf))
      )
    },
    takeUnknown: ({ leaseSeconds, limit, now, organizationId = null }) =>
      sql<DueColumns>`
        with found as materialized (
          select q.organization_id, q.id from linkedin_queue q
          where q.state = 'ambiguous' and q.not_before <= ${now}::timestamptz
            and (q.lease_until is null or q.lease_until <= ${clock(now)})
            and (${organizationId}::text is null or q.organization_id = ${organizationId}::text)
          order by q.not_before, q.id collate "C" limit ${limit} for update of q skip locked
        )
        update linkedin_queue q set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds}),
          fence = q.fence + 1
        from found f where q.organization_id = f.organization_id and q.id = f.id
        returning q.organization_id, q.draft_id, q.id as queue_item_id, false as is_stale, q.not_before as due, q.fence
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(dueOf))
      ),
    renew: (organizationId, itemId, fence, leaseSeconds) =>
      Effect.flatMap(present, (now) =>
        sql`
          update linkedin_queue set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds})
          where organization_id = ${organizationId} and id = ${itemId} and fence = ${fence} and lease_until is not null
          returning id
        `.pipe(
          orUnavailable,
          Effect.map((rows) => rows.length > 0)
        )
      ),
    begin: ({ attempt, caps, fence, gapSeconds, item, leaseSeconds }) => {
      const itemJson = sql.json({ id: item.id, attempts: item.attempts, updated_at: item.updatedAt })
      const attemptJson = sql.json({
        account_id: attempt.accountId,
        action: attempt.action,
        started_at: attempt.startedAt,
        number: attempt.number
      })
      return sql<Answer>`
        select svc_begin_attempt(${item.organizationId}, ${itemJson}, ${attemptJson}, ${fence ?? null}::integer,
          ${caps !== null}::boolean, ${caps?.day ?? null}::integer, ${caps?.week ?? null}::integer,
          ${gapSeconds}::integer, ${clock(attempt.startedAt)}, ${leaseSeconds}::integer) as answer
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => begunOf(row?.answer ?? {}))
      )
    },
    hold: (organizationId, accountId, { lookAt, reason, until }) =>
      sql`
        update linkedin_pacing set paced_reason = ${reason}, paced_until = ${until}::timestamptz,
          look_at = ${lookAt}::timestamptz
        where organization_id = ${organizationId} and account_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    stop: (organizationId, accountId, action, until) =>
      sql`
        update linkedin_pacing set
          message_stopped_until = case when ${action} = 'message' then ${until}::timestamptz
            else message_stopped_until end,
          invitation_stopped_until = case when ${action} = 'invitation' then ${until}::timestamptz
            else invitation_stopped_until end
        where organization_id = ${organizationId} and account_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    setLimits: (organizationId, accountId, limits, ramp) =>
      sql`
        insert into linkedin_pacing (organization_id, account_id, limits, ramp)
        values (${organizationId}, ${accountId}, ${JSON.stringify(limits)}::jsonb, ${ramp})
        on conflict (organization_id, account_id) do update set limits = excluded.limits, ramp = excluded.ramp,
          paced_until = null, paced_reason = null, look_at = null, invitation_paced_until = null,
          invitation_paced_reason = null, invitation_look_at = null
      `.pipe(orUnavailable, Effect.asVoid)
  }
}
