/**
 * Leads with their related records as JSON, in the order of their ids, and with the context that lead.get shows if
 * `p_has_context`. JSON is text here: nothing looks into it, and making `jsonb` of it would take as long as reading the records.
 *
 * Planned once for each connection and always with indexes: the statement looks up a dozen records by their keys, and
 * planning it takes four times as long as running it.
 */
export const leadDocuments = `
create function svc_lead_documents(p_organization text, p_ids text[], p_has_context boolean)
returns table (id text, document json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  is_any_suppressed boolean := exists (select 1 from suppressions s where s.organization_id = p_organization);
begin
  return query
    select l.id, json_build_object(
      'row', (
        select row_to_json(x) from (
          select l.organization_id, l.id, l.name, l.headline, l.job_title, l.company, l.email, l.linkedin_url, l.avatar_url,
            l.status, l.score, l.is_flagged, l.profile, l.merged_into, l.last_inbound_at, l.last_outbound_at, l.created_at,
            l.updated_at) x),
      'identities', (
        select coalesce(json_agg(json_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived)), '[]')
        from lead_identities i where i.organization_id = p_organization and i.lead_id = l.id),
      'missions', (
        select coalesce(json_agg(
          json_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'linkedAt', k.linked_at)
          order by k.linked_at, m.id collate "C"), '[]')
        from (select * from lead_missions where lead_id = l.id offset 0) k
        join missions m on m.organization_id = p_organization and m.id = k.mission_id
        where k.organization_id = p_organization),
      'messages', (
        select coalesce(json_agg(row_to_json(x) order by x.date, x.id collate "C"), '[]')
        from (select * from (
          select e.id, e.direction, e.channel, e.content, e.sender_name as "senderName", e.date, false as "isPending"
          from lead_messages e where e.organization_id = p_organization and e.lead_id = l.id
          union all
          select q.id, 'outbound', 'LINKEDIN', q.details ->> 'bodyText', null, q.created_at, true
          from transmissions q where q.organization_id = p_organization and q.lead_id = l.id and q.kind = 'message'
            and q.state in ('queued', 'waiting_relation')
        ) u order by u.date desc, u.id collate "C" desc limit 100) x),
      'suppressions', case when is_any_suppressed then svc_suppressions_of_lead(p_organization, l.id) else '[]' end,
      'context', case when p_has_context then json_build_object(
        'briefs', (
          select coalesce(json_agg(json_build_object('missionId', m.id, 'status', m.status,
            'offerName', o.name, 'offerOneLiner', o.one_liner, 'brief', m.content,
            'proof', coalesce(o.document -> 'references', '[]'), 'valueProposition', o.document ->> 'valueProposition') order by k.linked_at, m.id collate "C"), '[]')
          from (select * from lead_missions where lead_id = l.id offset 0) k
          join missions m on m.organization_id = p_organization and m.id = k.mission_id
          left join offers o on o.organization_id = p_organization and o.id = m.offer_id
          where k.organization_id = p_organization),
        'openDraft', (
          select json_build_object('draftId', f.id, 'status', f.status, 'agentHandle', coalesce(a.handle, ''),
            'missionId', f.mission_id, 'createdAt', f.created_at, 'rewriteRequested', f.rewrite is not null,
            'snoozedUntil', f.snoozed_until)
          from linkedin_drafts f
          left join agents a on a.organization_id = p_organization and a.id = f.agent_id
          where f.organization_id = p_organization and f.lead_id = l.id
            and f.status in ('PENDING_REVIEW', 'READY_TO_SEND')
          order by f.created_at desc, f.id collate "C" desc limit 1),
        'hasAmbiguousSend', exists (
          select 1 from transmissions q
          where q.organization_id = p_organization and q.lead_id = l.id and q.kind = 'message' and q.state = 'ambiguous'),
        'relation', (
          select json_build_object('accountId', r.account_id, 'connected', r.connected,
            'hasConversation', r.chat_id is not null, 'invitedAt', r.invited_at, 'checkedAt', r.checked_at)
          from lead_relations r
          where r.organization_id = p_organization and r.lead_id = l.id
          order by r.checked_at desc, r.account_id collate "C" limit 1)) end)
    from leads l
    where l.organization_id = p_organization and l.id = any (p_ids)
    order by l.id collate "C";
end $$;
`
