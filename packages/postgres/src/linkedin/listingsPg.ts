/** Queue items, paces and usage as people read them, in PostgreSQL: one statement each. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { WorkingHours } from "@svc/core/agents/WorkingHours"
import type { LinkedInTier } from "@svc/core/linkedin/LinkedInAccount"
import type { PaceFacts } from "@svc/core/linkedin/pacing/Pacing"
import type { LimitOverrides, UsageAction } from "@svc/core/linkedin/pacing/UsageLimits"
import type { AccountUsage, ListedItem, QueueRepo } from "@svc/core/linkedin/QueueRepo"
import { cutPage } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import { orUnavailable } from "../SqlFailure.ts"
import { type ItemColumns, itemOf, type LeaseColumns } from "./draftRows.ts"
import { type HoldColumns, holdColumns, holdOf } from "./holdColumns.ts"

interface PaceColumns extends HoldColumns {
  readonly account_id: string
  readonly limits: LimitOverrides
  readonly ramp: boolean
  readonly served_at: Date | null
  readonly tier: LinkedInTier
  readonly created_at: Date
  readonly timezone: string
  readonly working_hours: WorkingHours
  readonly smart: boolean
}

interface UsageColumns extends PaceColumns {
  readonly done: ReadonlyArray<{ readonly action: UsageAction; readonly at: string }>
  readonly waiting: ReadonlyArray<{
    readonly queue_id: string
    readonly not_before: string
    readonly bypass: boolean
    readonly zone: string | null
  }>
  readonly inviting: ReadonlyArray<{
    readonly queue_id: string
    readonly not_before: string
    readonly bypass: boolean
    readonly zone: string | null
    readonly with_note: boolean
  }>
}

interface ListColumns extends ItemColumns<Date>, LeaseColumns<Date>, HoldColumns {
  readonly is_mission_active: boolean
  readonly position: number | null
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

const factsOf = (row: PaceColumns): PaceFacts => ({
  ...holdOf(row),
  limits: row.limits,
  ramp: row.ramp,
  servedAt: iso(row.served_at),
  accountId: row.account_id,
  tier: row.tier,
  createdAt: row.created_at.toISOString(),
  timezone: row.timezone,
  workingHours: row.working_hours,
  smart: row.smart
})

const usageOf = (row: UsageColumns): AccountUsage => ({
  ...factsOf(row),
  done: row.done.map(({ action, at }) => ({ action, at: new Date(at).toISOString() })),
  waiting: row.waiting.map((item) => ({
    queueId: item.queue_id,
    notBefore: new Date(item.not_before).toISOString(),
    bypass: item.bypass,
    leadTimezone: item.zone
  })),
  inviting: row.inviting.map((one) => ({
    queueId: one.queue_id,
    notBefore: new Date(one.not_before).toISOString(),
    bypass: one.bypass,
    leadTimezone: one.zone,
    action: one.with_note ? "invitation_with_note" : "invitation"
  }))
})

const listedOf = (row: ListColumns): ListedItem => ({
  item: itemOf(row),
  hold: holdOf(row),
  isMissionActive: row.is_mission_active,
  position: row.position
})

/** Reads items, paces and usage. */
export const listingsPg = (sql: PgClient): Pick<QueueRepo["Service"], "pace" | "list" | "item" | "usage"> => {
  const facts = sql.literal(`c.id as account_id, coalesce(p.limits, '{}') as limits, coalesce(p.ramp, true) as ramp,
    p.served_at, ${holdColumns},
    c.tier, c.created_at, a.profile ->> 'timezone' as timezone, a.profile -> 'workingHours' as working_hours,
    (a.profile ->> 'smartDeliverability')::boolean as smart`)
  const agent = sql.literal("join agents a on a.organization_id = c.organization_id and a.id = c.agent_id")
  const pace = sql.literal("linkedin_pacing p on p.organization_id = c.organization_id and p.account_id = c.id")
  const listed = sql.literal(`
    select q.*, ${holdColumns},
      d.mission_id is null or m.status = 'ACTIVE' as is_mission_active,
      case when q.state in ('queued', 'waiting_relation') then (
        select 1 + count(*)::int from linkedin_queue o
        where o.organization_id = q.organization_id and o.account_id = q.account_id
          and o.state in ('queued', 'waiting_relation')
          and (not o.bypass, o.not_before, o.id collate "C") < (not q.bypass, q.not_before, q.id collate "C")
      ) end as position
    from linkedin_queue q
    join linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
    left join missions m on m.organization_id = d.organization_id and m.id = d.mission_id
    left join linkedin_pacing p on p.organization_id = q.organization_id and p.account_id = q.account_id`)

  return {
    pace: (organizationId, accountId, leadId) =>
      sql<PaceColumns & { readonly lead_zone: string | null }>`
        select ${facts}, (
          select nullif(l.profile ->> 'timezone', '') from leads l
          where l.organization_id = ${organizationId} and l.id = ${leadId}) as lead_zone
        from linkedin_accounts c ${agent} left join ${pace}
        where c.organization_id = ${organizationId} and c.id = ${accountId}
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => (row === undefined ? undefined : { facts: factsOf(row), leadTimezone: row.lead_zone }))
      ),
    list: (organizationId, { accountId = null, states }, { after, limit }) =>
      sql<ListColumns>`
        ${listed}
        where q.organization_id = ${organizationId} and q.state = any (${[...states]}::text[])
          and (${accountId}::text is null or q.account_id = ${accountId}::text)
          and (${after?.[0] ?? null}::text is null or q.id collate "C" > ${after?.[0] ?? null}::text collate "C")
        order by q.id collate "C" limit ${limit + 1}
      `.pipe(
        orUnavailable,
        Effect.map((rows) => cutPage(rows.map(listedOf), limit, ({ item }) => [item.id]))
      ),
    item: (organizationId, itemId) =>
      sql<ListColumns>`${listed} where q.organization_id = ${organizationId} and q.id = ${itemId}`.pipe(
        orUnavailable,
        Effect.map(([row]) => (row === undefined ? undefined : listedOf(row)))
      ),
    usage: (organizationId, { accountId = null, gateway }, since) =>
      sql<UsageColumns>`
        select ${facts}, (
          select coalesce(jsonb_agg(jsonb_build_object('action', t.action, 'at', t.started_at) order by t.started_at), '[]')
          from linkedin_attempts t
          where t.organization_id = ${organizationId} and t.account_id = c.id and t.started_at > ${since}::timestamptz
            and (t.outcome is null or t.outcome in ('confirmed', 'unknown'))) as done, (
          select coalesce(jsonb_agg(jsonb_build_object('queue_id', w.id, 'not_before', w.not_before, 'bypass', w.bypass,
            'zone', w.zone) order by not w.bypass, w.not_before, w.id collate "C"), '[]')
          from (
            select q.id, q.not_before, q.bypass, nullif(l.profile ->> 'timezone', '') as zone
            from linkedin_queue q join leads l on l.organization_id = q.organization_id and l.id = q.lead_id
            where q.organization_id = ${organizationId} and q.account_id = c.id and q.state = 'queued'
            order by not q.bypass, q.not_before, q.id collate "C" limit 500
          ) w) as waiting, (
          select coalesce(jsonb_agg(jsonb_build_object('queue_id', w.id, 'not_before', w.not_before, 'bypass', w.bypass,
            'zone', w.zone, 'with_note', w.with_note) order by not w.bypass, w.not_before, w.id collate "C"), '[]')
          from (
            select v.id, coalesce(v.not_before, ${since}::timestamptz) as not_before, v.bypass, v.note is not null as with_note,
              nullif(l.profile ->> 'timezone', '') as zone
            from linkedin_invitations v join leads l on l.organization_id = v.organization_id and l.id = v.lead_id
            where v.organization_id = ${organizationId} and v.account_id = c.id and v.state = 'queued'
            order by not v.bypass, v.not_before, v.id collate "C" limit 500
          ) w) as inviting
        from linkedin_accounts c ${agent} left join ${pace}
        where c.organization_id = ${organizationId} and c.gateway = ${gateway} and c.unlinked_at is null
          and a.deleted_at is null
          and (${accountId}::text is null or c.id = ${accountId}::text)
        order by c.id collate "C"
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(usageOf))
      )
  }
}
