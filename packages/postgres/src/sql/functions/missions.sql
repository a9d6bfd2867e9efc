-- Stores what leads did of some kinds, and deletes what of it does not count any more; `p_sources` null for all.
create function svc_store_activity(
  p_organization text, p_lead_ids text[], p_kinds text[], p_sources text[], p_counted mission_activity[]
) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  with gone as (
    delete from mission_activity a
    where (a.organization_id = p_organization) is true and a.ctid = any (array(
      select k.ctid
      from (select distinct unnest(p_lead_ids)) as g (id)
      cross join lateral (
        select ctid, m.* from mission_activity m where m.organization_id = p_organization and m.lead_id = g.id offset 0) k
      where k.kind = any (p_kinds) and (p_sources is null or k.source = any (p_sources))
        and (k.mission_id, k.lead_id, k.kind, k.source) not in (
          select c.mission_id, c.lead_id, c.kind, c.source from unnest(p_counted) c)))
  )
  insert into mission_activity as a (organization_id, mission_id, lead_id, kind, source, at)
  select c.organization_id, c.mission_id, c.lead_id, c.kind, c.source, c.at from unnest(p_counted) c
  on conflict (organization_id, lead_id, mission_id, kind, source) do update set at = excluded.at
    where a.organization_id = p_organization and a.at <> excluded.at;
end $$;

