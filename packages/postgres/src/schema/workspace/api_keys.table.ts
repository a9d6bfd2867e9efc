/**
 * API keys. `secrets` holds hashes, the newest first; `policy` narrows the policy of the organization. A request brings
 * only the key id: `organization_lookups` has its organization. `session` makes it one of the review page.
 */
export const apiKeysTable = `
create table api_keys (
  organization_id text not null references organizations (id),
  key_id text not null,
  name text not null,
  user_id text not null,
  actor_kind text not null,
  mode text not null,
  scopes text[] not null,
  secrets jsonb not null,
  policy jsonb not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  session jsonb,
  primary key (organization_id, key_id)
);
`
