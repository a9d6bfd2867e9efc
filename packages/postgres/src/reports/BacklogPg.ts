/** Counts the backlog in PostgreSQL, in one statement over indexes of pending rows. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { Backlog, type BacklogCount, type BacklogQueue } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

interface CountRow {
  readonly queue: BacklogQueue | "connections"
  readonly state: string
  readonly count: number
}

const isWaiting = (row: CountRow): row is CountRow & BacklogCount => row.queue !== "connections"

/** Counts the backlog of all organizations together. */
export const layer: Layer.Layer<Backlog, never, PgClient> = Layer.effect(
  Backlog,
  Effect.map(PgClient, (sql) =>
    Backlog.of({
      read: sql<CountRow>`
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
      )
    })
  )
)
