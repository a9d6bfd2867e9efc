/** Keeps `lead_recency` as `leads` are touched and deleted. */
export const keepRecency = `
create function svc_keep_recency() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if tg_op = 'DELETE' then
    delete from lead_recency r
    where r.organization_id = old.organization_id and r.updated_at = old.updated_at and r.lead_id = old.id collate "C";
  else
    update lead_recency r set updated_at = new.updated_at
    where r.organization_id = old.organization_id and r.updated_at = old.updated_at and r.lead_id = old.id collate "C";
  end if;
  return null;
end $$;

create trigger leads_touched after update on leads
  for each row when (old.updated_at <> new.updated_at) execute function svc_keep_recency();
create trigger leads_deleted after delete on leads for each row execute function svc_keep_recency();
`
