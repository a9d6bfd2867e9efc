/**
 * The entries that name a lead: its id, its identifiers, the domains of its addresses.
 *
 * In PL/pgSQL, since a function in SQL is planned anew by every statement that calls it, which takes ten times as long as
 * running it.
 */
export const suppressionsOfLead = `
create function svc_suppressions_of_lead(p_organization text, p_lead_id text) returns jsonb
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (select coalesce(jsonb_agg(svc_suppression_entry(e.found) order by e.kind collate "C", e.value collate "C"), '[]')
  from (
    select 'lead' as kind, p_lead_id as value
    union
    select i.kind, i.value from lead_identities i where i.organization_id = p_organization and i.lead_id = p_lead_id
    union
    select 'domain', d.domain
    from lead_identities i cross join lateral svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
    where i.organization_id = p_organization and i.lead_id = p_lead_id and i.kind = 'email'
  ) k
  cross join lateral (
    select s as found, s.kind, s.value from suppressions s
    where s.organization_id = p_organization and s.kind = k.kind and s.value = k.value limit 1
  ) e);
end $$;
`
