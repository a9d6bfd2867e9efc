/**
 * The outcome of each row of an import. `source` holds the cells of a refused row.
 *
 * A row keeps the id of its lead as history; the lead may be merged or erased later. Rows have no foreign key, since they
 * are only written together with their import, and there may be millions.
 */
export const importRowsTable = `
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
`
