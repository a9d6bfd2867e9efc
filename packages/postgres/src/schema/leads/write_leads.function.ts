const savedLeads = `insert into leads as l (organization_id, id, name, headline, job_title, company, email, linkedin_url,
  avatar_url, status, score, is_flagged, search_text, profile, last_inbound_at, last_outbound_at,
  merged_into, created_at, updated_at)
select p_organization, r.* from jsonb_to_recordset(p_change -> 'rows') as r (
  id text, name text, headline text, job_title text, company text, email text, linkedin_url text,
  avatar_url text, status text, score double precision, is_flagged boolean, search_text text, profile jsonb,
  last_inbound_at timestamptz, last_outbound_at timestamptz, merged_into text, created_at timestamptz,
  updated_at timestamptz)
on conflict (organization_id, id) do update set name = excluded.name, headline = excluded.headline,
  job_title = excluded.job_title, company = excluded.company, email = excluded.email,
  linkedin_url = excluded.linkedin_url, avatar_url = excluded.avatar_url, status = excluded.status,
  score = excluded.score, is_flagged = excluded.is_flagged, search_text = excluded.search_text,
  profile = excluded.profile, last_inbound_at = excluded.last_inbound_at,
  last_outbound_at = excluded.last_outbound_at, merged_into = excluded.merged_into,
  updated_at = excluded.updated_at
  where l.organization_id = p_organization`

/**
 * Writes leads with their identifiers, missions and suppressions. Returns how many identifiers were stored: fewer than were
 * given if another lead took one.
 *
 * Planned once for each connection and always with indexes: planning takes longer than running it. A change that is nothing but
 * rows of leads is a statement of its own: to start the parts that write the rest, and their triggers, was a tenth of an update.
 */
export const writeLeads = `
create function svc_write_leads(p_organization text, p_change jsonb) returns integer
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  stored integer := 0;
begin
  if (p_change -> 'held') || (p_change -> 'released') || (p_change -> 'links') || (p_change -> 'suppressed') <> '[]' then
    with saved as (
      ${savedLeads}
    ), given_up as (
      delete from lead_identities i
      using jsonb_to_recordset(p_change -> 'released') as r (kind text, value text, lead_id text)
      where i.organization_id = p_organization and i.kind = r.kind and i.value = r.value and i.lead_id = r.lead_id
    ), taken as (
      insert into lead_identities as i (organization_id, kind, value, lead_id, derived)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'held') as r (
        kind text, value text, lead_id text, derived boolean)
      on conflict (organization_id, kind, value) do update set lead_id = excluded.lead_id, derived = excluded.derived
        where i.organization_id = p_organization and p_change -> 'holders' ? i.lead_id
      returning 1
    ), linked as (
      insert into lead_missions (organization_id, mission_id, lead_id, linked_at)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'links') as r (
        mission_id text, lead_id text, linked_at timestamptz)
      on conflict (organization_id, mission_id, lead_id) do nothing
    ), touched as (
      update missions m set last_used_at = u.linked_at
      from (
        select k.id, g.linked_at
        from (
          select r.mission_id, max(r.linked_at) as linked_at
          from jsonb_to_recordset(p_change -> 'links') as r (mission_id text, linked_at timestamptz, touch boolean)
          where r.touch group by r.mission_id
        ) g
        cross join lateral (
          select h.id from missions h
          where h.organization_id = p_organization and h.id = g.mission_id
            and coalesce(h.last_used_at, '-infinity') < g.linked_at - interval '1 minute'
          for no key update skip locked
        ) k
      ) u
      where m.organization_id = p_organization and m.id = u.id
    ), silenced as (
      insert into suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'suppressed') as r (
        kind text, value text, lead_id text, reason text, until timestamptz, created_at timestamptz)
      on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until,
        lead_id = coalesce(excluded.lead_id, s.lead_id)
        where s.organization_id = p_organization and ((s.until is not null
          and (excluded.until is null or excluded.until > s.until)) or (s.until is not distinct from excluded.until
          and s.reason <> excluded.reason and excluded.reason <> p_change ->> 'statusReason'))
    )
    select count(*)::integer into stored from taken;
  else
    ${savedLeads};
  end if;
  return stored;
end $$;
`
