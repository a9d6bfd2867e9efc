/** Organizations: the tenants. `policy` says which commands need an approval, for all keys. */
export const organizationsTable = `
create table organizations (
  id text primary key,
  name text not null,
  policy jsonb not null default '{}',
  created_at timestamptz not null
);
`
