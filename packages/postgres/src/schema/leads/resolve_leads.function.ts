/**
 * Resolves identifiers and lead ids, and locks the leads until the transaction ends. Returns everything that writes need.
 *
 * All transactions lock identifiers in the same order before the first lookup, so each lookup sees what was committed before.
 * One that serves many runs does not wait (`p_waits`): `busy` are the identifiers and
 * leads that others hold.
 */
export const resolveLeads = `
create function svc_resolve_leads(
  p_organization text, p_kinds text[], p_values text[], p_lead_ids text[], p_missions text[], p_waits boolean
) returns json
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  identifier record;
  busy text[] := '{}';
  found_ids text[];
  held_ids text[] := '{}';
  live_ids jsonb;
begin
  for identifier in
    select g.kind, g.value, hashtextextended(p_organization || E'\\n' || g.kind || ':' || g.value, 17) as hash
    from unnest(p_kinds, p_values) as g (kind, value) order by hash
  loop
    if p_waits then
      perform pg_advisory_xact_lock(identifier.hash);
    elsif not pg_try_advisory_xact_lock(identifier.hash) then
      busy := busy || (identifier.kind || ':' || identifier.value);
    end if;
  end loop;
  loop
    select m.live, m.found_ids into live_ids, found_ids
    from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_ids) as m;
    exit when found_ids <@ held_ids;
    if not p_waits then
      -- What was merged meanwhile, or is locked, is busy.
      exit when held_ids <> '{}';
      held_ids := array(
        select l.id from leads l where l.organization_id = p_organization and l.id = any (found_ids)
        order by l.id collate "C" for no key update skip locked);
      exit when held_ids = '{}';
      continue;
    end if;
    -- A lead may have been merged while its row was waited for, so look again until everything found is held. Rows are
    -- only ever locked upwards; what would go back starts the transaction again instead of risking a deadlock.
    if exists (
      select 1 from unnest(found_ids) as f (id), unnest(held_ids) as h (id)
      where f.id <> all (held_ids) and f.id collate "C" < h.id collate "C")
    then
      raise exception 'leads were merged meanwhile' using errcode = '40001';
    end if;
    perform 1 from leads l where l.organization_id = p_organization and l.id = any (found_ids)
      order by l.id collate "C" for no key update;
    held_ids := held_ids || found_ids;
  end loop;
  return json_build_object(
    'live', live_ids,
    'leads', case when found_ids = '{}' then '[]' else (
      select coalesce(json_agg(d.document order by d.id collate "C"), '[]')
      from svc_lead_documents(p_organization, array(
        select f.id from unnest(found_ids) as f (id) where f.id = any (held_ids)), false) as d) end,
    'missions', case when p_missions = '{}' then '{}' else (
      select coalesce(json_object_agg(g.asked, m.found), '{}')
      from unnest(p_missions) as g (asked)
      cross join lateral (
        select json_build_object('id', h.id, 'handle', h.handle, 'name', h.name, 'status', h.status) as found
        from missions h
        where h.organization_id = p_organization and (h.id = g.asked or h.handle = g.asked)
        order by h.id = g.asked desc limit 1) m) end,
    'suppressions', (
      select coalesce(json_agg(row_to_json(s)), '[]')
      from svc_suppressions_of(p_organization, p_kinds, p_values, array_fill(null::text, array[cardinality(p_kinds)])) s),
    'hasErased', exists (select 1 from tombstones t where t.organization_id = p_organization),
    'busy', to_jsonb(busy || array(
      select f.id from unnest(found_ids) as f (id) where f.id <> all (held_ids)
      union all
      select i.kind || ':' || i.value from unnest(found_ids) as f (id)
      join lead_identities i on i.organization_id = p_organization and i.lead_id = f.id
      where f.id <> all (held_ids))));
end $$;
`
