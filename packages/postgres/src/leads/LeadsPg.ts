/** Leads in PostgreSQL, one statement for each method. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { type LeadId, VersionConflict } from "@svc/core"
import { type LeadReference, LeadsRepo, type Resolution, statusReason } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { texts } from "../columnParameter.ts"
import * as NextActionsPg from "../reports/NextActionsPg.ts"
import { orUnavailable, retryTransaction } from "../SqlFailure.ts"
import * as DuplicatesPg from "./DuplicatesPg.ts"
import * as LeadHistoryPg from "./LeadHistoryPg.ts"
import * as LeadLinksPg from "./LeadLinksPg.ts"
import { resolveManyPg, writeManyPg } from "./leadBatchPg.ts"
import { type LeadContext, type LeadDocument, parameterOf, storedOf, viewOf } from "./leadRows.ts"
import * as PrivacyPg from "./PrivacyPg.ts"
import * as SuppressionsPg from "./SuppressionsPg.ts"
import { searchLeadsPg } from "./searchLeadsPg.ts"
import { matchOf, suppressionColumns } from "./suppressionRows.ts"
import * as Tombstones from "./Tombstones.ts"

interface ResolvedRow {
  readonly found: {
    readonly leadId: LeadId | null
    readonly leads: ReadonlyArray<LeadDocument>
    readonly mission: Exclude<Resolution["mission"], undefined> | null
    readonly suppressions: Resolution["suppressions"]
  }
}

interface FoundRow {
  readonly found: {
    readonly leadId: LeadId | null
    readonly leads: ReadonlyArray<LeadDocument & { readonly context: LeadContext }>
  }
}

const kindsOf = ({ identities }: LeadReference): Array<string> => identities.map(({ kind }) => kind)
const valuesOf = ({ identities }: LeadReference): Array<string> => identities.map(({ value }) => value)

const leadsLayer: Layer.Layer<LeadsRepo, never, PgClient | Tombstones.Tombstones> = Layer.effect(
  LeadsRepo,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const { hashesOf } = yield* Tombstones.Tombstones
    return LeadsRepo.of({
      resolve: (organizationId, reference) =>
        sql<ResolvedRow>`
          select svc.svc_resolve_leads(${organizationId}, ${texts(kindsOf(reference))}, ${texts(valuesOf(reference))},
            ${texts(hashesOf(organizationId, reference.identities))}, ${reference.leadId ?? null}::text,
            ${reference.mission ?? null}::text) as found
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => ({
            leadId: row?.found.leadId ?? undefined,
            leads: (row?.found.leads ?? []).map(storedOf),
            mission: row?.found.mission ?? undefined,
            suppressions: (row?.found.suppressions ?? []).map(matchOf)
          }))
        ),
      write: ({ held, link, organizationId, released, rows, suppressed = [] }) => {
        const identityOf = ({ derived, kind, leadId, value }: (typeof held)[number]) => ({
          kind,
          value,
          lead_id: leadId,
          derived
        })
        const links =
          link === undefined ? [] : [{ mission_id: link.missionId, lead_id: link.leadId, linked_at: link.at }]
        const holders = [...new Set([...rows.map(({ id }) => id), ...held.map(({ leadId }) => leadId)])]
        return sql<{ readonly taken: number }>`
          with saved as (
            insert into svc.leads as l (organization_id, id, name, headline, job_title, company, email, linkedin_url,
              avatar_url, status, score, is_flagged, search_text, profile, last_inbound_at, last_outbound_at,
              merged_into, created_at, updated_at)
            select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(rows.map(parameterOf))}) as r (
              id text, name text, headline text, job_title text, company text, email text, linkedin_url text,
              avatar_url text, status text, score double precision, is_flagged boolean, search_text text, profile jsonb,
              last_inbound_at timestamptz, last_outbound_at timestamptz, merged_into text, created_at timestamptz,
              updated_at timestamptz)
            on conflict (organization_id, id) do update set name = excluded.name, headline = excluded.headline,
              job_title = excluded.job_title, company = excluded.company, email = excluded.email,
              linkedin_url = excluded.linkedin_url, avatar_url = excluded.avatar_url, status = excluded.status,
              score = excluded.score, is_flagged = excluded.is_flagged, search_text = excluded.search_text,
              profile = excluded.profile, last_inbound_at = excluded.last_inbound_at,
              last_outbound_at = excluded.last_outbound_at, merged_into = excluded.merged_into,
              updated_at = excluded.updated_at
              where l.organization_id = ${organizationId}
          ), given_up as (
            delete from svc.lead_identities i
            using jsonb_to_recordset(${sql.json(released.map(identityOf))}) as r (kind text, value text, lead_id text)
            where i.organization_id = ${organizationId} and i.kind = r.kind and i.value = r.value
              and i.lead_id = r.lead_id
          ), taken as (
            insert into svc.lead_identities as i (organization_id, kind, value, lead_id, derived)
            select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(held.map(identityOf))}) as r (
              kind text, value text, lead_id text, derived boolean)
            on conflict (organization_id, kind, value) do update
              set lead_id = excluded.lead_id, derived = excluded.derived
              where i.organization_id = ${organizationId} and i.lead_id = any (${texts(holders)})
            returning 1
          ), linked as (
            insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
            select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(links)}) as r (
              mission_id text, lead_id text, linked_at timestamptz)
            on conflict (organization_id, mission_id, lead_id) do nothing
          ), touched as (
            update svc.missions set last_used_at = ${link?.at ?? null}::timestamptz
            where organization_id = ${organizationId} and id = (
              select id from svc.missions
              where organization_id = ${organizationId} and id = ${link?.touch ? link.missionId : null}::text
                and coalesce(last_used_at, '-infinity') < ${link?.at ?? null}::timestamptz - interval '1 minute'
              for no key update skip locked)
          ), silenced as (
            insert into svc.suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
            select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(suppressed.map(suppressionColumns))}) as r (
              kind text, value text, lead_id text, reason text, until timestamptz, created_at timestamptz)
            on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until,
              lead_id = coalesce(excluded.lead_id, s.lead_id)
              where s.organization_id = ${organizationId} and ((s.until is not null
                and (excluded.until is null or excluded.until > s.until)) or (s.until is not distinct from excluded.until
                and s.reason <> excluded.reason and excluded.reason <> ${statusReason}))
          )
          select count(*)::integer as taken from taken
        `.pipe(
          orUnavailable,
          // An import does not lock identifiers, so it may have taken a free one in the meantime.
          Effect.flatMap(([counted]) => (counted?.taken === held.length ? Effect.void : retryTransaction))
        )
      },
      resolveMany: (organizationId, references) => resolveManyPg(sql, hashesOf, organizationId, references),
      writeMany: (change) => writeManyPg(sql, change),
      merge: (organizationId, winnerId, loserIds, at) =>
        sql`
          with identities as (
            update svc.lead_identities set lead_id = ${winnerId}
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[])
          ), linked as (
            insert into svc.lead_missions as k (organization_id, mission_id, lead_id, linked_at)
            select ${organizationId}, mission_id, ${winnerId}, min(linked_at) from svc.lead_missions
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[])
            group by mission_id
            on conflict (organization_id, mission_id, lead_id) do update
              set linked_at = least(k.linked_at, excluded.linked_at)
              where k.organization_id = ${organizationId}
          ), unlinked as (
            delete from svc.lead_missions
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[])
          ), messages as (
            update svc.lead_messages set lead_id = ${winnerId}
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[])
          ), notes as (
            update svc.lead_notes set lead_id = ${winnerId}
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[])
          ), kept as (
            update svc.suppressions set lead_id = ${winnerId}
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[]) and kind <> 'lead'
          ), gone as (
            delete from svc.suppressions
            where organization_id = ${organizationId} and lead_id = any (${[...loserIds]}::text[]) and kind = 'lead'
            returning reason, until, created_at
          ), adopted as (
            insert into svc.suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
            select ${organizationId}, 'lead', ${winnerId}, ${winnerId}, reason, until, created_at
            from gone order by until desc nulls first, created_at limit 1
            on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until
              where s.organization_id = ${organizationId} and s.until is not null
                and (excluded.until is null or excluded.until > s.until)
          )
          update svc.leads set merged_into = ${winnerId},
            updated_at = case when id = any (${[...loserIds]}::text[]) then ${at}::timestamptz else updated_at end
          where organization_id = ${organizationId}
            and (id = any (${[...loserIds]}::text[]) or merged_into = any (${[...loserIds]}::text[]))
        `.pipe(orUnavailable, Effect.asVoid),
      addMessage: (message) =>
        sql<{ readonly id: string; readonly lead_id: LeadId; readonly is_new: boolean }>`
          with added as (
            insert into svc.lead_messages (organization_id, id, lead_id, direction, channel, content, sender_name,
              external_id, date)
            values (${message.organizationId}, ${message.id}, ${message.leadId}, ${message.direction},
              ${message.channel}, ${message.content}, ${message.senderName}, ${message.externalId},
              ${message.date}::timestamptz)
            on conflict (organization_id, channel, external_id) where external_id is not null do nothing
            returning id, lead_id
          )
          select id, lead_id, true as is_new from added
          union all
          select id, lead_id, false from svc.lead_messages
          where organization_id = ${message.organizationId} and channel = ${message.channel}
            and external_id = ${message.externalId}::text
        `.pipe(
          orUnavailable,
          // No row: another transaction stored it after this statement began.
          Effect.flatMap(([row]) => (row === undefined ? Effect.fail(new VersionConflict()) : Effect.succeed(row))),
          Effect.map(({ id, is_new, lead_id }) => (is_new ? undefined : { id, leadId: lead_id }))
        ),
      find: (organizationId, reference) =>
        sql<FoundRow>`
          select svc.svc_find_leads(${organizationId}, ${texts(kindsOf(reference))}, ${texts(valuesOf(reference))},
            ${reference.leadId ?? null}::text) as found
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => ({
            leadId: row?.found.leadId ?? undefined,
            leads: (row?.found.leads ?? []).map(viewOf)
          }))
        ),
      search: (organizationId, filter, sort, page, at) => searchLeadsPg(sql, organizationId, filter, sort, page, at)
    })
  })
)

/** Keeps leads and everything that belongs to them in the database. */
export const layer = Layer.mergeAll(
  leadsLayer,
  LeadLinksPg.layer,
  LeadHistoryPg.layer,
  DuplicatesPg.layer,
  SuppressionsPg.layer,
  PrivacyPg.layer,
  NextActionsPg.layer
).pipe(Layer.provide(Tombstones.layer))
