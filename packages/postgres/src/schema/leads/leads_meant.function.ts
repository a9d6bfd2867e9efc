/**
 * Resolves lead ids and identifiers: the live lead of each id that exists, and the ids of all leads found. Each identifier is
 * looked up by its key.
 */
export const leadsMeant = `
create function svc_leads_meant(p_organization text, p_kinds text[], p_values text[], p_lead_ids text[])
returns table (live jsonb, found_ids text[])
language sql stable
begin atomic
  select m.live, array(
    select x.value from jsonb_each_text(m.live) x
    union
    select i.lead_id
    from unnest(p_kinds, p_values) as g (kind, value)
    cross join lateral (
      select h.lead_id from lead_identities h
      where h.organization_id = p_organization and h.kind = g.kind and h.value = g.value limit 1) i)
  from (
    select case when p_lead_ids = '{}' then '{}' else (
      select coalesce(jsonb_object_agg(g.id, coalesce(l.merged_into, l.id)), '{}')
      from unnest(p_lead_ids) as g (id)
      cross join lateral (
        select h.id, h.merged_into from leads h where h.organization_id = p_organization and h.id = g.id limit 1) l) end as live
    offset 0
  ) m;
end;
`
