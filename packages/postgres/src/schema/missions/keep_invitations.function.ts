import { keptActivity } from "./keptActivity.ts"

/** Keeps the invitations of leads: of a mission's draft, and for each mission of the lead the others since it was added. */
export const keepInvitations = `
create function svc_keep_invitations(p_organization text, p_lead_ids text[]) returns void
${keptActivity(
  ["invitations_sent", "invitations_accepted"],
  `
    select m.id, q.lead_id, v.kind, q.id, v.at
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select * from transmissions where organization_id = p_organization and lead_id = g.id offset 0) q
    left join linkedin_drafts d on d.organization_id = p_organization and d.id = q.draft_id
    cross join lateral (values
      ('invitations_sent', (q.details ->> 'sentAt')::timestamptz),
      ('invitations_accepted', case q.state when 'accepted' then (q.details ->> 'endedAt')::timestamptz end)) v (kind, at)
    cross join lateral (
      select d.mission_id as id where d.mission_id is not null
      union all
      select k.mission_id from (select * from lead_missions where lead_id = q.lead_id offset 0) k
      where d.mission_id is null and k.organization_id = p_organization and k.linked_at <= (q.details ->> 'sentAt')::timestamptz) m
    where q.kind = 'invitation' and q.details ->> 'sentAt' is not null and v.at is not null`
)}`
