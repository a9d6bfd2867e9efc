import { keptActivity } from "./keptActivity.ts"

/**
 * Keeps the messages of leads; `p_sources` are ids of messages and e-mails, null for all: those of a mission's drafts and its
 * e-mails, and for each mission of the lead the others since it was added.
 */
export const keepMessages = `
create function svc_keep_messages(p_organization text, p_lead_ids text[], p_sources text[]) returns void
${keptActivity(
  ["messages_sent", "messages_received"],
  `
    select k.mission_id, t.lead_id, case t.direction when 'inbound' then 'messages_received' else 'messages_sent' end, t.id, t.date
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select * from lead_messages where organization_id = p_organization and lead_id = g.id offset 0) t
    cross join lateral (select * from lead_missions where lead_id = t.lead_id offset 0) k
    where k.organization_id = p_organization and k.linked_at <= t.date and (p_sources is null or t.id = any (p_sources))
      and (t.direction = 'inbound' or not exists (
        select 1 from linkedin_drafts d
        where d.organization_id = p_organization and d.message_id = t.id and d.mission_id is not null))
      and (t.direction = 'inbound' or t.channel <> 'EMAIL' or not exists (
        select 1 from transmissions q
        where q.organization_id = p_organization and q.lead_id = t.lead_id and q.kind = 'email'
          and q.mission_id is not null and coalesce(q.details ->> 'messageId', q.id) = t.external_id))
    union
    select d.mission_id, t.lead_id, 'messages_sent', t.id, t.date
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select * from lead_messages where organization_id = p_organization and lead_id = g.id offset 0) t
    join linkedin_drafts d on d.organization_id = p_organization and d.message_id = t.id
    where d.mission_id is not null and (p_sources is null or t.id = any (p_sources))
    union
    select q.mission_id, q.lead_id, 'messages_sent', q.id, (q.details ->> 'sentAt')::timestamptz
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select * from transmissions where organization_id = p_organization and lead_id = g.id offset 0) q
    where q.kind = 'email' and q.state = 'sent' and q.mission_id is not null and q.details ->> 'sentAt' is not null
      and (p_sources is null or q.id = any (p_sources))`,
  "(p_sources is null or k.source = any (p_sources))"
)}`
