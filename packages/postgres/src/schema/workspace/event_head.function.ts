/** The number of the latest committed event, after numbering all events. */
export const eventHead = `
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
`
