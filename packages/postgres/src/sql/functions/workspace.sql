-- Appends events, audit rows and results under idempotency keys. Returns how many results were stored: fewer than were given
-- if another run has stored its own.
--
-- Planned once for each connection: planning takes longer than running it.
create function svc_append(p_entry jsonb) returns integer
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
declare
  stored integer;
begin
  with new_events as (
    insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, key_id,
      is_undo, created_at)
    select * from jsonb_to_recordset(p_entry -> 'events') as r (
      organization_id text, id text, type text, subject_type text, subject_id text, actor_kind text, actor_id text,
      data jsonb, key_id text, is_undo boolean, created_at timestamptz)
  ), new_audit as (
    insert into audit_entries (organization_id, id, actor_kind, user_id, key_id, command_id, command_hash,
      subject_type, subject_id, outcome, created_at)
    select * from jsonb_to_recordset(p_entry -> 'audit') as r (
      organization_id text, id text, actor_kind text, user_id text, key_id text, command_id text,
      command_hash text, subject_type text, subject_id text, outcome text, created_at timestamptz)
  ), new_keys as (
    insert into idempotency_keys as k (organization_id, route, key, fingerprint, envelope, created_at)
    select * from jsonb_to_recordset(p_entry -> 'keys') as r (
      organization_id text, route text, key text, fingerprint text, envelope jsonb, created_at timestamptz)
    on conflict (organization_id, route, key) do update
      set envelope = excluded.envelope, created_at = excluded.created_at
      where k.organization_id = excluded.organization_id and k.envelope is null
    returning 1
  )
  select count(*)::integer into stored from new_keys;
  return stored;
end $$;

-- Numbers the oldest committed events without a number, at most `most`.
--
-- Runs once at a time for each organization. The lock is held until the numbers are committed, so numbers have no gaps, and
-- a reader who sees one sees all before it.
create function svc_number_events(org text, most integer) returns void
language plpgsql
set search_path from current
as $$
declare
  head bigint;
begin
  if not exists (select 1 from events where organization_id = org and sequence is null) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(org, 9));
  select coalesce(max(sequence), 0) into head from events where organization_id = org;
  with waiting as (
    select id, position from events
    where organization_id = org and sequence is null order by position limit most
  ), numbered as (
    select id, row_number() over (order by position) as place from waiting
  )
  update events e set sequence = head + n.place from numbered n where e.organization_id = org and e.id = n.id;
end $$;

-- A page of the feed with the numbers of the oldest and the latest event. Always returns at least one row; its id is null when the page is
-- empty. Numbers events only when the page reaches the end of the numbered ones, as one of few types may.
create function svc_read_events(org text, after_sequence bigint, wanted text[], most integer)
returns table (oldest bigint, head bigint, sequence bigint, id text, type text, subject_type text, subject_id text, actor_kind text,
  actor_id text, data jsonb, created_at timestamptz)
language plpgsql
set search_path from current
as $$
begin
  if wanted is not null or (select count(*) from (
    select 1 from events e where e.organization_id = org and e.sequence > after_sequence limit most
  ) as there) < most then
    perform svc_number_events(org, 5000);
  end if;
  return query
    select h.oldest, h.head, e.sequence, e.id, e.type, e.subject_type, e.subject_id, e.actor_kind, e.actor_id, e.data, e.created_at
    from (select coalesce(min(m.sequence), 0) as oldest, coalesce(max(m.sequence), 0) as head
      from events m where m.organization_id = org) as h
    left join lateral (
      select * from events f
      where f.organization_id = org and f.sequence > after_sequence and (wanted is null or f.type = any (wanted))
      order by f.sequence limit most
    ) as e on true
    order by e.sequence;
end $$;

-- The latest events, newest first.
create function svc_recent_events(org text, most integer)
returns table (sequence bigint, id text, type text, subject_type text, subject_id text, actor_kind text, actor_id text,
  data jsonb, created_at timestamptz)
language plpgsql
set search_path from current
as $$
begin
  perform svc_number_events(org, 20000);
  return query
    select e.sequence, e.id, e.type, e.subject_type, e.subject_id, e.actor_kind, e.actor_id, e.data, e.created_at
    from events e where e.organization_id = org and e.sequence is not null order by e.sequence desc limit most;
end $$;

-- The number of the latest committed event, after numbering all events.
create function svc_event_head(p_organization text) returns bigint
language plpgsql volatile
set search_path from current
as $$
begin
  while exists (select 1 from events e where e.organization_id = p_organization and e.sequence is null) loop
    perform svc_number_events(p_organization, 20000);
  end loop;
  return (select coalesce(max(e.sequence), 0) from events e where e.organization_id = p_organization);
end $$;

-- Analyzes a table as the owner of the schema, whoever calls: PostgreSQL lets nobody else do it, and the role of the service
-- owns nothing. Skips a table that is locked.
create function svc_analyze(p_table text) returns void
language plpgsql volatile security definer
set search_path from current
as $$
begin
  execute format('analyze (skip_locked) %I.%I', current_schema(), p_table);
end $$;
revoke execute on function svc_analyze(text) from public;
