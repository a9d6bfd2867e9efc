-- Appends audit rows, results under idempotency keys and events of an organization. Returns how many results were stored: fewer
-- than were given if another run has stored its own.
--
-- Events are numbered by the row of `event_heads`, which stays locked until the transaction ends: numbers have no gaps, are in the
-- order of commits, and a reader who sees one sees all before it. It is locked last, so its holder waits for nothing else.
--
-- Planned once for each connection: planning takes longer than running it.
create function svc_append(p_organization text, p_entry jsonb) returns integer
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
declare
  stored integer;
  last bigint;
begin
  with new_audit as (
    insert into audit_entries (organization_id, id, actor_kind, user_id, key_id, command_id, command_hash,
      subject_type, subject_id, outcome, created_at)
    select p_organization, r.* from jsonb_to_recordset(p_entry -> 'audit') as r (
      id text, actor_kind text, user_id text, key_id text, command_id text, command_hash text, subject_type text,
      subject_id text, outcome text, created_at timestamptz)
  ), new_keys as (
    insert into idempotency_keys as k (organization_id, route, key, fingerprint, envelope, created_at)
    select p_organization, r.* from jsonb_to_recordset(p_entry -> 'keys') as r (
      route text, key text, fingerprint text, envelope jsonb, created_at timestamptz)
    on conflict (organization_id, route, key) do update
      set envelope = excluded.envelope, created_at = excluded.created_at
      where k.organization_id = excluded.organization_id and k.envelope is null
    returning 1
  )
  select count(*)::integer into stored from new_keys;

  if jsonb_array_length(p_entry -> 'events') > 0 then
    insert into event_heads as h (organization_id, sequence)
    values (p_organization, jsonb_array_length(p_entry -> 'events'))
    on conflict (organization_id) do update set sequence = h.sequence + excluded.sequence
      where h.organization_id = excluded.organization_id
    returning h.sequence - jsonb_array_length(p_entry -> 'events') into last;
    insert into events (organization_id, sequence, id, type, subject_type, subject_id, actor_kind, actor_id, data, key_id,
      is_undo, created_at)
    select p_organization, last + r.place, r.id, r.type, r.subject_type, r.subject_id, r.actor_kind, r.actor_id, r.data, r.key_id,
      r.is_undo, r.created_at
    from rows from (jsonb_to_recordset(p_entry -> 'events') as (
      id text, type text, subject_type text, subject_id text, actor_kind text, actor_id text, data jsonb, key_id text,
      is_undo boolean, created_at timestamptz)) with ordinality as r (
      id, type, subject_type, subject_id, actor_kind, actor_id, data, key_id, is_undo, created_at, place);
    if p_entry -> 'events' @? '$[*] ? (@.type == "lead.status_changed")' then
      perform svc_keep_leads(p_organization, array(
        select r.subject_id from jsonb_to_recordset(p_entry -> 'events') as r (type text, subject_id text)
        where r.type = 'lead.status_changed'));
    end if;
  end if;

  -- A webhook that is begun holds the counter too, so it is seen here, or begins with these events.
  insert into due_work as w (organization_id, kind, due_at)
  select p_organization, n.kind, n.at from (values
    ('events', case when exists (
        select 1 from webhooks k where k.organization_id = p_organization and k.is_active and k.purpose = 'events')
      then (p_entry #>> '{events,0,created_at}')::timestamptz end),
    ('audit', (p_entry #>> '{audit,0,created_at}')::timestamptz)) n (kind, at)
  where n.at is not null
  on conflict (organization_id, kind) do update set due_at = excluded.due_at where w.due_at > excluded.due_at;
  return stored;
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
