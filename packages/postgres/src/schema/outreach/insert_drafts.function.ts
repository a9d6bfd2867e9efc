/**
 * Stores new drafts. Returns, of each whose lead has an open draft with the agent already, that one.
 *
 * Planned once for each connection: planning takes longer than running it.
 */
export const insertDrafts = `
create function svc_insert_drafts(p_organization text, p_drafts jsonb)
returns table (id text, lead_id text, agent_id text)
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with stored as (
      insert into linkedin_drafts as d (organization_id, id, lead_id, agent_id, mission_id, status, variations, steps, evidence,
        created_by_user_id, created_by_actor_kind, created_at, updated_at)
      select p_organization, r.* from jsonb_to_recordset(p_drafts) as r (
        id text, lead_id text, agent_id text, mission_id text, status text, variations jsonb, steps jsonb, evidence jsonb,
        created_by_user_id text, created_by_actor_kind text, created_at timestamptz, updated_at timestamptz)
      on conflict (organization_id, lead_id, agent_id) where status in ('PENDING_REVIEW', 'READY_TO_SEND')
      do update set lead_id = d.lead_id where d.organization_id = p_organization
      returning d.id, d.lead_id, d.agent_id, d.xmax <> 0 as is_old
    )
    select s.id, s.lead_id, s.agent_id from stored s where s.is_old;
end $$;
`
