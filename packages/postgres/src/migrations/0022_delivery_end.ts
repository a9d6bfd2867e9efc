/**
 * When a delivery was over, so that those that were over long ago can be forgotten without reading any other.
 *
 * Of a failed one from before, the last try said when; that it was made is near enough.
 */
export const deliveryEnd = {
  id: 22,
  name: "delivery-end",
  sql: `
alter table webhook_deliveries add column ended_at timestamptz;
update webhook_deliveries d set ended_at = coalesce(d.delivered_at, d.created_at)
where d.state <> 'pending' and d.organization_id is not null;
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
`
}
