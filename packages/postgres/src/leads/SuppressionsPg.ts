/** Suppressions in PostgreSQL, one statement for each method. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, snakeKeys } from "@svc/core"
import * as Leads from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { type RowOf, recordOf, texts } from "../columns.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"
import { entryOf } from "./leadRows.ts"
import { keepActionsOf } from "./staleActions.ts"
import type { HashesOf } from "./Tombstones.ts"

/** A match of `svc_suppressions_of`. */
export const matchOf = ({ entry, kind, value }: Leads.SuppressionMatch): Leads.SuppressionMatch => ({
  kind,
  value,
  entry: entryOf(entry)
})

/** Finds the entries and tombstones of identifiers, in one statement. */
export const findSuppressions = (
  sql: PgClient,
  organizationId: OrganizationId,
  identifiers: ReadonlyArray<Leads.Suppressible>,
  hashes: ReadonlyArray<string | null>
) =>
  Effect.map(
    sql<Leads.SuppressionMatch>`
      select kind, value, entry from svc.svc_suppressions_of(${organizationId},
        ${texts(identifiers.map(({ kind }) => kind))}, ${texts(identifiers.map(({ value }) => value))}, ${texts(hashes)})
    `,
    (rows) => rows.map(matchOf)
  )

/** Stores entries without shortening any, and returns them with whether they changed. */
const addSuppressions = (sql: PgClient, organizationId: OrganizationId, rows: ReadonlyArray<Leads.SuppressionRow>) =>
  sql<RowOf<Leads.SuppressionRow> & { readonly is_written: boolean }>`
    with given as (
      select * from jsonb_to_recordset(${sql.json(rows.map(snakeKeys))}) as r (
        kind text, value text, lead_id text, reason text, until timestamptz, created_at timestamptz)
    ), written as (
      insert into svc.suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
      select ${organizationId}, g.* from given g
      on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until,
        lead_id = coalesce(excluded.lead_id, s.lead_id)
        where s.organization_id = excluded.organization_id and ((s.until is not null
          and (excluded.until is null or excluded.until > s.until)) or (s.until is not distinct from excluded.until
          and s.reason <> excluded.reason and excluded.reason <> ${sql.literal(`'${Leads.statusReason}'`)}))
      returning *
    )
    select w.*, true as is_written from written w
    union all
    select s.*, false from given g
    join svc.suppressions s on s.organization_id = ${organizationId} and s.kind = g.kind and s.value = g.value
    where not exists (select 1 from written w where w.kind = g.kind and w.value = g.value)
  `

/** Stores the next actions again of the leads that changed entries name, of a domain's too. */
const keepActionsNamed = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  entries: ReadonlyArray<Pick<Leads.SuppressionRow, "kind" | "value">>
) {
  if (entries.length === 0) return
  const named = entries.flatMap(({ kind, value }) => (kind === "lead" ? [value] : []))
  const holders = yield* sql<{ readonly lead_id: string }>`
    select i.lead_id from unnest(${texts(entries.map(({ kind }) => (kind === "bounced" ? "email" : kind)))}, ${texts(entries.map(({ value }) => value))})
      as g (kind, value)
    join svc.lead_identities i on i.organization_id = ${organizationId} and i.kind = g.kind and i.value = g.value`
  const ids = [...named, ...holders.map(({ lead_id }) => lead_id)]
  if (ids.length > 0) yield* sql`select svc.svc_keep_actions(${organizationId}, ${texts(ids)})`
  for (const { kind, value } of entries) {
    if (kind === "domain") yield* keepActionsOf(sql, organizationId, kind, value)
  }
})

/** An empty page is one row with only the counts. */
type PageRow = (RowOf<Leads.SuppressionRow> | { readonly kind: null }) & {
  readonly total?: number
  readonly tombstones: number
}

const rowOf = ({ tombstones: _, total: __, ...row }: PageRow): ReadonlyArray<Leads.SuppressionRow> =>
  row.kind === null ? [] : [recordOf<Leads.SuppressionRow>(row)]

/** Keeps suppressions in the database. */
export const suppressionsPg = (
  sql: PgClient,
  hashesOf: HashesOf
): Omit<Leads.PrivacyRepo["Service"], "readFile" | "erase" | "unchangedSince"> => ({
  findSuppressions: (organizationId, identifiers) =>
    orUnavailable(findSuppressions(sql, organizationId, identifiers, hashesOf(organizationId, identifiers))),
  addSuppressions: (organizationId, rows) =>
    Effect.gen(function* () {
      const stored = yield* addSuppressions(sql, organizationId, rows)
      const recorded = stored.map(({ is_written, ...row }) => ({
        isWritten: is_written,
        row: recordOf<Leads.SuppressionRow>(row)
      }))
      const written = recorded.flatMap(({ isWritten, row }) => (isWritten ? [row] : []))
      yield* keepActionsNamed(sql, organizationId, written)
      return { rows: recorded.map(({ row }) => row), written: written.length }
    }).pipe((adding) => transacted(sql, adding), orUnavailable),
  liftSuppressions: (organizationId, identifiers, leadId) =>
    sql<PageRow>`
          with given as (
            select distinct * from unnest(${texts(identifiers.map(({ kind }) => kind))},
              ${texts(identifiers.map(({ value }) => value))}) as g (kind, value)
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
          select c.tombstones, gone.* from (select count(*)::integer as tombstones from lifted) c
          left join gone on true
        `.pipe(
      Effect.map((found) => ({ rows: found.flatMap(rowOf), tombstones: found[0]?.tombstones ?? 0 })),
      Effect.tap(({ rows }) => keepActionsNamed(sql, organizationId, rows)),
      (lifting) => transacted(sql, lifting),
      orUnavailable
    ),
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
        const items = rows.flatMap(rowOf)
        const positionOf = ({ createdAt, kind, value }: Leads.SuppressionRow) => [createdAt, kind, value]
        const { tombstones = 0, total = 0 } = rows[0] ?? {}
        return { ...cutPage(items, limit, positionOf), total, tombstones }
      })
    )
})
