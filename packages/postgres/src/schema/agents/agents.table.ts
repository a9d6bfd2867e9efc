/**
 * Agents: the sender personas. A deleted agent keeps its row and its handle; its e-mail addresses become free. Fields
 * that are not searched are in `profile`.
 */
export const agentsTable = `
create table agents (
  organization_id text not null references organizations (id),
  id text not null,
  handle text not null,
  first_name text not null,
  last_name text not null,
  profile jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  constraint agents_handle unique (organization_id, handle)
);
`
