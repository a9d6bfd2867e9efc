/** Idempotency keys with their responses. `envelope` is null while a run of several transactions is in progress. */
export const idempotencyKeysTable = `
create table idempotency_keys (
  organization_id text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  envelope jsonb,
  created_at timestamptz not null,
  primary key (organization_id, route, key)
);
`
