/** Adds new `leads` to `lead_recency`. */
export const addRecency = `
create function svc_add_recency() returns trigger
language plpgsql
set search_path from current
as $$
begin
  insert into lead_recency (organization_id, updated_at, lead_id)
  select a.organization_id, a.updated_at, a.id from added a order by a.id collate "C";
  return null;
end $$;

create trigger leads_added after insert on leads
  referencing new table as added for each statement execute function svc_add_recency();
`
