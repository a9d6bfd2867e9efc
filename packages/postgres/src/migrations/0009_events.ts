/** Numbered events, sealed audit rows, policies, requests for approval, webhooks. */
export const events = {
  id: 9,
  name: "events",
  sql: `
-- The order in which rows were written: two changes of one thing wait for each other, so it is their order too.
alter table events add column position bigint generated always as identity;
create unique index events_sequence on events (organization_id, sequence) where sequence is not null;
create index events_unnumbered on events (organization_id, position) where sequence is null;

-- Numbers the oldest committed events that have no number, at most "most". One at a time for each organization; the lock
-- is held until the numbers are committed, and each statement sees what was committed before it, so numbers have no gaps
-- and whoever sees one sees all before it.
create function svc_number_events(org text, most integer) returns void language plpgsql as $$
declare
  head bigint;
begin
  if not exists (select 1 from events where organization_id = org and sequence is null) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(org, 9));
  select coalesce(max(sequence), 0) into head from events where organization_id = org;
  with waiting as (
    select id, position from events
    where organization_id = org and sequence is null order by position limit most
  ), numbered as (
    select id, row_number() over (order by position) as place from waiting
  )
  update events e set sequence = head + n.place from numbered n where e.organization_id = org and e.id = n.id;
end
$$;

-- A page of the feed, and the number of the latest event as seen with it. Always at least one row; its id is null when
-- the page is empty. Numbers events only where the page reaches the end of what is numbered.
create function svc_read_events(org text, after_sequence bigint, wanted text[], most integer)
returns table (head bigint, sequence bigint, id text, type text, subject_type text, subject_id text, actor_kind text,
  actor_id text, data jsonb, created_at timestamptz) language plpgsql as $$
begin
  if (select count(*) from (
    select 1 from events e where e.organization_id = org and e.sequence > after_sequence limit most
  ) as there) < most then
    perform svc_number_events(org, 5000);
  end if;
  return query
    select h.head, e.sequence, e.id, e.type, e.subject_type, e.subject_id, e.actor_kind, e.actor_id, e.data, e.created_at
    from (select coalesce(max(m.sequence), 0) as head from events m where m.organization_id = org) as h
    left join lateral (
      select * from events f
      where f.organization_id = org and f.sequence > after_sequence and (wanted is null or f.type = any (wanted))
      order by f.sequence limit most
    ) as e on true
    order by e.sequence;
end
$$;

-- The latest events, newest first.
create function svc_recent_events(org text, most integer)
returns table (sequence bigint, id text, type text, subject_type text, subject_id text, actor_kind text, actor_id text,
  data jsonb, created_at timestamptz) language plpgsql as $$
begin
  perform svc_number_events(org, 20000);
  return query
    select e.sequence, e.id, e.type, e.subject_type, e.subject_id, e.actor_kind, e.actor_id, e.data, e.created_at
    from events e where e.organization_id = org and e.sequence is not null order by e.sequence desc limit most;
end
$$;

alter table audit_entries add column sequence bigint, add column hash text;
create unique index audit_entries_sequence on audit_entries (organization_id, sequence) where sequence is not null;
create index audit_entries_unsealed on audit_entries (organization_id, created_at, id collate "C") where sequence is null;
create index audit_entries_newest on audit_entries (organization_id, created_at desc, id collate "C" desc);
create table audit_heads (
  organization_id text primary key,
  sequence bigint not null,
  hash text not null
);

alter table organizations add column policy jsonb not null default '{}';
alter table api_keys add column policy jsonb not null default '{}';

create table approval_requests (
  organization_id text not null,
  id text not null,
  command_id text not null,
  command_hash text not null,
  input jsonb,
  requested_kind text not null,
  requested_user_id text not null,
  requested_key_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null,
  resolved_kind text,
  resolved_user_id text,
  resolved_key_id text,
  resolved_at timestamptz,
  reason text not null default '',
  outcome text,
  primary key (organization_id, id)
);
create unique index approval_requests_open
  on approval_requests (organization_id, command_hash, requested_user_id, coalesce(requested_key_id, ''))
  where state = 'pending';
create index approval_requests_newest on approval_requests (organization_id, created_at desc, id collate "C" desc);

create table webhooks (
  organization_id text not null,
  id text not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  is_active boolean not null,
  disabled_reason text,
  -- [{secret, valid_until}]: kept readable, as every delivery is signed with them.
  secrets jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index webhooks_newest on webhooks (organization_id, created_at desc, id collate "C" desc);

create table webhook_deliveries (
  organization_id text not null,
  id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  payload jsonb not null,
  state text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  response_status integer,
  last_error text not null default '',
  redelivery_of text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
);
create index webhook_deliveries_newest
  on webhook_deliveries (organization_id, webhook_id, created_at desc, id collate "C" desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
`
}
