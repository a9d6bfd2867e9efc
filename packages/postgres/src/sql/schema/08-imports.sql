-- Imports. The index `imports_running` allows one running import of an audience per mission. `rows_deleted_at` is when
-- retention deleted the rows. `defaults`: values of leads that have none.
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
  defaults jsonb not null default '{}',
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

-- Lists, earlier imports of the same audience, the running one, and old ones that still have rows.
create index imports_newest on imports (organization_id, created_at, id collate "C");
create index imports_of_mission on imports (organization_id, mission_id, created_at, id collate "C");
create index imports_of_audience on imports (organization_id, mission_id, fingerprint) where fingerprint is not null;
create unique index imports_running on imports (organization_id, mission_id, fingerprint) where state = 'running';
create index imports_with_rows on imports (organization_id, updated_at)
  where rows_deleted_at is null or rows_deleted_at < updated_at;

-- The outcome of each row of an import. `source` holds the cells of a refused row.
--
-- A row keeps the id of its lead as history; the lead may be merged or erased later. Rows have no foreign key, since they
-- are only written together with their import, and there may be millions.
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

-- Rows of an import by outcome, since any outcome can be rare: when a file is imported again, nearly all rows are skipped.
-- And rows to erase with a person. Ids hardly repeat between organizations, so theirs is left out where those lead.
create index import_rows_refused on import_rows (import_id, position)
  where outcome = 'invalid' or (outcome = 'skipped' and reason not in ('UNCHANGED', 'ENROLLED'));
create index import_rows_outcome on import_rows (import_id, outcome, position);
create index import_rows_sources on import_rows (organization_id) where source is not null;
create index import_rows_of_lead on import_rows (lead_id) where lead_id is not null;
