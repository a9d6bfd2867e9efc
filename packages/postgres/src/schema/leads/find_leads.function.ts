/** As `svc_resolve_leads` but read-only, with the context that lead.get shows. */
export const findLeads = `
create function svc_find_leads(p_organization text, p_kinds text[], p_values text[], p_lead_id text) returns jsonb
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  found_ids text[];
  live_id text;
begin
  select m.live ->> p_lead_id, m.found_ids into live_id, found_ids
  from svc_leads_meant(p_organization, p_kinds, p_values, array_remove(array[p_lead_id], null)) as m;
  if found_ids = '{}' then
    return jsonb_build_object('leadId', null, 'leads', '[]'::jsonb);
  end if;
  return jsonb_build_object('leadId', live_id, 'leads', (
    select coalesce(jsonb_agg(d.document || jsonb_build_object('context', jsonb_build_object(
      'briefs', (
        select coalesce(jsonb_agg(jsonb_build_object('missionId', m.id, 'status', m.status,
          'offerName', o.name, 'offerOneLiner', o.one_liner) order by k.linked_at, m.id collate "C"), '[]')
        from lead_missions k
        join missions m on m.organization_id = p_organization and m.id = k.mission_id
        left join offers o on o.organization_id = p_organization and o.id = m.offer_id
        where k.organization_id = p_organization and k.lead_id = lead.id),
      'openDraft', (
        select jsonb_build_object('draftId', f.id, 'status', f.status, 'agentHandle', coalesce(a.handle, ''),
          'missionId', f.mission_id, 'createdAt', f.created_at)
        from linkedin_drafts f
        left join agents a on a.organization_id = p_organization and a.id = f.agent_id
        where f.organization_id = p_organization and f.lead_id = lead.id
          and f.status in ('PENDING_REVIEW', 'READY_TO_SEND')
        order by f.created_at desc, f.id collate "C" desc limit 1),
      'hasAmbiguousSend', exists (
        select 1 from transmissions q
        where q.organization_id = p_organization and q.lead_id = lead.id and q.kind = 'message' and q.state = 'ambiguous'),
      'relation', (
        select jsonb_build_object('accountId', r.account_id, 'connected', r.connected,
          'hasConversation', r.chat_id is not null, 'invitedAt', r.invited_at, 'checkedAt', r.checked_at)
        from lead_relations r
        where r.organization_id = p_organization and r.lead_id = lead.id
        order by r.checked_at desc, r.account_id collate "C" limit 1)
    )) order by lead.id collate "C"), '[]')
    from svc_lead_documents(p_organization, found_ids) as d (document)
    cross join lateral (select d.document -> 'row' ->> 'id' as id) lead));
end $$;
`
