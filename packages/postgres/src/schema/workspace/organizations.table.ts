/**
 * Organizations: the tenants. `policy` says which commands need an approval, for all keys. `external_id` is the id by which a
 * host program knows the organization.
 */
export const organizationsTable = `
create table organizations (
  id text primary key,
  name text not null,
  external_id text unique,
  policy jsonb not null default '{}',
  created_at timestamptz not null
);
`
