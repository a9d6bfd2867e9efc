/**
 * The list, due deliveries, expired leases, the order within a subject, one delivery per event, and old deliveries.
 */
export const webhookDeliveriesIndexes = `
create index webhook_deliveries_newest
  on webhook_deliveries (organization_id, webhook_id, created_at, id collate "C");
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, next_attempt_at, id collate "C")
  where state = 'pending' and next_attempt_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (lease_until)
  where state = 'pending' and lease_until is not null;
create index webhook_deliveries_subjects on webhook_deliveries (organization_id, webhook_id, subject, sequence)
  where state = 'pending' and sequence is not null;
create unique index webhook_deliveries_once on webhook_deliveries (organization_id, webhook_id, sequence)
  where sequence is not null;
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
`
