/**
 * Resolves identifiers and a lead id, and locks the leads until the transaction ends. Returns everything that a write needs.
 *
 * All transactions lock identifiers in the same order before the first lookup, so each lookup sees what was committed before.
 */
export const resolveLeads = `
create function svc_resolve_leads(
  p_organization text, p_kinds text[], p_values text[], p_hashes text[], p_lead_id text, p_mission text
) returns jsonb
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  lock_key bigint;
  found_ids text[];
  held_ids text[] := '{}';
  live_id text;
begin
  for lock_key in
    select distinct hashtextextended(p_organization || E'\\n' || g.kind || ':' || g.value, 17) as hash
    from unnest(p_kinds, p_values) as g (kind, value) order by hash
  loop
    perform pg_advisory_xact_lock(lock_key);
  end loop;
  loop
    select m.live_id, m.found_ids into live_id, found_ids
    from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_id) as m;
    exit when found_ids <@ held_ids;
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
  return jsonb_build_object(
    'leadId', live_id,
    'leads', case when found_ids = '{}' then '[]' else (
      select coalesce(jsonb_agg(d.document order by d.document -> 'row' ->> 'id' collate "C"), '[]')
      from svc_lead_documents(p_organization, found_ids) as d (document)) end,
    'mission', case when p_mission is not null then (
      select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'status', m.status)
      from missions m
      where m.organization_id = p_organization and (m.id = p_mission or m.handle = p_mission)
      order by m.id = p_mission desc limit 1) end,
    'suppressions', (
      select coalesce(jsonb_agg(to_jsonb(s)), '[]') from svc_suppressions_of(p_organization, p_kinds, p_values, p_hashes) s));
end $$;
`
