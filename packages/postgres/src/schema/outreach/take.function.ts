/**
 * Leases due transmissions of a kind. Senders take turns, the one served longest ago first. Concurrent calls skip locked rows.
 *
 * Planned once for each connection and always with indexes: planning takes longer than running, and a plan made for a small
 * table must work for a large one.
 */

/** Whether the sender p may send a row q of a kind. */
const isFree = (kind: string): string =>
  `(q.bypass or not p_paced or greatest(p.${kind}_look_at, p.next_at, '-infinity') <= p_now)`
const mayGo = (kind: string): string => `(p.${kind}_stopped_until is null or p.${kind}_stopped_until <= p_now)`

/** The due rows q of a sender p. Those of archived missions are included: the gate returns them to review. */
const ready = `transmissions q
      left join linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
      left join missions m on m.organization_id = q.organization_id and m.id = coalesce(q.mission_id, d.mission_id)
    where q.organization_id = p.organization_id and q.sender_id = p.sender_id and q.kind = p_kind
      and q.state in ('queued', 'waiting_relation') and q.not_before <= p_now
      and (q.lease_until is null or q.lease_until <= p_clock)
      and (q.bypass or m.id is null or m.status in ('ACTIVE', 'ARCHIVED'))
      and case p_kind
        when 'message' then d.queue_item_id = q.id and d.status = 'READY_TO_SEND' and (q.state = 'waiting_relation'
          or ((${mayGo("message")} or (q.details ->> 'invite')::boolean) and ${isFree("message")}))
        when 'invitation' then ${mayGo("invitation")} and ${isFree("invitation")}
        else true end`

export const take = `
create function svc_take(p_organization text, p_kind text, p_now timestamptz, p_paced boolean, p_limit integer,
  p_seconds integer, p_clock timestamptz) returns setof transmissions
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if svc_sending_hold() is not null then return; end if;
  return query
  with turns as materialized (
    select p.* from senders p
    where (p_organization is null or p.organization_id = p_organization) and exists (select 1 from ${ready})
    order by p.served_at nulls first, p.organization_id, p.sender_id
    limit p_limit for update of p skip locked
  ), found as materialized (
    select r.organization_id, r.id, p.served_at, p.sender_id, row_number() over (
      partition by p.organization_id, p.sender_id order by r.not_before, r.id collate "C") as place
    from turns p cross join lateral (
      select q.organization_id, q.id, q.not_before from ${ready}
      order by q.not_before, q.id collate "C" limit p_limit for update of q skip locked
    ) r
  ), chosen as materialized (
    select * from found f order by f.place, f.served_at nulls first, f.organization_id, f.sender_id limit p_limit
  ), served as (
    update senders p set served_at = clock_timestamp()
    from (select distinct c.organization_id, c.sender_id from chosen c) c
    where p.organization_id = c.organization_id and p.sender_id = c.sender_id
  )
  update transmissions q set lease_until = p_clock + make_interval(secs => p_seconds), fence = q.fence + 1
  from chosen c where q.organization_id = c.organization_id and q.id = c.id
  returning q.*;
end $$;
`
