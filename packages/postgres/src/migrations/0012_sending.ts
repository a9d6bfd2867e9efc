/**
 * The queue as many processes share it: leases, and how each account is paced.
 *
 * `svc_begin_attempt` is the only gate of usage limits. It locks the account's row first and counts in a statement after
 * that, so each count sees every transmission that passed before it. It is not called for what is not limited.
 */
export const sending = {
  id: 12,
  name: "sending",
  sql: `
alter table linkedin_queue
  add column lease_until timestamptz,
  add column fence integer not null default 0;
drop index linkedin_queue_due;
create index linkedin_queue_turns on linkedin_queue (organization_id, account_id, not_before, id collate "C")
  where state in ('queued', 'waiting_relation');

create index linkedin_queue_unknown on linkedin_queue (not_before, id collate "C") where state = 'ambiguous';

create table linkedin_pacing (
  organization_id text not null,
  account_id text not null,
  limits jsonb not null default '{}',
  ramp boolean not null default true,
  served_at timestamptz,
  paced_until timestamptz,
  paced_reason text,
  look_at timestamptz,
  next_at timestamptz,
  message_stopped_until timestamptz,
  invitation_stopped_until timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);
insert into linkedin_pacing (organization_id, account_id) select organization_id, id from linkedin_accounts;

drop index linkedin_attempts_confirmed;
create index linkedin_attempts_counted on linkedin_attempts (organization_id, account_id, action, started_at)
  where outcome is null or outcome in ('confirmed', 'unknown');

create function svc_full_until(p_organization text, p_account text, p_action text, p_cap integer, p_window interval,
  p_now timestamptz) returns timestamptz language plpgsql volatile as $$
declare
  oldest timestamptz;
begin
  if p_cap is null then return null; end if;
  if p_cap <= 0 then return p_now + p_window; end if;
  select a.started_at into oldest from linkedin_attempts a
  where a.organization_id = p_organization and a.account_id = p_account and a.action = p_action
    and (a.outcome is null or a.outcome in ('confirmed', 'unknown')) and a.started_at > p_now - p_window
  order by a.started_at desc offset p_cap - 1 limit 1;
  return oldest + p_window;
end $$;

create function svc_begin_attempt(p_organization text, p_item jsonb, p_attempt jsonb, p_fence integer,
  p_limited boolean, p_day integer, p_week integer, p_gap integer, p_clock timestamptz, p_lease integer)
  returns jsonb language plpgsql volatile as $$
declare
  account text := p_attempt ->> 'account_id';
  action text := p_attempt ->> 'action';
  started timestamptz := p_attempt ->> 'started_at';
  pace linkedin_pacing;
  held timestamptz;
  begun integer;
begin
  if p_limited or p_gap is not null then
    select * into pace from linkedin_pacing
    where organization_id = p_organization and account_id = account for no key update;
  else
    select * into pace from linkedin_pacing where organization_id = p_organization and account_id = account;
  end if;
  held := case action when 'message' then pace.message_stopped_until else pace.invitation_stopped_until end;
  if held > started then return jsonb_build_object('held', 'limit', 'until', held); end if;
  if p_limited then
    if pace.next_at > started then return jsonb_build_object('held', 'spacing', 'until', pace.next_at); end if;
    held := coalesce(svc_full_until(p_organization, account, action, p_day, interval '24 hours', started),
      svc_full_until(p_organization, account, action, p_week, interval '7 days', started));
    if held is not null then return jsonb_build_object('held', 'usage_limit', 'until', held); end if;
  end if;
  update linkedin_queue q set account_id = account, state = 'sending', reason = null, not_before = null,
    attempts = (p_item ->> 'attempts')::integer, updated_at = (p_item ->> 'updated_at')::timestamptz,
    lease_until = p_clock + make_interval(secs => p_lease), fence = q.fence + 1
  where q.organization_id = p_organization and q.id = p_item ->> 'id' and (p_fence is null or q.fence = p_fence)
  returning q.fence into begun;
  if begun is null then return jsonb_build_object('lost', true); end if;
  insert into linkedin_attempts (organization_id, queue_item_id, number, account_id, action, started_at)
  values (p_organization, p_item ->> 'id', (p_attempt ->> 'number')::integer, account, action, started);
  if p_gap is not null then
    update linkedin_pacing set next_at = started + make_interval(secs => p_gap)
    where organization_id = p_organization and account_id = account;
  end if;
  return jsonb_build_object('fence', begun);
end $$;
`
}
