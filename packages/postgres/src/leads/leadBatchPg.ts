/**
 * Many leads at once in PostgreSQL: a few statements for any number of rows, with columns as arrays.
 *
 * Identifiers are not locked, since there may be thousands. Existing leads are locked in the order of their ids. If another
 * transaction takes a free identifier first, the unique key rejects the insert, and the transaction is retried and finds
 * the other lead. All transactions insert identifiers in the same order.
 *
 * `lateral` with `limit` or `offset`, and `on conflict`, force PostgreSQL to look up each row by its key. For a join of a
 * thousand rows it would read all leads of a tenant, of which there may be a million.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId, StoreFailure } from "@svc/core"
import {
  type BatchResolution,
  compareText,
  type Identity,
  type IdentityKind,
  type LeadBatchChange,
  type LeadIdentityRow,
  type LeadReferences,
  type LeadRow,
  type StoredLead,
  type SuppressionEntry,
  sortIdentities
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { booleans, doubles, texts } from "../columnParameter.ts"
import { orUnavailable, retryOnLockTimeout, retryOnUnique, retryTransaction } from "../SqlFailure.ts"
import { type LeadTableRow, parameterOf, rowOf } from "./leadRows.ts"
import { addSuppressions, findSuppressions } from "./suppressionRows.ts"
import type { Tombstones } from "./Tombstones.ts"

type Mission = Exclude<BatchResolution["mission"], undefined>

/** Finds the leads that many rows name, and locks them until the transaction ends. */
export const resolveManyPg = (
  sql: PgClient,
  hashesOf: Tombstones["Service"]["hashesOf"],
  organizationId: OrganizationId,
  { identities, leadIds, mission }: LeadReferences
): Effect.Effect<BatchResolution, StoreFailure> =>
  Effect.gen(function* () {
    const [enrolled] =
      mission === undefined
        ? []
        : yield* sql<Mission>`
            select id, handle, name, status from svc.missions
            where organization_id = ${organizationId} and (id = ${mission} or handle = ${mission})
            order by id = ${mission} desc limit 1
          `
    const meant =
      leadIds.length === 0
        ? []
        : yield* sql<{ readonly id: string; readonly live: string }>`
            select l.id, l.live
            from unnest(${texts(leadIds)}) as g (id)
            cross join lateral (
              select id, coalesce(merged_into, id) as live from svc.leads
              where organization_id = ${organizationId} and id = g.id limit 1) l
          `
    const holders =
      identities.length === 0
        ? []
        : yield* sql<{ readonly lead_id: LeadId }>`
            select distinct i.lead_id
            from unnest(${texts(identities.map(({ kind }) => kind))}, ${texts(identities.map(({ value }) => value))})
              as g (kind, value)
            cross join lateral (
              select h.lead_id from svc.lead_identities h
              where h.organization_id = ${organizationId} and h.kind = g.kind and h.value = g.value limit 1) i
          `
    const ids = [...new Set([...meant.map(({ live }) => live), ...holders.map(({ lead_id }) => lead_id)])]
    return {
      mission: enrolled,
      leadIds: new Map(meant.map(({ id, live }) => [id, live])),
      suppressions: yield* suppressionsOf(sql, hashesOf, organizationId, identities),
      leads: ids.length === 0 ? [] : yield* lockLeads(sql, organizationId, ids.sort(compareText), enrolled)
    }
  }).pipe(retryOnLockTimeout, orUnavailable)

/** Thousands of hashes take time, so they are only computed if someone was erased. */
const suppressionsOf = Effect.fnUntraced(function* (
  sql: PgClient,
  hashesOf: Tombstones["Service"]["hashesOf"],
  organizationId: OrganizationId,
  identities: ReadonlyArray<Identity>
) {
  if (identities.length === 0) return []
  const erased = yield* sql`select 1 from svc.tombstones where organization_id = ${organizationId} limit 1`
  const hashes = erased.length === 0 ? [] : hashesOf(organizationId, identities)
  return yield* findSuppressions(sql, organizationId, identities, hashes)
})

/**
 * Locks the leads in the order of `ids`, and reads them with their identifiers and their link to the mission.
 */
const lockLeads = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  ids: Array<string>,
  mission: Mission | undefined
) {
  const rows = yield* sql<LeadTableRow>`
    select l.*
    from unnest(${texts(ids)}) as g (id)
    cross join lateral (
      select * from svc.leads where organization_id = ${organizationId} and id = g.id limit 1 for no key update) l
  `
  // A lead was merged before it was locked.
  if (rows.length < ids.length || rows.some((row) => row.merged_into !== null)) yield* retryTransaction
  const held = yield* sql<{ lead_id: LeadId; kind: IdentityKind; value: string; derived: boolean }>`
    select i.*
    from unnest(${texts(ids)}) as g (id)
    cross join lateral (
      select lead_id, kind, value, derived from svc.lead_identities
      where organization_id = ${organizationId} and lead_id = g.id offset 0) i
  `
  const links =
    mission === undefined
      ? []
      : yield* sql<{ readonly lead_id: LeadId; readonly linked_at: Date }>`
          select k.lead_id, k.linked_at
          from unnest(${texts(ids)}) as g (id)
          cross join lateral (
            select lead_id, linked_at from svc.lead_missions
            where organization_id = ${organizationId} and mission_id = ${mission.id} and lead_id = g.id limit 1) k
        `
  const identities = new Map<string, Array<Identity>>()
  for (const { derived, kind, lead_id, value } of held) {
    const known = identities.get(lead_id)
    if (known === undefined) identities.set(lead_id, [{ kind, value, derived }])
    else known.push({ kind, value, derived })
  }
  const suppressions = new Map<string, Array<SuppressionEntry>>()
  const named = ids.map((value) => ({ kind: "lead" as const, value }))
  for (const { entry, value } of yield* findSuppressions(sql, organizationId, named, [])) {
    const known = suppressions.get(value)
    if (known === undefined) suppressions.set(value, [entry])
    else known.push(entry)
  }
  const linkedAt = new Map(links.map(({ lead_id, linked_at }) => [lead_id, linked_at.toISOString()]))
  return rows.map((row): StoredLead => {
    const at = linkedAt.get(row.id)
    return {
      row: rowOf(row),
      identities: sortIdentities(identities.get(row.id) ?? []),
      missions:
        mission === undefined || at === undefined
          ? []
          : [{ id: mission.id, handle: mission.handle, name: mission.name, linkedAt: at }],
      messages: [],
      suppressions: suppressions.get(row.id) ?? []
    }
  })
})

