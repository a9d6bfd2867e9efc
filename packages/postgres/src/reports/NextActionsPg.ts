/**
 * The next actions in PostgreSQL: the same as searching leads by next action, but read from the few candidates of each
 * action.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { finishedStatuses } from "@svc/core/missions"
import type { ReportsRepo, WaitingLead } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import { actionRanks, actionSource, hasRank, hintEarlyStop, leadAction } from "../leads/leadAction.ts"
import { inMission, namedMission } from "../leads/namedMission.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** The first leads to act on, of one mission or of all. */
export const nextActions = (sql: PgClient): ReportsRepo["Service"]["nextActions"] =>
  Effect.fnUntraced(function* (organizationId, wanted, limit, at) {
    const scope = { organizationId, at }
    const mission = wanted === undefined ? undefined : yield* orUnavailable(namedMission(sql, organizationId, wanted))
    if (wanted !== undefined && mission === undefined) return []
    const isMeant = mission === undefined ? sql`true` : inMission(sql, organizationId, mission)
    const isShown =
      mission === undefined ? sql`m.status <> all (${finishedStatuses}::text[])` : sql`m.id = ${mission.id}::text`
    const firstOf = (rank: number) => sql`(
      select l.id, n.action, n.rank
      from (
        -- In the order of the list, so that no more of them are looked at closely than it takes.
        select - l.score as place, l.id collate "C" as key, l.id from svc.leads l
        where l.organization_id = ${organizationId} and l.merged_into is null
          and ${actionSource(sql, scope, rank)} and ${isMeant}
        order by 1, 2 ${hintEarlyStop(sql)}
      ) c
      cross join lateral (
        select * from svc.leads l where l.organization_id = ${organizationId} and l.id = c.id offset 0) l
      cross join lateral ${leadAction(sql, scope)} n
      where ${hasRank(sql, rank)}
      order by c.place, c.key limit ${limit})`
    return yield* sql<WaitingLead>`
      with listed as (
        select l.id, l.name, l.job_title, l.company, l.status, l.score, f.action, f.rank, open.id as draft_id
        from (${sql.join(" union all ", false)(actionRanks.map(firstOf))}) f
        join svc.leads l on l.organization_id = ${organizationId} and l.id = f.id
        left join lateral (
          select d.id from svc.linkedin_drafts d
          where d.organization_id = ${organizationId} and d.lead_id = l.id
            and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
          order by d.created_at desc, d.id collate "C" desc limit 1
        ) open on true
        order by f.rank, - l.score, l.id collate "C" limit ${limit}
      )
      select w.id, w.name, w.job_title as "jobTitle", w.company, w.status, w.score, w.action, w.draft_id as "draftId", (
          select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name)
          from svc.lead_missions k join svc.missions m on m.organization_id = ${organizationId} and m.id = k.mission_id
          where k.organization_id = ${organizationId} and k.lead_id = w.id
            and ${isShown}
          order by k.linked_at desc, m.id collate "C" desc limit 1
        ) as mission
      from listed w
      order by w.rank, - w.score, w.id collate "C"
    `.unprepared.pipe(orUnavailable)
  })
