/**
 * Leads with their related records as JSON, in the order of their ids.
 *
 * Planned once for each connection and always with indexes: the statement looks up a dozen records by their keys, and
 * planning it takes four times as long as running it.
 */
export const leadDocuments = `
create function svc_lead_documents(p_organization text, p_ids text[]) returns setof jsonb
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  is_any_suppressed boolean := exists (select 1 from suppressions s where s.organization_id = p_organization);
begin
  return query
    select jsonb_build_object(
      'row', to_jsonb(l) - '{search_text,turn,phone_digits}'::text[],
      'identities', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived)), '[]')
        from lead_identities i where i.organization_id = p_organization and i.lead_id = l.id),
      'missions', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'linkedAt', k.linked_at)
          order by k.linked_at, m.id collate "C"), '[]')
        from lead_missions k join missions m on m.organization_id = p_organization and m.id = k.mission_id
        where k.organization_id = p_organization and k.lead_id = l.id),
      'messages', (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.date, x.id collate "C"), '[]')
        from (select * from (
          select e.id, e.direction, e.channel, e.content, e.sender_name as "senderName", e.date, false as "isPending"
          from lead_messages e where e.organization_id = p_organization and e.lead_id = l.id
          union all
          select q.id, 'outbound', 'LINKEDIN', q.details ->> 'bodyText', null, q.created_at, true
          from transmissions q where q.organization_id = p_organization and q.lead_id = l.id and q.kind = 'message'
            and q.state in ('queued', 'waiting_relation')
        ) u order by u.date desc, u.id collate "C" desc limit 100) x),
      'suppressions', case when is_any_suppressed then svc_suppressions_of_lead(p_organization, l.id) else '[]' end)
    from leads l
    where l.organization_id = p_organization and l.id = any (p_ids)
    order by l.id collate "C";
end $$;
`
