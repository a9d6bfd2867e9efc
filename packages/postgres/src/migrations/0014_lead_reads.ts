/**
 * Indexes for reading among many leads: one for each filter of lead.search that can be rare, in the order of its pages.
 *
 * Those by `updated_at` and those of what is rare cost an import next to nothing, since new rows lie at their end.
 */
export const leadReads = {
  id: 14,
  name: "lead-reads",
  sql: `
create index leads_status on leads (organization_id, status, updated_at desc, id collate "C" desc)
  where merged_into is null;
create index leads_new on leads (organization_id, (- score), id collate "C")
  where merged_into is null and status = 'New';
create index leads_flagged on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and is_flagged;
create index leads_without_email on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and email = '';
create index leads_in_conversation on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and (last_inbound_at is not null or last_outbound_at is not null);
create index leads_last_name
  on leads (organization_id, (reverse(split_part(search_text, E'\\n', 1))) collate "C", id collate "C")
  where merged_into is null;

create index lead_missions_linked on lead_missions (organization_id, mission_id, linked_at);

-- Every outcome can be the rare one: of a file that was imported again, nearly all rows are skipped.
create index import_rows_outcome on import_rows (organization_id, import_id, outcome, position);
drop index import_rows_updated;
`
}
