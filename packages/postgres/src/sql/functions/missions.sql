-- Stores again what missions count of leads. Leads that did nothing yet cost four look-ups each.
--
-- A lead in DoNotContact counts as the status that it had before, and as who opted out. Messages of a mission's drafts and its
-- e-mails count for that mission, others for each mission of the lead since it was added; so do invitations.
create function svc_keep_activity(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  ids text[] := array(
    select distinct g.id from unnest(p_lead_ids) as g (id)
    where exists (select 1 from leads l where l.organization_id = p_organization and l.id = g.id and l.status <> 'New')
      or exists (select 1 from lead_messages t where t.organization_id = p_organization and t.lead_id = g.id)
      or exists (select 1 from transmissions q where q.organization_id = p_organization and q.lead_id = g.id)
      or exists (select 1 from mission_activity a where a.organization_id = p_organization and a.lead_id = g.id));
begin
  if ids = '{}' then
    return;
  end if;
  with links as materialized (
    select k.mission_id, k.lead_id, k.linked_at from lead_missions k
    where k.organization_id = p_organization and k.lead_id = any (ids)
  ), changes as materialized (
    select e.subject_id as lead_id, e.data ->> 'from' as before, e.data ->> 'to' as after, e.created_at, e.sequence
    from events e
    where e.organization_id = p_organization and e.type = 'lead.status_changed' and e.subject_id = any (ids)
  ), drafts as materialized (
    select d.id, d.mission_id, d.message_id from linkedin_drafts d
    where d.organization_id = p_organization and d.lead_id = any (ids) and d.mission_id is not null
  ), messages as materialized (
    select t.id, t.lead_id, t.direction, t.date,
      case when t.channel = 'EMAIL' and t.direction = 'outbound' then t.external_id end as email_id
    from lead_messages t where t.organization_id = p_organization and t.lead_id = any (ids)
  ), sent as materialized (
    select q.id, q.kind, q.lead_id, q.draft_id, q.mission_id, q.state, coalesce(q.details ->> 'messageId', q.id) as email_id,
      (q.details ->> 'sentAt')::timestamptz as sent_at, (q.details ->> 'endedAt')::timestamptz as ended_at
    from transmissions q
    where q.organization_id = p_organization and q.lead_id = any (ids) and q.kind <> 'message'
  ), counted as materialized (
    select k.mission_id, k.lead_id, s.kind, '' as source, greatest(k.linked_at, (
        select case s.kind when 'opted_out' then max(c.created_at) else min(c.created_at) end
        from changes c where c.lead_id = k.lead_id and c.after = any (s.statuses))) as at
    from (
      select l.id, l.status, case when l.status <> 'DoNotContact' then l.status else (
        select c.before from changes c where c.lead_id = l.id and c.after = 'DoNotContact'
        order by c.sequence desc limit 1) end as counted_status
      from leads l where l.organization_id = p_organization and l.id = any (ids) and l.merged_into is null
    ) l
    join (values
      ('contacted', array['Contacted', 'Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('replied', array['Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('positive', array['Interested', 'MeetingBooked']),
      ('meetings', array['MeetingBooked']),
      ('opted_out', array['DoNotContact'])) s (kind, statuses)
      on case s.kind when 'opted_out' then l.status else l.counted_status end = any (s.statuses)
    join links k on k.lead_id = l.id
    union all
    select k.mission_id, t.lead_id, case t.direction when 'inbound' then 'messages_received' else 'messages_sent' end, t.id, t.date
    from messages t join links k on k.lead_id = t.lead_id and k.linked_at <= t.date
    where t.direction = 'inbound' or (t.id not in (select d.message_id from drafts d where d.message_id is not null)
      and (t.email_id is null or (t.lead_id, t.email_id) not in (
        select q.lead_id, q.email_id from sent q where q.kind = 'email' and q.mission_id is not null)))
    union all
    select d.mission_id, t.lead_id, 'messages_sent', t.id, t.date from messages t join drafts d on d.message_id = t.id
    union all
    select q.mission_id, q.lead_id, 'messages_sent', q.id, q.sent_at
    from sent q where q.kind = 'email' and q.state = 'sent' and q.mission_id is not null and q.sent_at is not null
    union all
    select coalesce(d.mission_id, k.mission_id), q.lead_id, v.kind, q.id, v.at
    from sent q
    left join drafts d on d.id = q.draft_id
    left join links k on d.id is null and k.lead_id = q.lead_id and k.linked_at <= q.sent_at
    cross join lateral (values
      ('invitations_sent', q.sent_at),
      ('invitations_accepted', case q.state when 'accepted' then q.ended_at end)) v (kind, at)
    where q.kind = 'invitation' and q.sent_at is not null and v.at is not null
      and coalesce(d.mission_id, k.mission_id) is not null
  ), stored as materialized (
    select a.mission_id, a.lead_id, a.kind, a.source, a.at from mission_activity a
    where a.organization_id = p_organization and a.lead_id = any (ids)
  ), gone as (
    delete from mission_activity a
    where a.organization_id = p_organization and a.lead_id = any (ids)
      and (a.mission_id, a.lead_id, a.kind, a.source) not in (select c.mission_id, c.lead_id, c.kind, c.source from counted c)
  )
  insert into mission_activity as a (organization_id, mission_id, lead_id, kind, source, at)
  select p_organization, n.* from (select * from counted except select * from stored) n
  on conflict (organization_id, lead_id, mission_id, kind, source) do update set at = excluded.at
    where a.organization_id = p_organization;
end $$;

-- Stores again what is derived from leads, which the caller has locked; after what they are derived from was written, in the same
-- transaction. `p_is_activity` when missions may count something else of them: links, messages, invitations, e-mails or changes of
-- status.
create function svc_keep_leads(p_organization text, p_lead_ids text[], p_is_activity boolean) returns void
language plpgsql volatile
set search_path from current
as $$
begin
  if p_is_activity then
    perform svc_keep_activity(p_organization, p_lead_ids);
  end if;
end $$;
