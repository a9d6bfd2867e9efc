/** Counts the records of a workspace in PostgreSQL, in one statement. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type CountKind, type StatusCount, WorkspaceStatusRepo } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

interface CountRow {
  readonly kind: CountKind | "organization"
  readonly state: string
  readonly count: number
}

const isCount = (row: CountRow): row is CountRow & StatusCount => row.kind !== "organization"

/** Counts the records of a workspace in the database. */
export const layer: Layer.Layer<WorkspaceStatusRepo, never, PgClient> = Layer.effect(
  WorkspaceStatusRepo,
  Effect.map(PgClient, (sql) =>
    WorkspaceStatusRepo.of({
      count: (organizationId, { gateway, staleBefore }) =>
        sql<CountRow>`
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
    })
  )
)
