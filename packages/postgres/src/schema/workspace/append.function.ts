/**
 * Appends events, audit rows and results under idempotency keys. Returns how many results were stored: fewer than were given
 * if another run has stored its own.
 *
 * Planned once for each connection: planning takes longer than running it.
 */
export const append = `
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
      former, is_undo, created_at)
    select * from jsonb_to_recordset(p_entry -> 'events') as r (
      organization_id text, id text, type text, subject_type text, subject_id text, actor_kind text, actor_id text,
      data jsonb, key_id text, former jsonb, is_undo boolean, created_at timestamptz)
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
`
