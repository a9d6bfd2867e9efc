/** The facts that message checks need, in PostgreSQL. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import type { MissionContent } from "@svc/core/missions"
import { type Offer, offerTexts } from "@svc/core/offers"
import * as Outreach from "@svc/core/outreach"
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
  readonly draft: Outreach.CheckFacts["draft"] | null
  readonly lead: LeadDocument["row"] | null
  readonly mission: MissionContent | null
  readonly offer: Omit<Offer, "lastUsedAt"> | null
  readonly quoted: Outreach.CheckFacts["records"]["quoted"] | null
}

interface Answer {
  readonly asked: ReadonlyArray<Row>
  readonly rules: Outreach.CheckFacts["rules"]
  readonly compared: ReadonlyArray<Outreach.ComparedText>
}

const leadOf = (json: LeadDocument["row"]): Outreach.CheckFacts["lead"] => {
  const row = rowOf(json)
  const { company, id, lastOutboundAt, name } = row
  return { id, name, company, wasWritten: lastOutboundAt !== null, texts: Outreach.leadTexts(row) }
}

const factsOf =
  ({ compared, rules }: Answer) =>
  ({ draft, lead, mission, offer, quoted }: Row): Outreach.CheckFacts => ({
    draft: draft ?? undefined,
    lead: lead === null ? undefined : leadOf(lead),
    mission:
      mission === null
        ? undefined
        : {
            language: mission.language,
            brief: Outreach.briefTexts(mission),
            offer: offer === null ? undefined : offerTexts(offer)
          },
    rules,
    records: {
      lead: lead === null ? undefined : rowOf(lead),
      mission: mission ?? undefined,
      offer: offer ?? undefined,
      quoted: quoted ?? {}
    },
    others: Outreach.othersThan(lead?.id, compared)
  })

/** Reads the facts of checks from the database. */
export const checksPg = (sql: PgClient): Pick<Outreach.DraftsRepo["Service"], "facts"> => ({
  facts: (organizationId, requests) =>
    sql<Answer>`
        with asked as materialized (
          select r.place, l.id as lead_id, jsonb_build_object('draft', case when d.id is not null then ${sql.literal(checkedDraft)} end,
            'quoted', ${quotedTexts(sql, organizationId)}, 'lead', to_jsonb(l) - 'search_text', 'mission', m.content,
            'offer', o.document) as facts
          from jsonb_to_recordset(${sql.json(requests.map((request, place) => ({ place, ...request })))}::jsonb)
            as r (place int, "draftId" text, "leadId" text, mission text)
          left join lateral (
            select * from svc.linkedin_drafts where organization_id = ${organizationId} and id = r."draftId" limit 1) d on true
          left join lateral (
            select coalesce(merged_into, id) as id from svc.leads
            where organization_id = ${organizationId} and id = coalesce(d.lead_id, r."leadId") limit 1) g on true
          left join lateral (
            select * from svc.leads where organization_id = ${organizationId} and id = g.id limit 1) l on true
          left join lateral (
            select * from svc.missions
            where organization_id = ${organizationId}
              and (id = d.mission_id or d.id is null and (id = r.mission or handle = r.mission)) limit 1) m on true
          left join lateral (
            select document from svc.offers where organization_id = ${organizationId} and id = m.offer_id limit 1) o on true
        ), compared as materialized (
          select d.id, d.lead_id, d.selected_body_text, d.variations, d.created_at from svc.linkedin_drafts d
          where d.organization_id = ${organizationId} and d.status <> 'CANCELLED'
          order by d.created_at desc, d.id collate "C" desc
          limit ${Outreach.comparedDrafts} + (
            select count(*) from (select distinct lead_id from asked) a cross join lateral (
              select 1 from svc.linkedin_drafts
              where organization_id = ${organizationId} and lead_id = a.lead_id and status <> 'CANCELLED' offset 0) o)
        )
        select (select jsonb_agg(a.facts order by a.place) from asked a) as asked,
          coalesce((select policy from svc.organizations where id = ${organizationId}), '{}') as rules, (
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
      `.pipe(only((answer) => answer.asked.map(factsOf(answer))))
})
