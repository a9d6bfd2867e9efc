/**
 * Why and until when an attempt must wait; null when it may start. Every attempt passes through here. Rules are
 * [{counts, day, week}], or null for attempts that are only counted.
 *
 * Locks the account's row first and counts in later statements, so each count sees every earlier attempt. Attempts without
 * rules and without a pause afterwards need no lock. Connections keep their plans, so plans must not depend on how few
 * attempts there were.
 */
export const heldUntil = `
create function svc_held_until(p_organization text, p_attempt jsonb, p_rules jsonb, p_spaced boolean, p_locked boolean)
  returns jsonb
language plpgsql volatile
set search_path from current
set enable_seqscan = off
as $$
declare
  account text := p_attempt ->> 'account_id';
  action text := p_attempt ->> 'action';
  started timestamptz := p_attempt ->> 'started_at';
  pace senders;
  stopped timestamptz;
  rule record;
  counted text[];
  oldest timestamptz;
begin
  if p_spaced and svc_sending_hold() is not null then
    return jsonb_build_object('held', 'sending_held', 'until', started);
  end if;
  if p_locked then
    select * into pace from senders
    where organization_id = p_organization and sender_id = account for no key update;
    if not found then
      insert into senders (organization_id, sender_id) values (p_organization, account)
      on conflict (organization_id, sender_id) do nothing;
      select * into pace from senders
      where organization_id = p_organization and sender_id = account for no key update;
    end if;
  else
    select * into pace from senders where organization_id = p_organization and sender_id = account;
  end if;
  stopped := case
    when action = 'message' then pace.message_stopped_until
    when action in ('invitation', 'invitation_with_note') then pace.invitation_stopped_until
  end;
  if stopped > started then return jsonb_build_object('held', 'limit', 'until', stopped); end if;
  if p_rules is null then return null; end if;
  if p_spaced and pace.next_at > started then
    return jsonb_build_object('held', 'spacing', 'until', pace.next_at);
  end if;
  for rule in
    select r.value -> 'counts' as counts, (r.value ->> w.name)::integer as cap, w.span
    from jsonb_array_elements(p_rules) with ordinality r (value, place)
    cross join (values (1, 'day', interval '24 hours'), (2, 'week', interval '7 days')) w (place, name, span)
    where r.value ->> w.name is not null
    order by r.place, w.place
  loop
    if rule.cap <= 0 then
      return jsonb_build_object('held', 'usage_limit', 'until', started + rule.span);
    end if;
    counted := array(select jsonb_array_elements_text(rule.counts));
    oldest := null;
    select a.started_at into oldest from linkedin_attempts a
    where a.organization_id = p_organization and a.account_id = account and a.action = any (counted)
      and (a.outcome is null or a.outcome in ('confirmed', 'unknown')) and a.started_at > started - rule.span
    order by a.started_at desc offset rule.cap - 1 limit 1;
    if oldest is not null then
      return jsonb_build_object('held', 'usage_limit', 'until', oldest + rule.span);
    end if;
  end loop;
  return null;
end $$;
`
