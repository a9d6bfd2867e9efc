/**
 * The rest of a function that makes the rows of some kinds of `mission_activity` what a select says they are, for the leads
 * `p_lead_ids`. Rows that are right are not written. `isMeant` leaves out rows `k` that the select leaves out too.
 *
 * The plan is made once for each connection, maybe when tables are empty. So what is looked up by its lead is so inside of
 * `offset 0`, with no condition that another index meets as well.
 */
export const keptActivity = (
  kinds: ReadonlyArray<string>,
  counted: string,
  isMeant = "true"
): string => `language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  with counted (mission_id, lead_id, kind, source, at) as materialized (${counted}
  ), gone as (
    delete from mission_activity a
    where (a.organization_id = p_organization) is true and a.ctid = any (array(
      select k.ctid
      from (select distinct unnest(p_lead_ids)) as g (id)
      cross join lateral (
        select ctid, m.* from mission_activity m where m.organization_id = p_organization and m.lead_id = g.id offset 0) k
      where k.kind in (${kinds.map((kind) => `'${kind}'`).join(", ")}) and ${isMeant}
        and (k.mission_id, k.lead_id, k.kind, k.source) not in (
          select c.mission_id, c.lead_id, c.kind, c.source from counted c)))
  )
  insert into mission_activity as a (organization_id, mission_id, lead_id, kind, source, at)
  select p_organization, c.mission_id, c.lead_id, c.kind, c.source, c.at from counted c
  on conflict (organization_id, lead_id, mission_id, kind, source) do update set at = excluded.at
    where a.organization_id = p_organization and a.at <> excluded.at;
end $$;
`
