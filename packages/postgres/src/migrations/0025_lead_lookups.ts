/**
 * Looking up one person: each identifier by its key, planned once for each connection and always by an index.
 *
 * As a join, the identifiers of a small tenant seem worth reading whole; and a plan that was made while tables were empty
 * reads them whole too, until somebody analyzes them.
 */
export const leadLookups = {
  id: 25,
  name: "lead-lookups",
  sql: `
alter function svc_lead_documents(text, text[]) set enable_seqscan = off;
alter function svc_suppressions_of(text, text[], text[]) set plan_cache_mode = force_generic_plan;
alter function svc_suppressions_of(text, text[], text[]) set enable_seqscan = off;

-- What a lead id and identifiers stand for: the lead that the id means today, and the ids of all that are meant.
create function svc_leads_meant(p_organization text, p_kinds text[], p_values text[], p_lead_id text)
returns table (live_id text, found_ids text[])
language sql stable as $$
  select m.live_id, array(
    select m.live_id where m.live_id is not null
    union
    select i.lead_id
    from unnest(p_kinds, p_values) as g (kind, value)
    cross join lateral (
      select h.lead_id from lead_identities h
      where h.organization_id = p_organization and h.kind = g.kind and h.value = g.value limit 1) i)
  from (
    select (
      select coalesce(l.merged_into, l.id) from leads l
      where l.organization_id = p_organization and l.id = p_lead_id) as live_id
    offset 0
  ) m
$$;

create or replace function svc_resolve_leads(
  p_organization text, p_kinds text[], p_values text[], p_lead_id text, p_mission text
) returns jsonb
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  lock_key bigint;
  found_ids text[];
  held_ids text[] := '{}';
  live_id text;
begin
  for lock_key in
    select distinct hashtextextended(p_organization || E'\\n' || g.kind || ':' || g.value, 17) as hash
    from unnest(p_kinds, p_values) as g (kind, value) order by hash
  loop
    perform pg_advisory_xact_lock(lock_key);
  end loop;
  loop
    select m.live_id, m.found_ids into live_id, found_ids
    from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_id) as m;
    exit when found_ids <@ held_ids;
    -- A lead may have been merged while its row was waited for, so look again until everything found is held. Rows are
    -- only ever locked upwards; what would go back starts the transaction again instead of risking a deadlock.
    if exists (
      select 1 from unnest(found_ids) as f (id), unnest(held_ids) as h (id)
      where f.id <> all (held_ids) and f.id collate "C" < h.id collate "C")
    then
      raise exception 'leads were merged meanwhile' using errcode = '40001';
    end if;
    perform 1 from leads l where l.organization_id = p_organization and l.id = any (found_ids)
      order by l.id collate "C" for no key update;
    held_ids := held_ids || found_ids;
  end loop;
  return jsonb_build_object(
    'leadId', live_id,
    'leads', case when found_ids = '{}' then '[]' else (
      select coalesce(jsonb_agg(d.document order by d.document -> 'row' ->> 'id' collate "C"), '[]')
      from svc_lead_documents(p_organization, found_ids) as d (document)) end,
    'mission', case when p_mission is not null then (
      select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'status', m.status)
      from missions m
      where m.organization_id = p_organization and (m.id = p_mission or m.handle = p_mission)
      order by m.id = p_mission desc limit 1) end,
    'suppressions', (
      select coalesce(jsonb_agg(to_jsonb(s)), '[]') from svc_suppressions_of(p_organization, p_kinds, p_values) s));
end $$;

-- As svc_resolve_leads, for reading only, with what lead.get shows beside the lead.
create function svc_find_leads(p_organization text, p_kinds text[], p_values text[], p_lead_id text) returns jsonb
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  found_ids text[];
  live_id text;
begin
  select m.live_id, m.found_ids into live_id, found_ids
  from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_id) as m;
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
        select 1 from linkedin_queue q
        where q.organization_id = p_organization and q.lead_id = lead.id and q.state = 'ambiguous'),
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
}
