/**
 * A page of the feed with the numbers of the oldest and the latest event. Always returns at least one row; its id is null when the page is
 * empty. Numbers events only when the page reaches the end of the numbered ones, as one of few types may.
 */
export const readEvents = `
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
`