/**
 * Writes the changes of many rows: one statement for new records, and one for each other kind of change. Builds the
 * statements at once, even if the effect runs later.
 */
export const writeManyPg = (sql: PgClient, change: LeadBatchChange): Effect.Effect<void, StoreFailure> => {
  const { changed, moved, organizationId, released, suppressed } = change
  const statements: Array<Effect.Effect<unknown, SqlError>> = []
  if (changed.length > 0) {
    statements.push(sql`
      ${insertLeads(sql, organizationId, changed)}
      on conflict (organization_id, id) do update set name = excluded.name, headline = excluded.headline,
        job_title = excluded.job_title, company = excluded.company, email = excluded.email,
        linkedin_url = excluded.linkedin_url, avatar_url = excluded.avatar_url, status = excluded.status,
        score = excluded.score, is_flagged = excluded.is_flagged, search_text = excluded.search_text,
        profile = excluded.profile, updated_at = excluded.updated_at
      where l.organization_id = excluded.organization_id
    `)
  }
  if (released.length > 0) {
    statements.push(sql`
      delete from svc.lead_identities i
      using unnest(${texts(released.map(({ kind }) => kind))}, ${texts(released.map(({ value }) => value))},
        ${texts(released.map(({ leadId }) => leadId))}) as r (kind, value, lead_id)
      where i.organization_id = ${organizationId} and i.kind = r.kind and i.value = r.value
        and i.lead_id = r.lead_id
    `)
  }
  if (moved.length > 0) {
    statements.push(sql`
      ${insertIdentities(sql, organizationId, moved)}
      on conflict (organization_id, kind, value) do update set lead_id = excluded.lead_id, derived = excluded.derived
    `)
  }
  if (change.created.length + change.added.length > 0 || change.linked !== undefined) {
    statements.push(insertNew(sql, change))
  }
  if (suppressed.length > 0) statements.push(addSuppressions(sql, organizationId, suppressed))
  return Effect.all(statements, { discard: true }).pipe(
    retryOnUnique("lead_identities_pkey"),
    retryOnUnique("lead_missions_pkey"),
    retryOnLockTimeout,
    orUnavailable
  )
}

/** New leads, free identifiers, and links. Foreign keys are checked at the end of the statement. */
const insertNew = (sql: PgClient, { added, created, linked, organizationId }: LeadBatchChange) =>
  sql`
    with new_leads as (${insertLeads(sql, organizationId, created)}
    ), new_identities as (${insertIdentities(sql, organizationId, added)}
    )
    insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
    select ${organizationId}, ${linked?.missionId ?? null}::text, r.id, ${linked?.at ?? null}::timestamptz
    from unnest(${texts([...(linked?.leadIds ?? [])].sort(compareText))}) as r (id)
  `

const insertLeads = (sql: PgClient, organizationId: OrganizationId, leads: ReadonlyArray<LeadRow>) => {
  // In the order of their ids, so that indexes are filled from end to end.
  const rows = leads.map(parameterOf).sort((a, b) => compareText(a.id, b.id))
  const column = <K extends keyof ReturnType<typeof parameterOf>>(name: K) => rows.map((row) => row[name])
  return sql`
    insert into svc.leads as l (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url,
      status, score, is_flagged, search_text, profile, created_at, updated_at)
    select ${organizationId}, r.id, r.name, r.headline, r.job_title, r.company, r.email, r.linkedin_url,
      r.avatar_url, r.status, r.score, r.is_flagged, r.search_text, r.profile::jsonb, r.created_at::timestamptz,
      r.updated_at::timestamptz
    from unnest(${texts(column("id"))}, ${texts(column("name"))}, ${texts(column("headline"))},
      ${texts(column("job_title"))}, ${texts(column("company"))}, ${texts(column("email"))},
      ${texts(column("linkedin_url"))}, ${texts(column("avatar_url"))}, ${texts(column("status"))},
      ${doubles(column("score"))}, ${booleans(column("is_flagged"))}, ${texts(column("search_text"))},
      ${texts(column("profile").map((profile) => JSON.stringify(profile)))}, ${texts(column("created_at"))},
      ${texts(column("updated_at"))}) as r (id, name, headline, job_title, company, email, linkedin_url, avatar_url,
      status, score, is_flagged, search_text, profile, created_at, updated_at)
  `
}

const insertIdentities = (sql: PgClient, organizationId: OrganizationId, rows: ReadonlyArray<LeadIdentityRow>) => sql`
  insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
  select ${organizationId}, r.kind, r.value, r.lead_id, r.derived
  from unnest(${texts(rows.map(({ kind }) => kind))}, ${texts(rows.map(({ value }) => value))},
    ${texts(rows.map(({ leadId }) => leadId))}, ${booleans(rows.map(({ derived }) => derived))})
    as r (kind, value, lead_id, derived)
`
