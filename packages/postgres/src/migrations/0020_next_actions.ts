/**
 * Indexes for the kinds of next actions that many leads can be of: leads who wrote last, leads to whom nothing was written,
 * by whether enough is known to write, conversations that we spoke last in, and accepted invitations.
 *
 * A new lead is in one of the first two, so an import writes no more than before.
 */
export const nextActions = {
  id: 20,
  name: "next-actions",
  sql: `
create index leads_to_answer on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status not in ('DoNotContact', 'NotInterested')
    and last_inbound_at > coalesce(last_outbound_at, '-infinity');
drop index leads_new;
create index leads_to_draft on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url <> '' or (email <> '' and (headline <> '' or job_title <> '' or company <> '')));
create index leads_to_enrich on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url = '' and (email = '' or (headline = '' and job_title = '' and company = '')));
create index leads_unanswering on leads (organization_id, (- score), id collate "C", last_outbound_at) include (score)
  where merged_into is null and status in ('Contacted', 'Replied', 'Interested')
    and last_outbound_at >= coalesce(last_inbound_at, '-infinity');
create index lead_relations_accepted on lead_relations (organization_id, lead_id)
  where connected and invited_at is not null;
create index suppressions_of_the_living on suppressions (organization_id)
  where until is not null or kind = 'domain' or lead_id is null;

-- The place of the next action about a lead in the order of lists, as NextAction.ts has it; 7 when there is none.
create function svc_action_rank(l leads, p_at timestamptz, p_stale timestamptz) returns integer
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  draft_status text;
  rank integer;
begin
  if l.status = 'DoNotContact' then
    return 7;
  elsif l.status <> 'NotInterested' and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity') then
    rank := 0;
  elsif exists (
    select 1 from linkedin_queue q
    where q.organization_id = l.organization_id and q.lead_id = l.id and q.state = 'ambiguous')
  then
    rank := 1;
  else
    select d.status into draft_status from linkedin_drafts d
    where d.organization_id = l.organization_id and d.lead_id = l.id and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
    order by d.created_at desc, d.id collate "C" desc limit 1;
    if draft_status = 'PENDING_REVIEW' then
      rank := 2;
    elsif draft_status = 'READY_TO_SEND' then
      return 7;
    elsif l.status in ('New', 'Waiting', 'Contacted') and (
      select r.connected and r.invited_at is not null
        and (l.last_outbound_at is null or l.last_outbound_at < r.invited_at)
      from lead_relations r where r.organization_id = l.organization_id and r.lead_id = l.id
      order by r.checked_at desc, r.account_id collate "C" limit 1)
    then
      rank := 3;
    elsif not exists (
      select 1 from lead_missions k where k.organization_id = l.organization_id and k.lead_id = l.id)
    then
      return 7;
    elsif l.status = 'New' then
      rank := case when l.linkedin_url = '' and (l.email = ''
        or (l.headline = '' and l.job_title = '' and l.company = '')) then 5 else 4 end;
    elsif l.status in ('Contacted', 'Replied', 'Interested')
      and l.last_outbound_at >= coalesce(l.last_inbound_at, '-infinity') and l.last_outbound_at <= p_stale
    then
      rank := 6;
    else
      return 7;
    end if;
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
    return 7;
  end if;
  return rank;
end $$;
`
}
