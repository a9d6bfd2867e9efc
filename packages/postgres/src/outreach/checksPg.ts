/** The facts that message checks need, in PostgreSQL. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import type { MissionContent } from "@svc/core/missions"
import { type Offer, offerTexts } from "@svc/core/offers"
import {
  briefTexts,
  type CheckFacts,
  type ComparedText,
  comparedDrafts,
  type DraftsRepo,
  leadTexts,
  othersThan
} from "@svc/core/outreach"
import { type LeadDocument, rowOf } from "../leads/leadRows.ts"
import { only } from "../results.ts"

/** The part of a draft d that is checked, and the texts of the notes and messages of its lead that its evidence names. */
const checkedDraft = `jsonb_build_object('leadId', d.lead_id, 'agentId', d.agent_id, 'variations', d.variations,
  'selectedIndex', d.selected_index, 'selectedBodyText', d.selected_body_text, 'evidence', d.evidence, 'steps', d.steps)`
const quotedTexts = (sql: PgClient, organizationId: OrganizationId) => sql`(
  select coalesce(jsonb_object_agg(r.path, coalesce(n.text, s.content)), '{}')
  from jsonb_array_elements(d.evidence) as e (quote)
  cross join lateral jsonb_array_elements_text(e.quote -> 'references') r (path)
  left join svc.lead_notes n on n.organization_id = ${organizationId} and n.lead_id = d.lead_id
    and r.path like 'notes.%' and n.id = substr(r.path, 7)
  left join svc.lead_messages s on s.organization_id = ${organizationId} and s.lead_id = d.lead_id
    and r.path like 'messages.%' and s.id = substr(r.path, 10)
  where coalesce(n.text, s.content) is not null)`

interface Row {
  readonly draft: CheckFacts["draft"] | null
  readonly lead: LeadDocument["row"] | null
  readonly mission: MissionContent | null
  readonly offer: Omit<Offer, "lastUsedAt"> | null
  readonly quoted: CheckFacts["records"]["quoted"] | null
  readonly rules: CheckFacts["rules"]
  readonly others: CheckFacts["others"]
}

const leadOf = (json: LeadDocument["row"]): CheckFacts["lead"] => {
  const row = rowOf(json)
  const { company, id, lastOutboundAt, name } = row
  return { id, name, company, wasWritten: lastOutboundAt !== null, texts: leadTexts(row) }
}

const factsOf = ({ draft, lead, mission, offer, others, quoted, rules }: Row): CheckFacts => ({
  draft: draft ?? undefined,
  lead: lead === null ? undefined : leadOf(lead),
  mission:
    mission === null
      ? undefined
      : {
          language: mission.language,
          brief: briefTexts(mission),
          offer: offer === null ? undefined : offerTexts(offer)
        },
  rules,
  records: {
    lead: lead === null ? undefined : rowOf(lead),
    mission: mission ?? undefined,
    offer: offer ?? undefined,
    quoted: quoted ?? {}
  },
  others
})

interface ManyRow {
  readonly drafts: ReadonlyArray<
    Omit<Row, "others" | "draft"> & { readonly id: string; readonly draft: CheckFacts["draft"] }
  >
  readonly compared: ReadonlyArray<ComparedText>
}

/** Reads the facts of checks from the database. */
export const checksPg = (sql: PgClient): Pick<DraftsRepo["Service"], "facts" | "factsOfMany"> => ({
  facts: (organizationId, { draftId = null, leadId = null, mission = null }) =>
    sql<Row>`
        with draft as (
          select * from svc.linkedin_drafts where organization_id = ${organizationId} and id = ${draftId}::text
        ), given as (
          select * from svc.leads
          where organization_id = ${organizationId}
            and id = coalesce((select lead_id from draft), ${leadId}::text)
        ), lead as (
          select * from given where merged_into is null
          union all
          select l.* from svc.leads l
          where l.organization_id = ${organizationId} and l.id = (select merged_into from given)
        ), mission as (
          select * from svc.missions
          where organization_id = ${organizationId} and case when exists (select 1 from draft)
            then id = (select mission_id from draft)
            else id = ${mission}::text or handle = ${mission}::text end
        ), other as (
          select d.lead_id, d.selected_body_text, d.variations from svc.linkedin_drafts d
          where d.organization_id = ${organizationId} and d.status <> 'CANCELLED'
            and d.lead_id is distinct from (select id from lead)
          order by d.created_at desc, d.id collate "C" desc
          limit ${comparedDrafts}
        )
        select
          (select ${sql.literal(checkedDraft)} from draft d) as draft,
          (select ${quotedTexts(sql, organizationId)} from draft d) as quoted,
          coalesce((select policy from svc.organizations where id = ${organizationId}), '{}') as rules,
          (select to_jsonb(lead) - 'search_text' from lead) as lead,
          (select content from mission) as mission,
          (select o.document from svc.offers o
            where o.organization_id = ${organizationId} and o.id = (select offer_id from mission)) as offer,
          (select coalesce(jsonb_agg(jsonb_build_object(
              'leadId', other.lead_id, 'name', l.name, 'company', l.company, 'text', body.text)), '[]')
            from other
            join svc.leads l on l.organization_id = ${organizationId} and l.id = other.lead_id
            cross join lateral (
              select other.selected_body_text as text where other.selected_body_text is not null
              union all
              select v.text from jsonb_array_elements_text(other.variations) as v (text)
              where other.selected_body_text is null
            ) body) as others
      `.pipe(only(factsOf)),
  factsOfMany: (organizationId, draftIds) =>
    sql<ManyRow>`
        with compared as (
          select d.id, d.lead_id, d.selected_body_text, d.variations, d.created_at from svc.linkedin_drafts d
          where d.organization_id = ${organizationId} and d.status <> 'CANCELLED'
          order by d.created_at desc, d.id collate "C" desc
          limit ${comparedDrafts} + cardinality(${[...draftIds]}::text[])
        )
        select (
          select coalesce(jsonb_agg(jsonb_build_object('id', d.id,
            'draft', ${sql.literal(checkedDraft)}, 'quoted', ${quotedTexts(sql, organizationId)},
            'rules', coalesce((select policy from svc.organizations where id = ${organizationId}), '{}'),
            'lead', to_jsonb(l) - 'search_text', 'mission', m.content, 'offer', o.document)), '[]')
          from svc.linkedin_drafts d
          join svc.leads l on l.organization_id = ${organizationId} and l.id = d.lead_id
          left join svc.missions m on m.organization_id = ${organizationId} and m.id = d.mission_id
          left join svc.offers o on o.organization_id = ${organizationId} and o.id = m.offer_id
          where d.organization_id = ${organizationId} and d.id = any (${[...draftIds]}::text[])
        ) as drafts, (
          select coalesce(jsonb_agg(jsonb_build_object('draftId', c.id, 'leadId', c.lead_id, 'name', l.name,
            'company', l.company, 'text', body.text) order by c.created_at desc, c.id collate "C" desc, body.place), '[]')
          from compared c
          join svc.leads l on l.organization_id = ${organizationId} and l.id = c.lead_id
          cross join lateral (
            select c.selected_body_text as text, 0 as place where c.selected_body_text is not null
            union all
            select v.text, v.place from jsonb_array_elements_text(c.variations) with ordinality as v (text, place)
            where c.selected_body_text is null
          ) body
        ) as compared
      `.pipe(
      only(
        ({ compared, drafts }) =>
          new Map(drafts.map((row) => [row.id, factsOf({ others: othersThan(row.lead?.id, compared), ...row })]))
      )
    )
})