-- Keeps when leads entered the groups of statuses that they are in. One in DoNotContact counts as the status that it had
-- before, and as who opted out.
create function svc_keep_entries(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  perform svc_store_activity(p_organization, p_lead_ids, array['contacted', 'replied', 'positive', 'meetings', 'opted_out'],
    null, array(
    select row(p_organization, c.mission_id, c.lead_id, c.kind, c.source, c.at, null)::mission_activity from (
      select k.mission_id, l.id, s.kind, '', greatest(k.linked_at, e.at)
      from (select distinct unnest(p_lead_ids)) as g (id)
      cross join lateral (
        select id, status, merged_into from leads where organization_id = p_organization and id = g.id offset 0) l
      cross join lateral (
        select case when l.status <> 'DoNotContact' then l.status else (
          select e.data ->> 'from'
          from (select * from events where type = 'lead.status_changed' and subject_id = l.id offset 0) e
          where e.organization_id = p_organization and e.data ->> 'to' = 'DoNotContact'
          order by e.sequence desc limit 1) end as status offset 0) counted
      join (values
        ('contacted', array['Contacted', 'Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
        ('replied', array['Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
        ('positive', array['Interested', 'MeetingBooked']),
        ('meetings', array['MeetingBooked']),
        ('opted_out', array['DoNotContact'])) s (kind, statuses)
        on case s.kind when 'opted_out' then l.status else counted.status end = any (s.statuses)
      cross join lateral (
        select case s.kind when 'opted_out' then max(e.created_at) else min(e.created_at) end as at
        from (select * from events where type = 'lead.status_changed' and subject_id = l.id offset 0) e
        where e.organization_id = p_organization and e.data ->> 'to' = any (s.statuses)) e
      cross join lateral (select * from lead_missions where lead_id = l.id offset 0) k
      where k.organization_id = p_organization and l.merged_into is null
    ) c (mission_id, lead_id, kind, source, at)));
end $$;

-- Keeps the messages of leads; `p_sources` are ids of messages and e-mails, null for all: those of a mission's drafts and its
-- e-mails, and for each mission of the lead the others since it was added.
create function svc_keep_messages(p_organization text, p_lead_ids text[], p_sources text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  perform svc_store_activity(p_organization, p_lead_ids, array['messages_sent', 'messages_received'],
    p_sources, array(
    select row(p_organization, c.mission_id, c.lead_id, c.kind, c.source, c.at, null)::mission_activity from (
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
        and (p_sources is null or q.id = any (p_sources))
    ) c (mission_id, lead_id, kind, source, at)));
end $$;

-- Keeps the invitations of leads: of a mission's draft, and for each mission of the lead the others since it was added.
create function svc_keep_invitations(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  perform svc_store_activity(p_organization, p_lead_ids, array['invitations_sent', 'invitations_accepted'],
    null, array(
    select row(p_organization, c.mission_id, c.lead_id, c.kind, c.source, c.at, null)::mission_activity from (
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
      where q.kind = 'invitation' and q.details ->> 'sentAt' is not null and v.at is not null
    ) c (mission_id, lead_id, kind, source, at)));
end $$;

-- Keeps `mission_activity` as events, messages, drafts and transmissions of a lead change.
create function svc_keep_activity() returns trigger
language plpgsql
set search_path from current
as $$
declare
  organization text := coalesce(new.organization_id, old.organization_id);
begin
  case tg_table_name
    when 'events' then
      perform svc_keep_entries(organization, array[coalesce(new.subject_id, old.subject_id)]);
    when 'lead_messages' then
      perform svc_keep_messages(organization, array[old.lead_id, new.lead_id], array[coalesce(new.id, old.id)]);
    when 'linkedin_drafts' then
      perform svc_keep_messages(organization, array(
        select m.lead_id from lead_messages m
        where m.organization_id = organization and m.id in (old.message_id, new.message_id)),
        array[old.message_id, new.message_id]);
      if old.mission_id is distinct from new.mission_id then
        perform svc_keep_invitations(organization, array[old.lead_id, new.lead_id]);
      end if;
    else
      if coalesce(new.kind, old.kind) = 'email' then
        perform svc_keep_messages(organization, array[old.lead_id, new.lead_id], null);
      else
        perform svc_keep_invitations(organization, array[old.lead_id, new.lead_id]);
      end if;
  end case;
  return null;
end $$;

create trigger status_entered after insert on events for each row
  when (new.type = 'lead.status_changed') execute function svc_keep_activity();
create trigger status_forgotten after delete on events for each row
  when (old.type = 'lead.status_changed') execute function svc_keep_activity();

create trigger message_added after insert or delete on lead_messages for each row execute function svc_keep_activity();
create trigger message_changed after update on lead_messages for each row
  when ((old.lead_id, old.date, old.direction, old.channel, old.external_id)
    is distinct from (new.lead_id, new.date, new.direction, new.channel, new.external_id))
  execute function svc_keep_activity();

create trigger draft_sent after update on linkedin_drafts for each row
  when ((old.message_id, old.mission_id) is distinct from (new.message_id, new.mission_id)
    and (old.mission_id is not null or new.mission_id is not null))
  execute function svc_keep_activity();

create trigger transmission_added after insert on transmissions for each row
  when (new.kind <> 'message' and new.details ->> 'sentAt' is not null) execute function svc_keep_activity();
create trigger transmission_removed after delete on transmissions for each row
  when (old.kind <> 'message') execute function svc_keep_activity();
create trigger transmission_changed after update on transmissions for each row
  when (new.kind <> 'message' and (old.lead_id, old.draft_id, old.mission_id, old.state, old.details)
    is distinct from (new.lead_id, new.draft_id, new.mission_id, new.state, new.details))
  execute function svc_keep_activity();

-- Keeps `mission_activity` as leads are added to missions and removed. New leads have done nothing yet.
create function svc_keep_linked_activity() returns trigger
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  organization text;
  ids text[];
begin
  for organization, ids in
    select c.organization_id, array_agg(distinct c.lead_id) from changed c
    where case when tg_op = 'DELETE' then exists (
        select 1 from mission_activity a where a.organization_id = c.organization_id and a.lead_id = c.lead_id)
      else exists (
        select 1 from leads l where l.organization_id = c.organization_id and l.id = c.lead_id
          and (l.status <> 'New' or l.turn is not null or exists (
            select 1 from transmissions q where q.organization_id = c.organization_id and q.lead_id = c.lead_id)))
      end
    group by c.organization_id
  loop
    perform svc_keep_entries(organization, ids);
    perform svc_keep_messages(organization, ids, null);
    perform svc_keep_invitations(organization, ids);
  end loop;
  return null;
end $$;

create trigger leads_linked after insert on lead_missions
  referencing new table as changed for each statement execute function svc_keep_linked_activity();
create trigger leads_relinked after update on lead_missions
  referencing new table as changed for each statement execute function svc_keep_linked_activity();
create trigger leads_unlinked after delete on lead_missions
  referencing old table as changed for each statement execute function svc_keep_linked_activity();
