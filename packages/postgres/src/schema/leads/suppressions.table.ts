/**
 * Who must not be contacted. `kind` is that of an identifier, 'domain', or 'lead' (then `value` is the id of the
 * lead). `until` is null when permanent.
 */
export const suppressionsTable = `
create table suppressions (
  organization_id text not null references organizations (id),
  kind text not null,
  value text not null,
  lead_id text,
  reason text not null,
  until timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, kind, value)
);
`
