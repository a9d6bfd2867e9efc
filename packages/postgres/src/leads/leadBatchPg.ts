/**
 * Many leads at once in PostgreSQL: a handful of statements however many rows there are, columns as arrays.
 *
 * No lock is taken for an identifier, since there may be thousands. Leads that exist are locked in the order of their ids.
 * Where somebody else was faster to take an identifier that nobody held, its unique key refuses it, and the transaction
 * runs again from its start and finds what they made. Identifiers are inserted in one order by everybody.
 *
 * `lateral` with `limit` or `offset`, and `on conflict`, leave PostgreSQL no other way than to look up each row by its
 * key: as a join, a thousand rows seem worth reading all that a tenant has, and the tenant may have a million.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Failure } from "@svc/core/Failure"
import { compareText, type Identity, type IdentityKind, sortIdentities } from "@svc/core/leads/identity/Identity"
import type { LeadRow } from "@svc/core/leads/Lead"
import type { LeadReferences, LeadsChange, ManyFound, StoredLead } from "@svc/core/leads/LeadsRepo"
import type { LeadIdentityRow } from "@svc/core/leads/LeadTables"
import type { SuppressionEntry } from "@svc/core/leads/suppression/Suppression"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { booleans, doubles, texts } from "../columnParameter.ts"
import { orUnavailable, runAgain, runAgainOnLock, runAgainOnUnique } from "../SqlFailure.ts"
import { type LeadTableRow, parameterOf, rowOf } from "./leadRows.ts"
import { addSuppressions, findSuppressions } from "./suppressionRows.ts"

type Mission = Exclude<ManyFound["mission"], undefined>

/** What many rows stand for, the leads locked until the transaction ends. */
export const resolveManyPg = (
  sql: PgClient,
  organizationId: string,
  { identities, leadIds, mission }: LeadReferences
): Effect.Effect<ManyFound, Failure> =>
  Effect.gen(function* () {
    const [enrolled] =
      mission === undefined
        ? []
        : yield* sql<Mission>`
            select id, handle, name, status from missions
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
              select id, coalesce(merged_into, id) as live from leads
              where organization_id = ${organizationId} and id = g.id limit 1) l
          `
    const holders =
      identities.length === 0
        ? []
        : yield* sql<{ readonly lead_id: string }>`
            select distinct i.lead_id
            from unnest(${texts(identities.map(({ kind }) => kind))}, ${texts(identities.map(({ value }) => value))})
              as g (kind, value)
            cross join lateral (
              select h.lead_id from lead_identities h
              where h.organization_id = ${organizationId} and h.kind = g.kind and h.value = g.value limit 1) i
          `
    const ids = [...new Set([...meant.map(({ live }) => live), ...holders.map(({ lead_id }) => lead_id)])]
    return {
      mission: enrolled,
      leadIds: new Map(meant.map(({ id, live }) => [id, live])),
      suppressions: identities.length === 0 ? [] : yield* findSuppressions(sql, organizationId, identities),
      leads: ids.length === 0 ? [] : yield* lockLeads(sql, organizationId, ids.sort(compareText), enrolled)
    }
  }).pipe(runAgainOnLock, orUnavailable)

/**
 * The leads with their identifiers and their link to the mission, as they are once they are locked: in the order of
 * `ids`, which is that of everybody.
 */
const lockLeads = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: string,
  ids: Array<string>,
  mission: Mission | undefined
) {
  const rows = yield* sql<LeadTableRow>`
    select l.*
    from unnest(${texts(ids)}) as g (id)
    cross join lateral (
      select * from leads where organization_id = ${organizationId} and id = g.id limit 1 for no key update) l
  `
  // Merged between the look and the lock: what was found is not true any more.
  if (rows.length < ids.length || rows.some((row) => row.merged_into !== null)) yield* runAgain
  const held = yield* sql<{ lead_id: string; kind: IdentityKind; value: string; derived: boolean }>`
    select i.*
    from unnest(${texts(ids)}) as g (id)
    cross join lateral (
      select lead_id, kind, value, derived from lead_identities
      where organization_id = ${organizationId} and lead_id = g.id offset 0) i
  `
  const links =
    mission === undefined
      ? []
      : yield* sql<{ readonly lead_id: string; readonly linked_at: Date }>`
          select k.lead_id, k.linked_at
          from unnest(${texts(ids)}) as g (id)
          cross join lateral (
            select lead_id, linked_at from lead_missions
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
  for (const { entry, value } of yield* findSuppressions(sql, organizationId, named)) {
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
 * Writes what many rows change: one statement for what is new, and one for each other sort of change that there is. The
 * statements are made at once, also when the answer is run later.
 */
export const writeManyPg = (sql: PgClient, change: LeadsChange): Effect.Effect<void, Failure> => {
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
      delete from lead_identities i
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
    runAgainOnUnique("lead_identities_pkey"),
    runAgainOnUnique("lead_missions_pkey"),
    runAgainOnLock,
    orUnavailable
  )
}

/** New leads, identifiers that nobody held, and links. Foreign keys are checked when all three are there. */
const insertNew = (sql: PgClient, { added, created, linked, organizationId }: LeadsChange) =>
  sql`
    with new_leads as (${insertLeads(sql, organizationId, created)}
    ), new_identities as (${insertIdentities(sql, organizationId, added)}
    )
    insert into lead_missions (organization_id, mission_id, lead_id, linked_at)
    select ${organizationId}, ${linked?.missionId ?? null}::text, r.id, ${linked?.at ?? null}::timestamptz
    from unnest(${texts(linked?.leadIds ?? [])}) as r (id)
  `

const insertLeads = (sql: PgClient, organizationId: string, leads: ReadonlyArray<LeadRow>) => {
  const rows = leads.map(parameterOf)
  const column = <K extends keyof ReturnType<typeof parameterOf>>(name: K) => rows.map((row) => row[name])
  return sql`
    insert into leads as l (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url,
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

const insertIdentities = (sql: PgClient, organizationId: string, rows: ReadonlyArray<LeadIdentityRow>) => sql`
  insert into lead_identities (organization_id, kind, value, lead_id, derived)
  select ${organizationId}, r.kind, r.value, r.lead_id, r.derived
  from unnest(${texts(rows.map(({ kind }) => kind))}, ${texts(rows.map(({ value }) => value))},
    ${texts(rows.map(({ leadId }) => leadId))}, ${booleans(rows.map(({ derived }) => derived))})
    as r (kind, value, lead_id, derived)
`
