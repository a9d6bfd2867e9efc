import { keptActivity } from "./keptActivity.ts"

/** The changes of the status of a lead `l`. */
const changes = "select * from events where type = 'lead.status_changed' and subject_id = l.id offset 0"

/**
 * Keeps when leads entered the groups of statuses that they are in. One in DoNotContact counts as the status that it had
 * before, and as who opted out.
 */
export const keepEntries = `
create function svc_keep_entries(p_organization text, p_lead_ids text[]) returns void
${keptActivity(
  ["contacted", "replied", "positive", "meetings", "opted_out"],
  `
    select k.mission_id, l.id, s.kind, '', greatest(k.linked_at, e.at)
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (
      select id, status, merged_into from leads where organization_id = p_organization and id = g.id offset 0) l
    cross join lateral (
      select case when l.status <> 'DoNotContact' then l.status else (
        select e.data ->> 'from' from (${changes}) e
        where e.organization_id = p_organization and e.data ->> 'to' = 'DoNotContact'
        order by e.created_at desc, e.id collate "C" desc limit 1) end as status offset 0) counted
    join (values
      ('contacted', array['Contacted', 'Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('replied', array['Replied', 'MeetingBooked', 'Interested', 'NotInterested']),
      ('positive', array['Interested', 'MeetingBooked']),
      ('meetings', array['MeetingBooked']),
      ('opted_out', array['DoNotContact'])) s (kind, statuses)
      on case s.kind when 'opted_out' then l.status else counted.status end = any (s.statuses)
    cross join lateral (
      select case s.kind when 'opted_out' then max(e.created_at) else min(e.created_at) end as at from (${changes}) e
      where e.organization_id = p_organization and e.data ->> 'to' = any (s.statuses)) e
    cross join lateral (select * from lead_missions where lead_id = l.id offset 0) k
    where k.organization_id = p_organization and l.merged_into is null`
)}`
