/** The last sealed audit row of each organization. */
export const auditHeadsTable = `
create table audit_heads (
  organization_id text primary key,
  sequence bigint not null,
  hash text not null
);
`
