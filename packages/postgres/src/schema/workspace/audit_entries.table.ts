/** Audit rows. `sequence` and `hash` are null until the row is sealed into the chain of its organization. */
export const auditEntriesTable = `
create table audit_entries (
  organization_id text not null,
  id text not null,
  sequence bigint,
  hash text,
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
`
