/** As `svc_resolve_leads` but read-only, with the context that lead.get shows, for the references of many reads. */
export const findLeads = `
create function svc_find_leads(p_organization text, p_kinds text[], p_values text[], p_lead_ids text[]) returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  found_ids text[];
  live_ids jsonb;
begin
  select m.live, m.found_ids into live_ids, found_ids
  from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_ids) as m;
  return json_build_object('live', live_ids, 'leads', case when found_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(d.document order by d.id collate "C"), '[]')
    from svc_lead_documents(p_organization, found_ids, true) as d) end);
end $$;
`
