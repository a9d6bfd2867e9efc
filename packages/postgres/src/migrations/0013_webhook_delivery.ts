/**
 * Delivering events to webhooks: how far each was told, leases, the order within a subject.
 *
 * A delivery without `next_attempt_at` waits for an earlier one of its webhook and subject, so looking for what is due
 * reads nothing but what is due.
 */
export const webhookDelivery = {
  id: 13,
  name: "webhook-delivery",
  sql: `
alter table webhooks
  add column purpose text not null default 'events',
  add column failing_since timestamptz,
  add column told_sequence bigint not null default 0;
update webhooks w set told_sequence = coalesce(
  (select max(e.sequence) from events e where e.organization_id = w.organization_id), 0);
create unique index webhooks_reviews on webhooks (organization_id, url) where purpose = 'email_reviews';

alter table webhook_deliveries
  add column subject text not null default '',
  add column sequence bigint,
  add column tries jsonb not null default '[]',
  add column lease_until timestamptz,
  add column fence integer not null default 0;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, next_attempt_at, id collate "C")
  where state = 'pending' and next_attempt_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (lease_until)
  where state = 'pending' and lease_until is not null;
create index webhook_deliveries_subjects on webhook_deliveries (organization_id, webhook_id, subject, sequence)
  where state = 'pending' and sequence is not null;
create unique index webhook_deliveries_once on webhook_deliveries (organization_id, webhook_id, sequence)
  where sequence is not null;

-- The number of the latest committed event, all before it numbered too.
create function svc_event_head(p_organization text) returns bigint language plpgsql volatile as $$
begin
  while exists (select 1 from events e where e.organization_id = p_organization and e.sequence is null) loop
    perform svc_number_events(p_organization, 20000);
  end loop;
  return (select coalesce(max(e.sequence), 0) from events e where e.organization_id = p_organization);
end
$$;
`
}
