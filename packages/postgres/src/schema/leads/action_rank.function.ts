/** The rank of a lead's next action, as in NextAction.ts; 8 when there is none. */
export const actionRank = `
create function svc_action_rank(l leads, p_at timestamptz, p_stale timestamptz) returns integer
language plpgsql stable
set search_path from current
as $$
declare
  rank integer;
begin
  if l.status = 'DoNotContact' then
    return 8;
  end if;
  -- One expression, so that it is one statement: each look-up happens only where those before it say nothing.
  rank := case
    when l.status <> 'NotInterested' and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity') then 0
    when exists (
      select 1 from transmissions q
      where q.organization_id = l.organization_id and q.lead_id = l.id and q.kind = 'message' and q.state = 'ambiguous') then 1
    else (
      select case
        when not o.is_open then 8
        else coalesce((
          select case when d.status <> 'PENDING_REVIEW' then 8 when d.rewrite is not null then 2
            when d.snoozed_until > p_at then 8 else 3 end from linkedin_drafts d
          where d.organization_id = l.organization_id and d.lead_id = l.id and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
          order by d.created_at desc, d.id collate "C" desc limit 1
        ), case
          when l.status in ('New', 'Waiting', 'Contacted') and (
            select r.connected and r.invited_at is not null
              and (l.last_outbound_at is null or l.last_outbound_at < r.invited_at)
            from lead_relations r where r.organization_id = l.organization_id and r.lead_id = l.id
            order by r.checked_at desc, r.account_id collate "C" limit 1) then 4
          when o.is_open is null then 8
          when l.status = 'New' then case
            when l.linkedin_url = '' and (l.email = '' or (l.headline = '' and l.job_title = '' and l.company = '')) then 6
            else 5 end
          when l.status in ('Contacted', 'Replied', 'Interested')
            and l.last_outbound_at >= coalesce(l.last_inbound_at, '-infinity') and l.last_outbound_at <= p_stale then 7
          else 8 end) end
      -- Null without missions.
      from (
        select bool_or(m.status not in ('COMPLETED', 'ARCHIVED')) as is_open
        from (select * from lead_missions where lead_id = l.id offset 0) k
        join missions m on m.organization_id = l.organization_id and m.id = k.mission_id
        where k.organization_id = l.organization_id
      ) o)
    end;
  if rank = 8 then
    return 8;
  end if;
  -- Whom an entry was made for that never ends is in status DoNotContact; only others are looked up, where there are any.
  if exists (
    select 1 from suppressions s
    where s.organization_id = l.organization_id and (s.until is not null or s.kind = 'domain' or s.lead_id is null))
    and (
      exists (
        select 1 from suppressions s
        where s.organization_id = l.organization_id and s.kind = 'lead' and s.value = l.id
          and (s.until is null or s.until > p_at))
      or exists (
        select 1 from lead_identities i cross join lateral (
          select 1 from suppressions s
          where s.organization_id = l.organization_id and s.kind = i.kind and s.value = i.value
            and (s.until is null or s.until > p_at) limit 1) as found
        where i.organization_id = l.organization_id and i.lead_id = l.id)
      or exists (
        select 1 from lead_identities i
        cross join lateral svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
        cross join lateral (
          select 1 from suppressions s
          where s.organization_id = l.organization_id and s.kind = 'domain' and s.value = d.domain
            and (s.until is null or s.until > p_at) limit 1) as found
        where i.organization_id = l.organization_id and i.lead_id = l.id and i.kind = 'email'))
  then
    return 8;
  end if;
  return rank;
end $$;
`
