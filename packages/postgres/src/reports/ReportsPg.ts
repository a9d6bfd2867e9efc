/** Reports from PostgreSQL: the status and the backlog in one statement each. */
import { type BacklogCount, type BacklogQueue, type CountKind, ReportsRepo, type StatusCount } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import { repository } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { missionActivity } from "./MissionReportPg.ts"
import { nextActions } from "./NextActionsPg.ts"

interface BacklogRow {
  readonly queue: BacklogQueue | "connections"
  readonly state: string
  readonly count: number
}

interface StatusRow {
  readonly kind: CountKind | "organization"
  readonly state: string
  readonly count: number
}

const isWaiting = (row: BacklogRow): row is BacklogRow & BacklogCount => row.queue !== "connections"

const isCount = (row: StatusRow): row is StatusRow & StatusCount => row.kind !== "organization"

/** Reads reports from the database; the backlog is that of all organizations together. */
export const layer = repository(ReportsRepo, (sql) => ({
  missionActivity: missionActivity(sql),
  nextActions: nextActions(sql),
  backlog: sql<BacklogRow>`
    select case kind when 'message' then 'linkedin' else kind end as queue, state, count(organization_id)::int as count
      from svc.transmissions
      where (kind = 'message' and state in ('queued', 'waiting_relation', 'sending', 'ambiguous'))
        or (kind = 'email' and state in ('queued', 'sending'))
      group by kind, state
    union all
    select 'webhook', 'pending', count(organization_id)::int from svc.webhook_deliveries where state = 'pending'
    union all
    select 'import', 'running', count(organization_id)::int from svc.imports where state = 'running'
    union all
    select 'connections', coalesce(state, 'unknown'), count(*)::int from pg_stat_activity
      where datname = current_database() and usename = current_user and application_name = 'svc'
        and backend_type = 'client backend'
      group by state
  `.pipe(
    orUnavailable,
    Effect.map((rows) => ({
      waiting: rows.filter(isWaiting).filter(({ count }) => count > 0),
      connections: rows.filter(({ queue }) => queue === "connections").map(({ count, state }) => ({ state, count }))
    }))
  ),
  status: (organizationId, { gateway, staleBefore }) =>
    sql<StatusRow>`
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
        where organization_id = ${organizationId} and deleted_at is null
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
        counts: rows.filter(isCount).filter(({ count }) => count > 0)
      }))
    )
}))
