-- Kind and model of who wrote a text last, of the steps that are kept with it.
create function svc_writer(p_steps jsonb) returns text
language sql immutable
begin atomic
  select coalesce(w.step ->> 'actor_kind', 'USER') || ' ' || coalesce(w.step ->> 'model', '')
  from (select jsonb_path_query_array(p_steps,
    '$[*] ? (@.action == "created" || @.action == "updated" || @.action == "approved_with_edits")') -> -1 as step) w;
end;

-- Stores again what missions count of leads. Leads that did nothing yet cost four look-ups each.
--
-- A lead in DoNotContact counts as the status that it had before, and as who opted out. Messages of a mission's drafts and its
-- e-mails count for that mission, others for each mission of the lead since it was added; so do invitations. A person's reply, and
-- that the person is positive, counts for the latest of a mission's messages before the first reply to any of them.
create function svc_keep_activity(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  ids text[] := array(
    select distinct g.id from unnest(p_lead_ids) as g (id)
    where 'New' <> (select l.status from leads l where l.organization_id = p_organization and l.id = g.id)
      or exists (select 1 from lead_messages t where t.organization_id = p_organization and t.lead_id = g.id offset 0)
      or exists (select 1 from transmissions q where q.organization_id = p_organization and q.lead_id = g.id offset 0)
      or exists (select 1 from mission_activity a where a.organization_id = p_organization and a.lead_id = g.id offset 0));
begin
  if ids = '{}' then
    return;
  end if;
  with states as materialized (
    select l.id, l.status from unnest(ids) as g (id) cross join lateral (
      select h.id, h.status, h.merged_into from leads h where h.organization_id = p_organization and h.id = g.id offset 0) l
    where l.merged_into is null
  ), links as materialized (
    select k.* from unnest(ids) as g (id) cross join lateral (
      select m.mission_id, m.lead_id, m.linked_at from lead_missions m
      where m.organization_id = p_organization and m.lead_id = g.id offset 0) k
  ), changes as materialized (
    select c.* from unnest(ids) as g (id) cross join lateral (
      select e.subject_id as lead_id, e.data ->> 'from' as before, e.data ->> 'to' as after, e.created_at, e.sequence from events e
      where e.organization_id = p_organization and e.type = 'lead.status_changed' and e.subject_id = g.id offset 0) c
  ), drafts as materialized (
    select d.* from unnest(ids) as g (id) cross join lateral (
      select f.id, f.mission_id, f.message_id, (f.follow_up ->> 'step')::smallint as step,
        f.selected_index::smallint as variation, svc_writer(f.steps) as writer
      from linkedin_drafts f
      where f.organization_id = p_organization and f.lead_id = g.id offset 0) d
    where d.mission_id is not null
  ), messages as materialized (
    select t.* from unnest(ids) as g (id) cross join lateral (
      select h.id, h.lead_id, h.direction, h.date,
        case when h.channel = 'EMAIL' and h.direction = 'outbound' then h.external_id end as email_id
      from lead_messages h where h.organization_id = p_organization and h.lead_id = g.id offset 0) t
  ), sent as materialized (
    select q.* from unnest(ids) as g (id) cross join lateral (
      select s.id, s.kind, s.lead_id, s.draft_id, s.mission_id, s.state, coalesce(s.details ->> 'messageId', s.id) as email_id,
        (s.details ->> 'sentAt')::timestamptz as sent_at, (s.details ->> 'endedAt')::timestamptz as ended_at,
        (s.details -> 'followUp' ->> 'step')::smallint as step, svc_writer(s.details -> 'steps') as writer
      from transmissions s where s.organization_id = p_organization and s.lead_id = g.id offset 0) q
    where q.kind <> 'message'
  ), groups (kind, statuses) as (
    values ('contacted', array['Contacted', 'Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('replied', array['Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('positive', array['Interested', 'MeetingBooked']),
      ('meetings', array['MeetingBooked']),
      ('opted_out', array['DoNotContact'])
  ), entered as materialized (
    select c.lead_id, s.kind, min(c.created_at) as first_at, max(c.created_at) as last_at
    from changes c join groups s on c.after = any (s.statuses) group by c.lead_id, s.kind
  ), former as materialized (
    select distinct on (c.lead_id) c.lead_id, c.before from changes c where c.after = 'DoNotContact'
    order by c.lead_id, c.sequence desc
  ), written as materialized (
    -- Of drafts that a person recorded as the same message, the first one.
    (select distinct on (d.mission_id, t.id) d.mission_id, t.lead_id, t.id, t.date as at, d.step, d.variation, d.writer
    from messages t join drafts d on d.message_id = t.id
    order by d.mission_id, t.id, d.id collate "C")
    union all
    select q.mission_id, q.lead_id, q.id, q.sent_at, q.step, null::smallint, q.writer
    from sent q where q.kind = 'email' and q.state = 'sent' and q.mission_id is not null and q.sent_at is not null
  ), credited as materialized (
    select distinct on (w.mission_id, w.lead_id) w.mission_id, w.lead_id, w.id, r.at is not null as is_answered,
      l.status = any (s.statuses) or coalesce(f.before = any (s.statuses), false) as is_positive
    from (
      select b.mission_id, b.lead_id, min(t.date) as at
      from (select o.mission_id, o.lead_id, min(o.at) as at from written o group by o.mission_id, o.lead_id) b
      left join messages t on t.lead_id = b.lead_id and t.direction = 'inbound' and t.date > b.at
      group by b.mission_id, b.lead_id
    ) r
    join written w on w.mission_id = r.mission_id and w.lead_id = r.lead_id and (r.at is null or w.at < r.at)
    join states l on l.id = w.lead_id
    join groups s on s.kind = 'positive'
    left join former f on l.status = 'DoNotContact' and f.lead_id = l.id
    order by w.mission_id, w.lead_id, w.at desc, w.id collate "C" desc
  ), counted as materialized (
    select k.mission_id, k.lead_id, s.kind, '' as source,
      greatest(k.linked_at, case s.kind when 'opted_out' then e.last_at else e.first_at end) as at,
      null::smallint as step, null::smallint as variation, null as writer, null::boolean as is_answered, null::boolean as is_positive
    from states l
    left join former f on l.status = 'DoNotContact' and f.lead_id = l.id
    join groups s on l.status = any (s.statuses) or f.before = any (s.statuses)
    join links k on k.lead_id = l.id
    left join entered e on e.lead_id = l.id and e.kind = s.kind
    union all
    select k.mission_id, t.lead_id, case t.direction when 'inbound' then 'messages_received' else 'messages_sent' end, t.id, t.date,
      null, null, null, null, null
    from messages t join links k on k.lead_id = t.lead_id and k.linked_at <= t.date
    where t.direction = 'inbound' or (t.id not in (select d.message_id from drafts d where d.message_id is not null)
      and (t.email_id is null or (t.lead_id, t.email_id) not in (
        select q.lead_id, q.email_id from sent q where q.kind = 'email' and q.mission_id is not null)))
    union all
    select w.mission_id, w.lead_id, 'messages_sent', w.id, w.at, w.step, w.variation, w.writer,
      coalesce(c.is_answered, false), coalesce(c.is_positive, false)
    from written w
    left join credited c on c.mission_id = w.mission_id and c.lead_id = w.lead_id and c.id = w.id
    union all
    select coalesce(d.mission_id, k.mission_id), q.lead_id, v.kind, q.id, v.at, o.step, o.variation, o.writer,
      case when o.writer is not null then q.state = 'accepted' end, case when o.writer is not null then false end
    from sent q
    left join drafts d on d.id = q.draft_id
    left join links k on d.id is null and k.lead_id = q.lead_id and k.linked_at <= q.sent_at
    cross join lateral (values
      ('invitations_sent', q.sent_at),
      ('invitations_accepted', case q.state when 'accepted' then q.ended_at end)) v (kind, at)
    left join lateral (select d.step, d.variation, d.writer where v.kind = 'invitations_sent') o on true
    where q.kind = 'invitation' and q.sent_at is not null and v.at is not null
      and coalesce(d.mission_id, k.mission_id) is not null
  ), stored as materialized (
    select k.* from unnest(ids) as g (id) cross join lateral (
      select a.mission_id, a.lead_id, a.kind, a.source, a.at, a.step, a.variation, a.writer, a.is_answered, a.is_positive
      from mission_activity a
      where a.organization_id = p_organization and a.lead_id = g.id offset 0) k
  ), gone as (
    delete from mission_activity a
    where a.organization_id = p_organization and a.lead_id = any (ids)
      and (a.mission_id, a.lead_id, a.kind, a.source) not in (select c.mission_id, c.lead_id, c.kind, c.source from counted c)
      -- Nothing is looked for unless something is too much.
      and exists (
        select k.mission_id, k.lead_id, k.kind, k.source from stored k
        except select c.mission_id, c.lead_id, c.kind, c.source from counted c)
  )
  insert into mission_activity as a (organization_id, mission_id, lead_id, kind, source, at, step, variation, writer, is_answered,
    is_positive)
  select p_organization, n.* from (select * from counted except select * from stored) n
  on conflict (organization_id, lead_id, mission_id, kind, source) do update set at = excluded.at, step = excluded.step,
    variation = excluded.variation, writer = excluded.writer, is_answered = excluded.is_answered,
    is_positive = excluded.is_positive
    where a.organization_id = excluded.organization_id;
end $$;

-- Stores again what is derived from leads, which the caller has locked; after what it is derived from was written, in the same
-- transaction. Where missions count nothing else of the leads (no link, message, invitation, e-mail or change of status),
-- `svc_keep_actions` alone is enough.
create function svc_keep_leads(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
as $$
begin
  perform svc_keep_activity(p_organization, p_lead_ids);
  perform svc_keep_actions(p_organization, p_lead_ids);
end $$;
