/**
 * Imports. The index `imports_running` allows one running import of an audience per mission. `rows_deleted_at` is when
 * retention deleted the rows.
 */
export const importsTable = `
create table imports (
  organization_id text not null references organizations (id),
  id text not null,
  mission_id text not null,
  type text not null,
  name text not null,
  fingerprint text,
  source_url text,
  context text,
  state text not null,
  reason text,
  created_count integer not null,
  updated_count integer not null,
  skipped_count integer not null,
  invalid_count integer not null,
  enrolled_count integer not null,
  cursor text,
  account_id text,
  file jsonb,
  row_limit integer,
  attempt integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  rows_deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id)
);
`
