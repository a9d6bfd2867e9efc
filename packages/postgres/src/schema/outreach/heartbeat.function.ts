/**
 * Notes that a process works on the database, and holds sending when the database is a copy: a restore has written the row,
 * its fingerprint or folder is another one, or the last heartbeat is longer ago than \`p_gap\` seconds (0 is no limit).
 */
export const heartbeat = `
create function svc_heartbeat(p_process text, p_place text, p_gap integer, p_clock timestamptz)
  returns deployment
language plpgsql volatile
set search_path from current
as $$
declare
  found_row deployment;
  reason text;
begin
  insert into service_processes (id, heartbeat_at) values (p_process, p_clock)
  on conflict (id) do update set heartbeat_at = excluded.heartbeat_at;
  delete from service_processes where heartbeat_at < p_clock - interval '1 hour';
  insert into deployment (fingerprint, place, heartbeat_at) values (svc_fingerprint(), p_place, p_clock) on conflict do nothing;
  select * into found_row from deployment for update;
  reason := coalesce(svc_sending_hold(), case
    when found_row.place <> p_place then 'database_restored'
    when p_gap > 0 and found_row.heartbeat_at < p_clock - make_interval(secs => p_gap) then 'no_heartbeat' end);
  update deployment d set
    heartbeat_at = greatest(d.heartbeat_at, p_clock), written_by = pg_current_xact_id()::xid::text, hold_reason = reason,
    held_since = case when reason is not null then coalesce(d.held_since, p_clock) end
  returning * into found_row;
  return found_row;
end $$;
`
