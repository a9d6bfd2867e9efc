/**
 * The last sealed audit row of each organization, and the last one that retention deleted, signed with the chain's key.
 */
export const auditHeadsTable = `
create table audit_heads (
  organization_id text primary key,
  sequence bigint not null,
  hash text not null,
  start_sequence bigint not null default 0,
  start_hash text not null default '',
  start_deleted_at timestamptz,
  start_signature text not null default ''
);
`
