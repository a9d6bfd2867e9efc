/**
 * Leads with their related records as JSON, in the order of their ids, and with the context that lead.get shows if
 * `p_has_context`. JSON is text here: nothing looks into it, and making `jsonb` of it would take as long as reading the records.
 *
 * What all of them have in common is looked up once: whom an entry of the suppression list may concern, since hardly anybody
 * is, and the brief of each mission.
 *
 * Planned once for each connection and always with indexes: the statement looks up a dozen records by their keys, and
 * planning it takes four times as long as running it. Drafts and messages to send are looked up by their lead before
 * (`offset 0`) their status is compared: while few are open, the plan would read those of everybody, and keep doing so.
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
  -- Leads of which at least one entry names the id, an identifier or the domain of an address.
  suppressed_ids text[] := '{}';
begin
  if exists (select 1 from suppressions s where s.organization_id = p_organization) then
    suppressed_ids := array(
      select k.lead_id
      from (
        select g.id as lead_id, 'lead' as kind, g.id as value from unnest(p_ids) as g (id)
        union all
        select i.lead_id, i.kind, i.value
        from unnest(p_ids) as g (id)
        cross join lateral (select * from lead_identities where lead_id = g.id offset 0) i
        where i.organization_id = p_organization
        union all
        select i.lead_id, 'domain', d.domain
        from unnest(p_ids) as g (id)
        cross join lateral (select * from lead_identities where lead_id = g.id offset 0) i
        cross join lateral svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
        where i.organization_id = p_organization and i.kind = 'email'
          and exists (select 1 from suppressions s where s.organization_id = p_organization and s.kind = 'domain')
      ) k
      cross join lateral (
        select 1 from suppressions s
        where s.organization_id = p_organization and s.kind = k.kind and s.value = k.value limit 1
      ) e);
  end if;
  return query
    with briefs as materialized (
      select m.id, json_build_object('missionId', m.id, 'status', m.status,
        'offerName', o.name, 'offerOneLiner', o.one_liner, 'brief', m.content,
        'proof', coalesce(d."references", '[]'), 'valueProposition', d."valueProposition") as brief
      from (
        select distinct k.mission_id
        from unnest(p_ids) as g (id)
        cross join lateral (select * from lead_missions where lead_id = g.id offset 0) k
        where k.organization_id = p_organization
      ) w
      join missions m on m.organization_id = p_organization and m.id = w.mission_id
      left join offers o on o.organization_id = p_organization and o.id = m.offer_id
      left join lateral json_to_record(o.document) as d ("references" json, "valueProposition" text) on true
    )
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
          from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
          where q.kind = 'message' and q.state in ('queued', 'waiting_relation')
        ) u order by u.date desc, u.id collate "C" desc limit 100) x),
      'suppressions', case when l.id = any (suppressed_ids) then svc_suppressions_of_lead(p_organization, l.id) else '[]' end,
      'context', case when p_has_context then json_build_object(
        'briefs', (
          select coalesce(json_agg(b.brief order by k.linked_at, b.id collate "C"), '[]')
          from (select * from lead_missions where lead_id = l.id offset 0) k
          join briefs b on b.id = k.mission_id
          where k.organization_id = p_organization),
        'openDraft', (
          select json_build_object('draftId', f.id, 'status', f.status, 'agentHandle', coalesce(a.handle, ''),
            'missionId', f.mission_id, 'createdAt', f.created_at, 'rewriteRequested', f.rewrite is not null,
            'snoozedUntil', f.snoozed_until)
          from (select * from linkedin_drafts where organization_id = p_organization and lead_id = l.id offset 0) f
          left join agents a on a.organization_id = p_organization and a.id = f.agent_id
          where f.status in ('PENDING_REVIEW', 'READY_TO_SEND')
          order by f.created_at desc, f.id collate "C" desc limit 1),
        'hasAmbiguousSend', exists (
          select 1
          from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
          where q.kind = 'message' and q.state = 'ambiguous'),
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
