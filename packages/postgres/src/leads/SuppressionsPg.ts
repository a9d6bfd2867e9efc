/** Suppressions in PostgreSQL, one statement for each method. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage } from "@svc/core"
import type { PrivacyRepo, SuppressionEntry, SuppressionRow } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columnParameter.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { entryOf } from "./leadRows.ts"
import { addSuppressions, findSuppressions, type SuppressionTableRow, suppressionRowOf } from "./suppressionRows.ts"
import type { Tombstones } from "./Tombstones.ts"

/** An empty page is one row with only the counts. */
type PageRow = (SuppressionTableRow | { readonly kind: null }) & {
  readonly total: number
  readonly tombstones: number
}

interface LiftedRow {
  readonly rows: ReadonlyArray<
    Omit<SuppressionTableRow, "until" | "created_at"> & Record<"until" | "created_at", string>
  >
  readonly tombstones: number
}

const instant = (text: string): Date => new Date(text)

/** Keeps suppressions in the database. */
export const suppressionsPg = (
  sql: PgClient,
  hashesOf: Tombstones["Service"]["hashesOf"]
): Omit<PrivacyRepo["Service"], "readFile" | "erase"> => ({
  findSuppressions: (organizationId, identifiers) =>
    orUnavailable(findSuppressions(sql, organizationId, identifiers, hashesOf(organizationId, identifiers))),
  suppressionsOfLead: (organizationId, leadId) =>
    sql<{ readonly entries: ReadonlyArray<SuppressionEntry> }>`
          select svc.svc_suppressions_of_lead(${organizationId}, ${leadId}) as entries
        `.pipe(
      orUnavailable,
      Effect.map(([row]) => (row?.entries ?? []).map(entryOf))
    ),
  addSuppressions: (organizationId, rows) =>
    addSuppressions(sql, organizationId, rows).pipe(
      orUnavailable,
      Effect.map((stored) => ({
        rows: stored.map(suppressionRowOf),
        written: stored.filter(({ is_written }) => is_written).length
      }))
    ),
  liftSuppressions: (organizationId, identifiers, leadId) => {
    const kinds = identifiers.map(({ kind }) => kind)
    const values = identifiers.map(({ value }) => value)
    return sql<LiftedRow>`
          with given as (
            select distinct * from unnest(${kinds}::text[], ${values}::text[]) as g (kind, value)
          ), erased as (
            select t.lead_id from svc.tombstones t
            where t.organization_id = ${organizationId} and t.hash = any (${texts(hashesOf(organizationId, identifiers))})
            union
            select ${leadId ?? null}::text
          ), lifted as (
            delete from svc.tombstones t using erased e
            where t.organization_id = ${organizationId} and t.lead_id = e.lead_id
            returning t.hash
          ), gone as (
            delete from svc.suppressions s
            where s.organization_id = ${organizationId} and (s.lead_id = ${leadId ?? null}::text
              or exists (select 1 from given g where g.kind = s.kind and g.value = s.value))
            returning s.*
          )
          select (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from gone g) as rows,
            (select count(*)::integer from lifted) as tombstones
        `.pipe(
      orUnavailable,
      Effect.map(([found]) => ({
        rows: (found?.rows ?? []).map((row) =>
          suppressionRowOf({
            ...row,
            until: row.until === null ? null : instant(row.until),
            created_at: instant(row.created_at)
          })
        ),
        tombstones: found?.tombstones ?? 0
      }))
    )
  },
  listSuppressions: (organizationId, { after, limit }) =>
    sql<PageRow>`
          select counted.total, counted.tombstones, page.*
          from (
            select (select count(*)::integer from svc.suppressions where organization_id = ${organizationId}) as total,
              (select count(*)::integer from svc.tombstones where organization_id = ${organizationId}) as tombstones
          ) counted
          left join (
            select * from svc.suppressions
            where organization_id = ${organizationId} and (${after === undefined}::boolean
              or (created_at, kind collate "C", value collate "C") < (${after?.[0] ?? null}::timestamptz,
                ${after?.[1] ?? null}::text collate "C", ${after?.[2] ?? null}::text collate "C"))
            order by created_at desc, kind collate "C" desc, value collate "C" desc limit ${limit + 1}
          ) page on true
          order by created_at desc, kind collate "C" desc, value collate "C" desc
        `.pipe(
      orUnavailable,
      Effect.map((rows) => {
        const items = rows.flatMap((row) => (row.kind === null ? [] : [suppressionRowOf(row)]))
        const positionOf = ({ createdAt, kind, value }: SuppressionRow) => [createdAt, kind, value]
        const { tombstones = 0, total = 0 } = rows[0] ?? {}
        return { ...cutPage(items, limit, positionOf), total, tombstones }
      })
    )
})
