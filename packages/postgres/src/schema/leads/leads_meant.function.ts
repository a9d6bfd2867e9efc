/**
 * Resolves a lead id and identifiers: the live lead of the id, and the ids of all leads found. Each identifier is looked up
 * by its key.
 */
export const leadsMeant = `
create function svc_leads_meant(p_organization text, p_kinds text[], p_values text[], p_lead_id text)
returns table (live_id text, found_ids text[])
language sql stable
begin atomic
  select m.live_id, array(
    select m.live_id where m.live_id is not null
    union
    select i.lead_id
    from unnest(p_kinds, p_values) as g (kind, value)
    cross join lateral (
      select h.lead_id from lead_identities h
      where h.organization_id = p_organization and h.kind = g.kind and h.value = g.value limit 1) i)
  from (
    select (
      select coalesce(l.merged_into, l.id) from leads l
      where l.organization_id = p_organization and l.id = p_lead_id) as live_id
    offset 0
  ) m;
end;
`
