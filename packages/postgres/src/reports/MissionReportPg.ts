/** Mission reports in PostgreSQL. The rule is that of `MissionStatistics.ts`. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { ActivityWindow, MissionActivity, ReportsRepo } from "@svc/core/reports"
import type { Fragment } from "effect/sql/Statement"
import { orUnavailable } from "../SqlFailure.ts"

const dayMillis = 24 * 60 * 60 * 1000

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The days that are in a time range as a whole, and those of which it has a part. */
const daysOf = ({ from, to }: ActivityWindow) => {
  const [start, end] = [from, to].map((instant) =>
    instant === undefined ? undefined : Date.parse(instant) / dayMillis
  )
  return {
    first: start === undefined ? "-infinity" : dayOf(Math.ceil(start) * dayMillis),
    stop: end === undefined ? "infinity" : dayOf(Math.floor(end) * dayMillis),
    edges: [start, end].flatMap((at) => (at === undefined ? [] : [dayOf(Math.floor(at) * dayMillis)]))
  }
}

/** The activity of one mission, by id or handle, or of all. */
export const missionActivity =
  (sql: PgClient): ReportsRepo["Service"]["missionActivity"] =>
  (organizationId, idOrHandle, window) => {
    const { edges, first, stop } = daysOf(window)
    const { from = "-infinity", to = "infinity", unit } = window
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
    return sql<MissionActivity>`
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
      select mission.*, coalesce(c.counts, '[]') as counts
      from mission
      left join (
        select mission_id, jsonb_agg(jsonb_build_object(
          'kind', kind, 'period', to_char(date_trunc(${unit}::text, day::timestamp), 'YYYY-MM-DD'), 'count', count)) as counts
        from counted group by mission_id
      ) c on c.mission_id = mission.id
    `.pipe(orUnavailable)
  }
