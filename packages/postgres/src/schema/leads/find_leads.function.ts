/** As `svc_resolve_leads` but read-only, with the context that lead.get shows. */
export const findLeads = `
create function svc_find_leads(p_organization text, p_kinds text[], p_values text[], p_lead_id text) returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  found_ids text[];
  live_id text;
begin
  select m.live ->> p_lead_id, m.found_ids into live_id, found_ids
  from svc_leads_meant(p_organization, p_kinds, p_values, array_remove(array[p_lead_id], null)) as m;
  return json_build_object('leadId', live_id, 'leads', case when found_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(d.document order by d.id collate "C"), '[]')
    from svc_lead_documents(p_organization, found_ids, true) as d) end);
end $$;
`
