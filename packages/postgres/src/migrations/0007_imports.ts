/** Imports and how each of their rows ended. */
export const imports = {
  id: 7,
  name: "imports",
  sql: `
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
  cursor text,
  account_id text,
  file jsonb,
  row_limit integer,
  attempt integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id)
);
create index imports_newest on imports (organization_id, created_at desc, id collate "C" desc);
create index imports_of_mission on imports (organization_id, mission_id, created_at desc, id collate "C" desc);
create index imports_of_audience on imports (organization_id, mission_id, fingerprint) where fingerprint is not null;
create unique index imports_running on imports (organization_id, mission_id, fingerprint) where state = 'running';

-- A row keeps the id of its lead as history; the lead may be merged or erased later. Rows have no foreign key: they are
-- only ever written together with their import, and there may be millions. source holds the cells of a refused row.
create table import_rows (
  organization_id text not null,
  import_id text not null,
  position integer not null,
  outcome text not null,
  reason text,
  lead_id text,
  source jsonb,
  primary key (organization_id, import_id, position)
);
create index import_rows_refused on import_rows (organization_id, import_id, position)
  where outcome = 'invalid' or (outcome = 'skipped' and reason <> 'UNCHANGED');
create index import_rows_sources on import_rows (organization_id) where source is not null;
create index import_rows_updated on import_rows (organization_id, import_id, position) where outcome = 'updated';
create index import_rows_of_lead on import_rows (organization_id, lead_id) where lead_id is not null;
`
}
