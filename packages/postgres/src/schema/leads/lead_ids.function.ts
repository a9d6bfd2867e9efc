/** The ids of a lead and of those merged into it; empty when it does not exist. */
export const leadIds = `
create function svc_lead_ids(p_organization text, p_lead_id text) returns text[]
language sql stable
begin atomic
  select array(
    select l.id from leads l
    where l.organization_id = p_organization and (l.id = v.id or l.merged_into = v.id)
    order by l.id <> v.id, l.id collate "C")
  from (select coalesce(m.merged_into, m.id) as id from leads m where m.organization_id = p_organization and m.id = p_lead_id) v;
end;
`
