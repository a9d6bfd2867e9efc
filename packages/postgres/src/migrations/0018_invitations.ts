/**
 * Invitations as rows of their own, and every use of an account counted in one table.
 *
 * `svc_held_until` is the gate of all uses but messages: it locks the account's row first and counts in statements after
 * that, so each count sees every use that passed before it. What is held on a person, and its removal, know invitations from
 * here on.
 */
export const invitations = {
  id: 18,
  name: "invitations",
  sql: `
create table linkedin_invitations (
  organization_id text not null,
  id text not null,
  account_id text not null,
  agent_id text not null,
  lead_id text not null,
  draft_id text,
  state text not null,
  reason text,
  note text,
  bypass boolean not null,
  external_id text,
  attempts integer not null,
  failures integer not null,
  not_before timestamptz,
  sent_at timestamptz,
  ended_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, draft_id) references linkedin_drafts (organization_id, id)
);
alter table linkedin_invitations alter column organization_id set statistics 0;
create unique index linkedin_invitations_live on linkedin_invitations (organization_id, lead_id, account_id)
  where state in ('queued', 'sending', 'pending', 'ambiguous');
create index linkedin_invitations_of_lead on linkedin_invitations (organization_id, lead_id);
create index linkedin_invitations_of_draft on linkedin_invitations (organization_id, draft_id)
  where state = 'queued' and draft_id is not null;
create index linkedin_invitations_of_agent on linkedin_invitations (organization_id, agent_id) where state = 'queued';
create index linkedin_invitations_turns on linkedin_invitations (organization_id, account_id, not_before, id collate "C")
  where state = 'queued';
create index linkedin_invitations_sending on linkedin_invitations (lease_until) where state = 'sending';
create index linkedin_invitations_unknown on linkedin_invitations (not_before, id collate "C") where state = 'ambiguous';

alter table linkedin_pacing
  add column invitation_paced_until timestamptz,
  add column invitation_paced_reason text,
  add column invitation_look_at timestamptz;

-- What was invited before there were rows for it: at most one of an account and a lead.
insert into linkedin_invitations (organization_id, id, account_id, agent_id, lead_id, state, reason, bypass, attempts,
  failures, sent_at, ended_at, created_at, updated_at)
select r.organization_id, 'inv_' || upper(substr(md5(r.account_id || ' ' || r.lead_id), 1, 26)), r.account_id, c.agent_id,
  r.lead_id, case when r.connected then 'accepted' else 'pending' end,
  case when not r.connected then 'invitation_pending' end, true, 1, 0, r.invited_at,
  case when r.connected then r.checked_at end, r.invited_at, r.checked_at
from lead_relations r
join linkedin_accounts c on c.organization_id = r.organization_id and c.id = r.account_id
where r.invited_at is not null;

-- Until when a use of an account must wait and why; null when it may begin. Rules are [{counts, day, week}], null for what is
-- only counted.
create function svc_held_until(p_organization text, p_attempt jsonb, p_rules jsonb, p_spaced boolean)
  returns jsonb language plpgsql volatile as $$
declare
  account text := p_attempt ->> 'account_id';
  action text := p_attempt ->> 'action';
  started timestamptz := p_attempt ->> 'started_at';
  pace linkedin_pacing;
  rule record;
  counted text[];
  oldest timestamptz;
begin
  insert into linkedin_pacing (organization_id, account_id) values (p_organization, account)
  on conflict (organization_id, account_id) do nothing;
  select * into pace from linkedin_pacing
  where organization_id = p_organization and account_id = account for no key update;
  if action in ('invitation', 'invitation_with_note') and pace.invitation_stopped_until > started then
    return jsonb_build_object('held', 'limit', 'until', pace.invitation_stopped_until);
  end if;
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

create function svc_begin_use(p_organization text, p_attempt jsonb, p_rules jsonb)
  returns jsonb language plpgsql volatile as $$
declare
  held jsonb := svc_held_until(p_organization, p_attempt, p_rules, false);
begin
  if held is not null then return held; end if;
  insert into linkedin_attempts (organization_id, queue_item_id, number, account_id, action, started_at)
  values (p_organization, p_attempt ->> 'queue_item_id', (p_attempt ->> 'number')::integer, p_attempt ->> 'account_id',
    p_attempt ->> 'action', (p_attempt ->> 'started_at')::timestamptz);
  return jsonb_build_object('fence', 0);
end $$;

create function svc_begin_invitation(p_organization text, p_attempt jsonb, p_fence integer, p_rules jsonb, p_gap integer,
  p_updated timestamptz, p_clock timestamptz, p_lease integer) returns jsonb language plpgsql volatile as $$
declare
  held jsonb := svc_held_until(p_organization, p_attempt, p_rules, true);
  begun integer;
begin
  if held is not null then return held; end if;
  update linkedin_invitations v set state = 'sending', reason = null, not_before = null,
    attempts = (p_attempt ->> 'number')::integer, updated_at = p_updated,
    lease_until = p_clock + make_interval(secs => p_lease), fence = v.fence + 1
  where v.organization_id = p_organization and v.id = p_attempt ->> 'queue_item_id'
    and (p_fence is null or v.fence = p_fence)
  returning v.fence into begun;
  if begun is null then return jsonb_build_object('lost', true); end if;
  insert into linkedin_attempts (organization_id, queue_item_id, number, account_id, action, started_at)
  values (p_organization, p_attempt ->> 'queue_item_id', (p_attempt ->> 'number')::integer, p_attempt ->> 'account_id',
    p_attempt ->> 'action', (p_attempt ->> 'started_at')::timestamptz);
  if p_gap is not null then
    update linkedin_pacing set next_at = (p_attempt ->> 'started_at')::timestamptz + make_interval(secs => p_gap)
    where organization_id = p_organization and account_id = p_attempt ->> 'account_id';
  end if;
  return jsonb_build_object('fence', begun);
end $$;

alter function svc_lead_records(text, text[]) rename to svc_lead_records_before_invitations;
create function svc_lead_records(p_organization text, p_ids text[]) returns jsonb
language plpgsql stable as $$
begin
  return svc_lead_records_before_invitations(p_organization, p_ids) || jsonb_build_object(
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object('invitation_id', v.id, 'lead_id', v.lead_id,
        'account_id', v.account_id, 'agent_id', v.agent_id, 'draft_id', v.draft_id, 'state', v.state,
        'reason', v.reason, 'note', v.note, 'sent_at', v.sent_at, 'ended_at', v.ended_at, 'created_at', v.created_at,
        'updated_at', v.updated_at) order by v.created_at, v.id collate "C"), '[]')
      from linkedin_invitations v where v.organization_id = p_organization and v.lead_id = any (p_ids)),
    'transmissions', (
      select coalesce(jsonb_agg(jsonb_build_object('queue_id', a.queue_item_id, 'number', a.number,
        'account_id', a.account_id, 'action', a.action, 'outcome', a.outcome, 'detail', a.detail,
        'started_at', a.started_at, 'ended_at', a.ended_at)
        order by a.started_at, a.queue_item_id collate "C", a.number), '[]')
      from (
        select q.id from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (p_ids)
        union all
        select v.id from linkedin_invitations v where v.organization_id = p_organization and v.lead_id = any (p_ids)
      ) o
      join linkedin_attempts a on a.organization_id = p_organization and a.queue_item_id = o.id));
end $$;

alter function svc_erase_lead(text, text, timestamptz, text[]) rename to svc_erase_lead_before_invitations;
create function svc_erase_lead(p_organization text, p_lead_id text, p_at timestamptz, p_kept text[]) returns jsonb
language plpgsql volatile as $$
declare
  ids text[] := svc_lead_ids(p_organization, p_lead_id);
begin
  perform 1 from leads l where l.organization_id = p_organization and l.id = any (ids) order by l.id collate "C" for update;
  -- The person is refused or not there: then nothing is removed.
  if exists (
    select 1 from emails m where m.organization_id = p_organization and m.lead_id = any (ids) and m.state = 'sending'
    union all
    select 1 from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (ids) and q.state = 'sending'
    union all
    select 1 from linkedin_invitations v
    where v.organization_id = p_organization and v.lead_id = any (ids) and v.state = 'sending')
  then
    return jsonb_build_object('inFlight', true);
  end if;
  update linkedin_attempts a set detail = null
  from linkedin_invitations v
  where a.organization_id = p_organization and v.organization_id = p_organization and a.queue_item_id = v.id
    and v.lead_id = any (ids);
  delete from linkedin_invitations v where v.organization_id = p_organization and v.lead_id = any (ids);
  return svc_erase_lead_before_invitations(p_organization, p_lead_id, p_at, p_kept);
end $$;
`
}
