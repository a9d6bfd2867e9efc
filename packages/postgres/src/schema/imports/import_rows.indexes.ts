/**
 * Rows of an import by outcome, since any outcome can be rare: when a file is imported again, nearly all rows are skipped.
 * And rows to erase with a person. Ids hardly repeat between organizations, so theirs is left out where those lead.
 */
export const importRowsIndexes = `
create index import_rows_refused on import_rows (import_id, position)
  where outcome = 'invalid' or (outcome = 'skipped' and reason not in ('UNCHANGED', 'ENROLLED'));
create index import_rows_outcome on import_rows (import_id, outcome, position);
create index import_rows_sources on import_rows (organization_id) where source is not null;
create index import_rows_of_lead on import_rows (lead_id) where lead_id is not null;
`
