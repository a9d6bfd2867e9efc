/**
 * Webhooks. `told_sequence` is the number of the last event that has a delivery.
 *
 * `secrets` is [{secret, validUntil}], each secret encrypted with the deployment secret `data`.
 */
export const webhooksTable = `
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
`
