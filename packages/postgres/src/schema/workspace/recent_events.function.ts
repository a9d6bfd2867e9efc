/** The latest events, newest first. */
export const recentEvents = `
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
`
