/** Suppressions as rows of the database, and the statements that several repositories need. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId } from "@svc/core"
import {
  type Suppressible,
  type SuppressionKind,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columnParameter.ts"
import { entryOf } from "./leadRows.ts"

/** A row of the table. */
export interface SuppressionTableRow {
  readonly organization_id: OrganizationId
  readonly kind: SuppressionKind
  readonly value: string
  readonly lead_id: LeadId | null
  readonly reason: string
  readonly until: Date | null
  readonly created_at: Date
}

/** An entry as the program has it. */
export const suppressionRowOf = (row: SuppressionTableRow): SuppressionRow => ({
  organizationId: row.organization_id,
  kind: row.kind,
  value: row.value,
  leadId: row.lead_id,
  reason: row.reason,
  until: row.until?.toISOString() ?? null,
  createdAt: row.created_at.toISOString()
})

/** The parameter that stores an entry. */
export const suppressionColumns = ({ createdAt, kind, leadId, reason, until, value }: SuppressionRow) => ({
  kind,
  value,
  lead_id: leadId,
  reason,
  until,
  created_at: createdAt
})

/** A match of `svc_suppressions_of`. */
export const matchOf = ({ entry, kind, value }: SuppressionMatch): SuppressionMatch => ({
  kind,
  value,
  entry: entryOf(entry)
})

/** Finds the entries and tombstones of identifiers, in one statement. */
export const findSuppressions = (
  sql: PgClient,
  organizationId: OrganizationId,
  identifiers: ReadonlyArray<Suppressible>,
  hashes: ReadonlyArray<string | null>
) =>
  Effect.map(
    sql<SuppressionMatch>`
      select kind, value, entry from svc.svc_suppressions_of(${organizationId},
        ${texts(identifiers.map(({ kind }) => kind))}, ${texts(identifiers.map(({ value }) => value))}, ${texts(hashes)})
    `,
    (rows) => rows.map(matchOf)
  )

/** Stores entries without shortening any, and returns them with whether they changed. */
export const addSuppressions = (sql: PgClient, organizationId: OrganizationId, rows: ReadonlyArray<SuppressionRow>) =>
  sql<SuppressionTableRow & { readonly is_written: boolean }>`
    with given as (
      select * from jsonb_to_recordset(${sql.json(rows.map(suppressionColumns))}) as r (
        kind text, value text, lead_id text, reason text, until timestamptz, created_at timestamptz)
    ), written as (
      insert into svc.suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
      select ${organizationId}, g.* from given g
      on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until,
        lead_id = coalesce(excluded.lead_id, s.lead_id)
        where s.organization_id = ${organizationId} and ((s.until is not null
          and (excluded.until is null or excluded.until > s.until)) or (s.until is not distinct from excluded.until
          and s.reason <> excluded.reason and excluded.reason <> ${statusReason}))
      returning *
    )
    select w.*, true as is_written from written w
    union all
    select s.*, false from given g
    join svc.suppressions s on s.organization_id = ${organizationId} and s.kind = g.kind and s.value = g.value
    where not exists (select 1 from written w where w.kind = g.kind and w.value = g.value)
  `
