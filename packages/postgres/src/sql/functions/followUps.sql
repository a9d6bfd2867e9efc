-- As `workingDaysAfter` in WorkingHours.ts: the same time of day on the `p_days`-th date with working hours after that of `p_at`; `p_at`
-- itself for 0 days, and 370 days later if there are too few. An unknown or empty zone counts as UTC.
create function svc_working_days_after(p_at timestamptz, p_days integer, p_zone text, p_hours jsonb) returns timestamptz
language plpgsql stable
set search_path from current
set timezone = 'UTC'
as $$
declare
  is_usual boolean := not p_hours ?| array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  wall timestamp;
  early timestamptz;
  late timestamptz;
  middle timestamptz;
begin
  if p_days = 0 then
    return p_at;
  end if;
  begin
    -- Until the function returns. `at time zone 'CET'` would take the name for an abbreviation, which has no summer time.
    perform set_config('timezone', p_zone, true);
  exception when invalid_parameter_value then null;
  end;
  wall := (
    select p_at::timestamp + n * interval '24 hours'
    from generate_series(1, 370) as n
    cross join lateral (select p_at::date + n as date) d
    where case when is_usual then extract(isodow from d.date) < 6
        else jsonb_array_length(coalesce(p_hours -> to_char(d.date, 'fmday'), '[]')) > 0 end
      and not coalesce(p_hours -> 'holidays' ? to_char(d.date, 'YYYY-MM-DD'), false)
    order by n offset p_days - 1 limit 1);
  if wall is null then
    return p_at + interval '8880 hours';
  end if;
  -- The first instant at which the clock shows that, by the offset of the day before or of the day after.
  early := (wall - ((wall at time zone 'UTC' - interval '24 hours')::timestamp - (wall - interval '24 hours'))) at time zone 'UTC';
  if early::timestamp = wall then
    return early;
  end if;
  late := (wall - ((wall at time zone 'UTC' + interval '24 hours')::timestamp - (wall + interval '24 hours'))) at time zone 'UTC';
  if late::timestamp = wall then
    return late;
  end if;
  -- Clocks skip it: the instant of the skip.
  while early - late > interval '1 microsecond' loop
    middle := late + (early - late) / 2;
    if middle::timestamp - (middle at time zone 'UTC') = late::timestamp - (late at time zone 'UTC') then
      late := middle;
    else
      early := middle;
    end if;
  end loop;
  return early;
end $$;

-- What follow-ups depend on (`FollowUpFacts` of the core), of those of the leads that are in active missions with steps.
--
-- An organization without such a mission costs one look at an index, and a lead in none of them one more.
create function svc_follow_up_facts(p_organization text, p_lead_ids text[]) returns table (lead_id text, facts jsonb)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if not exists (
    select 1 from missions m where m.organization_id = p_organization and m.status = 'ACTIVE' and m.steps <> '[]')
  then
    return;
  end if;
  return query
    select l.id, jsonb_build_object('status', l.status, 'email', l.email, 'linkedinUrl', l.linkedin_url,
      'lastInboundAt', l.last_inbound_at, 'lastOutboundAt', l.last_outbound_at, 'snoozedUntil', l.snoozed_until,
      'awayUntil', l.away_until, 'inMissions', k.missions,
      'isBounced', exists (
        select 1 from suppressions s
        where s.organization_id = p_organization and s.kind = 'bounced' and s.value = lower(l.email)),
      'acceptedAt', (
        select max((q.details ->> 'endedAt')::timestamptz)
        from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
        where q.kind = 'invitation' and q.state = 'accepted'))
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select jsonb_agg(jsonb_build_object('missionId', m.id, 'status', m.status, 'steps', m.steps,
        'timezone', coalesce(a.profile ->> 'timezone', ''), 'workingHours', coalesce(a.profile -> 'workingHours', '{}'),
        'linkedAt', h.linked_at, 'taken', t.taken, 'isWritten', t.is_written) order by m.id collate "C") as missions
      from (select * from lead_missions where organization_id = p_organization and lead_id = g.id offset 0) h
      cross join lateral (
        select * from missions where organization_id = p_organization and id = h.mission_id limit 1) m
      left join agents a on a.organization_id = p_organization and a.id = m.agent_id
      cross join lateral (
        select coalesce(max(w.step) + 1, 0) as taken, coalesce(bool_or(w.is_open), false) as is_written
        from (
          select d.mission_id, (d.follow_up ->> 'step')::integer as step, d.status in ('PENDING_REVIEW', 'READY_TO_SEND') as is_open
          from (select * from linkedin_drafts where organization_id = p_organization and lead_id = g.id offset 0) d
          where d.status <> 'CANCELLED' or d.rejection is not null
          union all
          select q.mission_id, (q.details -> 'followUp' ->> 'step')::integer,
            q.state in ('in_review', 'queued', 'sending', 'ambiguous')
          from (select * from transmissions where organization_id = p_organization and lead_id = g.id offset 0) q
          where q.kind = 'email' and q.state <> 'cancelled'
        ) w where w.mission_id = m.id and w.step is not null) t
      where m.status = 'ACTIVE' and m.steps <> '[]'
    ) k
    cross join lateral (select * from leads where organization_id = p_organization and id = g.id offset 0) l
    where k.missions is not null and l.merged_into is null;
end $$;

-- As `nextFollowUp` in followUp.ts: the follow-up that is due first, of the facts that `svc_follow_up_facts` returns; null without one.
create function svc_next_follow_up(p_facts jsonb) returns jsonb
language sql stable
begin atomic
  select jsonb_build_object('missionId', m."missionId", 'step', s.step,
    'dueAt', to_char(d.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from jsonb_to_record(p_facts) as f (
    status text, email text, "linkedinUrl" text, "lastInboundAt" timestamptz, "lastOutboundAt" timestamptz,
    "snoozedUntil" timestamptz, "awayUntil" timestamptz, "isBounced" boolean, "acceptedAt" timestamptz, "inMissions" jsonb)
  cross join lateral jsonb_to_recordset(f."inMissions") as m (
    "missionId" text, status text, steps jsonb, timezone text, "workingHours" jsonb, "linkedAt" timestamptz, taken integer, "isWritten" boolean)
  cross join lateral (
    select g.place::integer - 1 as step, (g.document ->> 'working_days')::integer as days, b.begun
    from jsonb_array_elements(m.steps) with ordinality as g (document, place)
    cross join lateral (
      select case when g.document ->> 'after' = 'no_reply' then f."lastOutboundAt" else f."acceptedAt" end as begun) b
    where g.place > m.taken and b.begun >= m."linkedAt"
      and case when g.document ->> 'channel' = 'EMAIL' then f.email <> '' and not f."isBounced" else f."linkedinUrl" <> '' end
    order by g.place limit 1
  ) s
  cross join lateral (
    select greatest(f."snoozedUntil", f."awayUntil", svc_working_days_after(
      greatest(s.begun, f."lastOutboundAt"), s.days, m.timezone, m."workingHours")) as due_at) d
  where m.status = 'ACTIVE' and not m."isWritten" and f.status in ('New', 'Waiting', 'Contacted')
    and not coalesce(f."lastInboundAt" > m."linkedAt", false)
  order by d.due_at, m."missionId" collate "C" limit 1;
end;
