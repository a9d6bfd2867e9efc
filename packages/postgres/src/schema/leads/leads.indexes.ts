/**
 * List orders, rare filters, next actions, possible duplicates.
 *
 * Indexes by `updated_at` and partial indexes of rare rows cost an import almost nothing, since new rows go to their end.
 */
export const leadsIndexes = `
create index leads_recent on leads (organization_id, updated_at desc, id collate "C" desc) where merged_into is null;
create index leads_score on leads (organization_id, (- score), id collate "C") where merged_into is null;
create index leads_name on leads (organization_id, (split_part(search_text, E'\\n', 1)) collate "C", id collate "C")
  where merged_into is null;
create index leads_last_name
  on leads (organization_id, (reverse(split_part(search_text, E'\\n', 1))) collate "C", id collate "C")
  where merged_into is null;
create index leads_merged on leads (organization_id, merged_into) where merged_into is not null;

-- One for each filter of lead.search that can be rare, in the order of its pages.
create index leads_status on leads (organization_id, status, updated_at desc, id collate "C" desc)
  where merged_into is null;
create index leads_flagged on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and is_flagged;
create index leads_without_email on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and email = '';
create index leads_in_conversation on leads (organization_id, updated_at desc, id collate "C" desc)
  where merged_into is null and (last_inbound_at is not null or last_outbound_at is not null);

-- One for each kind of next action that many leads can be of. A new lead is in one of leads_to_draft and leads_to_enrich.
create index leads_unanswered on leads (organization_id, last_inbound_at, id collate "C")
  where merged_into is null and status not in ('DoNotContact', 'NotInterested')
    and last_inbound_at > coalesce(last_outbound_at, '-infinity');
create index leads_to_answer on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status not in ('DoNotContact', 'NotInterested')
    and last_inbound_at > coalesce(last_outbound_at, '-infinity');
create index leads_to_draft on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url <> '' or (email <> '' and (headline <> '' or job_title <> '' or company <> '')));
create index leads_to_enrich on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url = '' and (email = '' or (headline = '' and job_title = '' and company = '')));
create index leads_unanswering on leads (organization_id, (- score), id collate "C", last_outbound_at) include (score)
  where merged_into is null and status in ('Contacted', 'Replied', 'Interested')
    and last_outbound_at >= coalesce(last_inbound_at, '-infinity');

create index leads_name_company on leads (organization_id, name_company collate "C", id collate "C")
  where name_company is not null and merged_into is null;
create index leads_phone_digits on leads (organization_id, phone_digits collate "C", id collate "C")
  where phone_digits is not null and merged_into is null;
`
