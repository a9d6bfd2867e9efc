-- Webhooks. `told_sequence` is the number of the last event that has a delivery.
--
-- `secrets` is [{secret, validUntil}], each secret encrypted with the deployment secret `data`.
create table webhooks (
  organization_id text not null,
  id text not null,
  url text not null,
  description text not null,
  purpose text not null default 'events',
  event_types text[] not null,
  is_active boolean not null,
  disabled_reason text,
  failing_since timestamptz,
  told_sequence bigint not null default 0,
  secrets jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- The list, and one webhook for reviews per URL.
create index webhooks_newest on webhooks (organization_id, created_at, id collate "C");
create unique index webhooks_reviews on webhooks (organization_id, url) where purpose = 'email_reviews';

-- Deliveries of events to webhooks.
--
-- A delivery without `next_attempt_at` waits for an earlier one of its webhook and subject, so finding due deliveries reads
-- no others.
create table webhook_deliveries (
  organization_id text not null,
  id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  subject text not null default '',
  sequence bigint,
  payload jsonb not null,
  state text not null,
  attempts integer not null default 0,
  tries jsonb not null default '[]',
  next_attempt_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  response_status integer,
  last_error text not null default '',
  redelivery_of text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
);

-- The list, due deliveries, expired leases, the order within a subject, one delivery per event, and old deliveries.
create index webhook_deliveries_newest
  on webhook_deliveries (organization_id, webhook_id, created_at, id collate "C");
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, next_attempt_at, id collate "C")
  where state = 'pending' and next_attempt_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (organization_id, lease_until)
  where state = 'pending' and lease_until is not null;
create index webhook_deliveries_subjects on webhook_deliveries (organization_id, webhook_id, subject, sequence)
  where state = 'pending' and sequence is not null;
create unique index webhook_deliveries_once on webhook_deliveries (organization_id, webhook_id, sequence)
  where sequence is not null;
create index webhook_deliveries_ended on webhook_deliveries (organization_id, ended_at) where ended_at is not null;
