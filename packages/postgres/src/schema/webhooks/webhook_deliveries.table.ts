/**
 * Deliveries of events to webhooks.
 *
 * A delivery without `next_attempt_at` waits for an earlier one of its webhook and subject, so finding due deliveries reads
 * no others.
 */
export const webhookDeliveriesTable = `
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
`
