/**
 * Numbers the oldest committed events without a number, at most `most`.
 *
 * Runs once at a time for each organization. The lock is held until the numbers are committed, so numbers have no gaps, and
 * a reader who sees one sees all before it.
 */
export const numberEvents = `
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
`
