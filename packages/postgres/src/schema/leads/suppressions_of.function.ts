/**
 * The entries and tombstones of identifiers: one row for each pair. `p_hashes` holds the hash of each identifier, or null.
 *
 * Planned once for each connection and always with indexes: otherwise small or once empty tables would be read whole.
 */
export const suppressionsOf = `
create function svc_suppressions_of(p_organization text, p_kinds text[], p_values text[], p_hashes text[])
returns table (kind text, value text, entry jsonb)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if exists (select 1 from suppressions s where s.organization_id = p_organization) then
    return query
      select g.kind, g.value, svc_suppression_entry(e.found)
      from unnest(p_kinds, p_values) as g (kind, value)
      cross join lateral (
        select s as found from suppressions s
        where s.organization_id = p_organization and s.kind = g.kind and s.value = g.value limit 1
      ) e
      where g.kind <> 'lead';
    if exists (select 1 from suppressions s where s.organization_id = p_organization and s.kind = 'domain') then
      return query
        select g.kind, g.value, svc_suppression_entry(e.found)
        from unnest(p_kinds, p_values) as g (kind, value)
        cross join lateral svc_domains_above(
          case g.kind when 'email' then split_part(g.value, '@', 2) when 'domain' then g.value end) as d (domain)
        cross join lateral (
          select s as found from suppressions s
          where s.organization_id = p_organization and s.kind = 'domain' and s.value = d.domain limit 1
        ) e
        where g.kind = 'email' or (g.kind = 'domain' and d.domain <> g.value);
    end if;
    return query
      select g.kind, g.value, x.entry
      from unnest(p_kinds, p_values) as g (kind, value)
      left join leads m on m.organization_id = p_organization and m.id = g.value
      cross join lateral jsonb_array_elements(
        svc_suppressions_of_lead(p_organization, coalesce(m.merged_into, g.value))) as x (entry)
      where g.kind = 'lead';
  end if;
  if exists (select 1 from tombstones t where t.organization_id = p_organization) then
    return query
      select g.kind, g.value, jsonb_build_object('kind', 'erased', 'reason', 'The person was erased.', 'until', null,
        'leadId', t.lead_id, 'createdAt', t.erased_at)
      from unnest(p_kinds, p_values, p_hashes) as g (kind, value, hash)
      cross join lateral (
        select s.* from tombstones s where s.organization_id = p_organization and s.hash = g.hash limit 1
      ) t;
  end if;
end $$;
`
