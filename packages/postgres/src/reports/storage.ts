/** How much a database holds, for operators. */
import type { StoreFailure } from "@svc/core"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { schemaOf } from "../inSchema.ts"
import { each } from "../results.ts"

/** A table with its indexes. `rows` is PostgreSQL's estimate; `oldest` is given for tables with rows that have an age. */
export interface TableSize {
  readonly table: string
  readonly bytes: number
  readonly rows: number
  readonly oldest: string | null
}

interface TableRow extends Omit<TableSize, "oldest"> {
  readonly oldest: Date | null
}

/** Every table, largest first, in one statement. Fails with UNAVAILABLE. */
export const tableSizes: Effect.Effect<ReadonlyArray<TableSize>, StoreFailure, SqlClient> = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<TableRow>`
      with oldest (name, at) as (
        select 'idempotency_keys', min(created_at) from svc.idempotency_keys where organization_id is not null
        union all
        select 'webhook_deliveries', min(ended_at) from svc.webhook_deliveries where organization_id is not null
        union all
        select 'import_rows', min(updated_at) from svc.imports
        where organization_id is not null and (rows_deleted_at is null or rows_deleted_at < updated_at)
        union all
        select 'events', min(e.created_at) from svc.organizations o cross join lateral (
          select f.created_at from svc.events f where f.organization_id = o.id
          order by f.sequence limit 1) e
        union all
        select 'audit_entries', min(a.created_at) from svc.organizations o cross join lateral (
          select b.created_at from svc.audit_entries b where b.organization_id = o.id order by b.created_at limit 1) a
      )
      select c.relname as "table", pg_total_relation_size(c.oid)::float8 as bytes,
        greatest(c.reltuples, 0)::float8 as rows, o.at as oldest
      from pg_class c left join oldest o on o.name = c.relname
      where c.relkind = 'r' and c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
      order by bytes desc, c.relname
    `.pipe(each(({ oldest, ...size }) => ({ ...size, oldest: oldest?.toISOString() ?? null })))
)
