/** Keeps `mission_activity` as leads are added to missions and removed. New leads have done nothing yet. */
export const keepLinkedActivity = `
create function svc_keep_linked_activity() returns trigger
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  organization text;
  ids text[];
begin
  for organization, ids in
    select c.organization_id, array_agg(distinct c.lead_id) from changed c
    where case when tg_op = 'DELETE' then exists (
        select 1 from mission_activity a where a.organization_id = c.organization_id and a.lead_id = c.lead_id)
      else exists (
        select 1 from leads l where l.organization_id = c.organization_id and l.id = c.lead_id
          and (l.status <> 'New' or l.turn is not null or exists (
            select 1 from transmissions q where q.organization_id = c.organization_id and q.lead_id = c.lead_id)))
      end
    group by c.organization_id
  loop
    perform svc_keep_entries(organization, ids);
    perform svc_keep_messages(organization, ids, null);
    perform svc_keep_invitations(organization, ids);
  end loop;
  return null;
end $$;

create trigger leads_linked after insert on lead_missions
  referencing new table as changed for each statement execute function svc_keep_linked_activity();
create trigger leads_relinked after update on lead_missions
  referencing new table as changed for each statement execute function svc_keep_linked_activity();
create trigger leads_unlinked after delete on lead_missions
  referencing old table as changed for each statement execute function svc_keep_linked_activity();
`
