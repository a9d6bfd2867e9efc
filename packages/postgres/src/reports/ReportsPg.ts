/** Reports from PostgreSQL: the status and the backlog in one statement each. */

import type { Position } from "@svc/core"
import { finishedStatuses } from "@svc/core/missions"
import * as Reports from "@svc/core/reports"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { searchLeadsPg } from "../leads/searchLeadsPg.ts"
import { repository } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

const dayMillis = 24 * 60 * 60 * 1000

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The days that are in a time range as a whole, and those of which it has a part. */
const daysOf = ({ from, to }: Reports.ActivityWindow) => {
  const [start, end] = [from, to].map((instant) =>
    instant === undefined ? undefined : Date.parse(instant) / dayMillis
  )
  return {
    first: start === undefined ? "-infinity" : dayOf(Math.ceil(start) * dayMillis),
    stop: end === undefined ? "infinity" : dayOf(Math.floor(end) * dayMillis),
    edges: [start, end].flatMap((at) => (at === undefined ? [] : [dayOf(Math.floor(at) * dayMillis)]))
  }
}

interface Counted {
  readonly state: string
  readonly count: number
}

/** Reads reports from the database; the backlog is that of all organizations together. */
export const layer = repository(Reports.ReportsRepo, (sql) => ({
  missionActivity: (organizationId, idOrHandle, window) => {
    const { edges, first, stop } = daysOf(window)
    const { asksWhatWorks = false, from = "-infinity", to = "infinity", unit } = window
    const isAsked = idOrHandle === undefined ? sql`mission_id is not null` : sql`mission_id = (select id from mission)`
    /** Counts the rows of a table by kind and day: whole days off an index alone, days at the edges by their instants. */
    const counted = (table: Fragment, kind: string, day: string, at: string) => {
      const [what, on, when] = [sql.literal(kind), sql.literal(day), sql.literal(at)]
      const rows = sql`select mission_id, ${what} as kind, ${on} as day, count(*)::int as count from ${table}
        where organization_id = ${organizationId} and ${isAsked}`
      const isWhole = sql`${on} >= ${first}::date and ${on} < ${stop}::date`
      return sql`
        ${rows} and ${isWhole} group by 1, 2, 3
        union all
        ${rows} and ${on} = any (${edges}::date[]) and not (${isWhole}) and ${when} >= ${from}::timestamptz
          and ${when} < ${to}::timestamptz group by 1, 2, 3`
    }
    // Of what was written for the mission, each value of one dimension: first for each person, who counts once, then for all.
    const written = sql`, (
        select coalesce(jsonb_agg(to_jsonb(g) - 'mask'), '[]')
        from (
          select mask, case mask when 3 then 'steps' when 5 then 'variations' else 'writers' end as by,
            case mask when 3 then step::text when 5 then variation::text else writer end as value,
            (count(*) filter (where sent > 0))::int as contacted, sum(sent)::int as sent, sum(invited)::int as invited,
            sum(accepted)::int as accepted, (count(*) filter (where is_replied))::int as replied,
            (count(*) filter (where is_positive))::int as positive
          from (
            select lead_id, step, variation, writer, grouping(step, variation, writer) as mask,
              count(*) filter (where kind = 'messages_sent') as sent,
              count(*) filter (where kind = 'invitations_sent') as invited,
              count(*) filter (where kind = 'invitations_sent' and is_answered) as accepted,
              bool_or(kind = 'messages_sent' and is_answered) as is_replied, bool_or(is_positive) as is_positive
            from svc.mission_activity
            where organization_id = ${organizationId} and ${isAsked} and writer is not null
              and at >= ${from}::timestamptz and at < ${to}::timestamptz
            group by grouping sets ((lead_id, step), (lead_id, variation), (lead_id, writer))
          ) p
          group by mask, step, variation, writer
        ) g
      ) as written`
    return sql<Reports.MissionActivity>`
      with mission as (
        select id, handle, name, status from svc.missions
        where organization_id = ${organizationId} and ${
          idOrHandle === undefined ? sql`true` : sql`(id = ${idOrHandle} or handle = ${idOrHandle})`
        }
      ), counted (mission_id, kind, day, count) as materialized (
        ${counted(sql`svc.lead_missions`, "'leads'", "linked_day", "linked_at")}
        union all
        ${counted(sql`svc.linkedin_drafts`, "'draft:' || status", "created_day", "created_at")}
        union all
        ${counted(sql`svc.mission_activity`, "kind", "day", "at")}
      )
      select mission.*, coalesce(c.counts, '[]') as counts${asksWhatWorks ? written : sql``}
      from mission
      left join (
        select mission_id, jsonb_agg(jsonb_build_object(
          'kind', kind, 'period', to_char(date_trunc(${unit}::text, day::timestamp), 'YYYY-MM-DD'), 'count', count)) as counts
        from counted group by mission_id
      ) c on c.mission_id = mission.id
    `.pipe(orUnavailable)
  },
  nextActions: Effect.fnUntraced(function* (organizationId, mission, limit, at) {
    const isShown =
      mission === undefined
        ? sql`m.status <> all (${[...finishedStatuses]}::text[])`
        : sql`(m.id = ${mission} or m.handle = ${mission})`
    const more = sql`, (
        select d.id from svc.linkedin_drafts d
        where d.organization_id = ${organizationId} and d.lead_id = l.id and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
        order by d.created_at desc, d.id collate "C" desc limit 1
      ) as draft_id, (
        select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name)
        from svc.lead_missions k join svc.missions m on m.organization_id = ${organizationId} and m.id = k.mission_id
        where k.organization_id = ${organizationId} and k.lead_id = l.id and ${isShown}
        order by k.linked_at desc, m.id collate "C" desc limit 1
      ) as mission, (
        select a.follow_up || jsonb_build_object('steps', m.steps) from svc.lead_actions a
        join svc.missions m on m.organization_id = ${organizationId} and m.id = a.follow_up ->> 'missionId'
        where a.organization_id = ${organizationId} and a.lead_id = l.id and a.rank = 5
      ) as follow_up`
    const leads: Array<Reports.WaitingLead> = []
    let after: Position | undefined
    do {
      const request = { after, limit: limit - leads.length }
      const page = yield* searchLeadsPg<Pick<Reports.WaitingLead, "draftId" | "followUp" | "mission">>(
        sql,
        organizationId,
        { mission, needsAction: true },
        "action",
        request,
        at,
        more
      )
      for (const {
        action,
        company,
        draftId,
        followUp,
        id,
        jobTitle,
        mission: shown,
        name,
        score,
        status
      } of page.items) {
        if (action === null) continue
        leads.push({ id, name, jobTitle, company, status, score, action, followUp, draftId, mission: shown })
      }
      after = page.next
    } while (after !== undefined && leads.length < limit)
    return leads
  }),
  backlog: sql<Reports.BacklogCount | (Counted & { readonly queue: "connections" })>`
    select case kind when 'message' then 'linkedin' else kind end as queue, state, count(organization_id)::int as count
      from svc.transmissions
      where (kind = 'message' and state in ('queued', 'waiting_relation', 'sending', 'ambiguous'))
        or (kind = 'email' and state in ('queued', 'sending'))
      group by kind, state
    union all
    select 'webhook', 'pending', count(organization_id)::int from svc.webhook_deliveries where state = 'pending'
      having count(*) > 0
    union all
    select 'import', 'running', count(organization_id)::int from svc.imports where state = 'running'
      having count(*) > 0
    union all
    select 'connections', coalesce(state, 'unknown'), count(*)::int from pg_stat_activity
      where datname = current_database() and usename = current_user and application_name = 'svc'
        and backend_type = 'client backend'
      group by state
  `.pipe(
    orUnavailable,
    Effect.map((rows) => ({
      waiting: rows.filter((row) => row.queue !== "connections"),
      connections: rows.filter(({ queue }) => queue === "connections").map(({ count, state }) => ({ state, count }))
    }))
  ),
  status: (organizationId, { gateway, staleBefore }) =>
    sql<Reports.StatusCount | (Counted & { readonly kind: "organization" })>`
      select 'organization' as kind, name as state, 0 as count from svc.organizations where id = ${organizationId}
      union all
      select 'offers', case when is_draft then 'draft' else 'ready' end as state, count(*)::int from svc.offers
        where organization_id = ${organizationId} group by state
      union all
      select 'leads', status, count(*)::int from svc.leads
        where organization_id = ${organizationId} and merged_into is null group by status
      union all
      select 'missions', status, count(*)::int from svc.missions
        where organization_id = ${organizationId} group by status
      union all
      select 'agents', 'live', count(*)::int from svc.agents
        where organization_id = ${organizationId} and deleted_at is null having count(*) > 0
      union all
      select 'drafts', status, count(*)::int from svc.linkedin_drafts
        where organization_id = ${organizationId} group by status
      union all
      select 'queue', state, count(*)::int from svc.transmissions
        where organization_id = ${organizationId} and kind = 'message' group by state
      union all
      select 'imports', case when state = 'running' and updated_at < ${staleBefore}::timestamptz
          then 'interrupted' else state end as shown, count(*)::int
        from svc.imports where organization_id = ${organizationId} group by shown
      union all
      select 'accounts', c.status, count(*)::int from svc.linkedin_accounts c
        join svc.agents a on a.organization_id = ${organizationId} and a.id = c.agent_id and a.deleted_at is null
        where c.organization_id = ${organizationId} and c.gateway = ${gateway} and c.unlinked_at is null
        group by c.status
    `.pipe(
      orUnavailable,
      Effect.map((rows) => ({
        organizationName: rows.find(({ kind }) => kind === "organization")?.state,
        counts: rows.filter((row) => row.kind !== "organization")
      }))
    )
}))
