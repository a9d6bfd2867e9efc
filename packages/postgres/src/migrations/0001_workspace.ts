/** Organizations, keys, events, audit, idempotency and the deployment's own secrets. */
export const workspace = {
  id: 1,
  name: "workspace",
  sql: `
create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null
);

create table api_keys (
  key_id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  user_id text not null,
  actor_kind text not null,
  mode text not null,
  scopes text[] not null,
  secrets jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_organization on api_keys (organization_id, created_at, key_id);

-- One row: what every replica signs cursors with.
create table deployment_secrets (
  name text primary key,
  secret text not null
);

-- sequence stays null until an event is numbered for readers, after its transaction has committed.
create table events (
  organization_id text not null,
  id text not null,
  sequence bigint,
  type text not null,
  subject_type text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

create table audit_entries (
  organization_id text not null,
  id text not null,
  actor_kind text not null,
  user_id text not null,
  key_id text,
  command_id text not null,
  command_hash text not null,
  subject_type text,
  subject_id text,
  outcome text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- envelope is null while a run of several transactions is under way.
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
}
