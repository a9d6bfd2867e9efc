import { foldedName, foldedText } from "./leadTexts.ts"

/**
 * List orders, rare filters, next actions, possible duplicates, and pieces of texts.
 *
 * An index whose entries are all equal for many leads costs almost nothing, and neither does a partial index of rare rows.
 */
export const leadsIndexes = `
create index leads_score on leads (organization_id, (- score), id collate "C") where merged_into is null;
create index leads_name on leads (organization_id, (${foldedName("")}), id collate "C")
  where merged_into is null;
create index leads_merged on leads (organization_id, merged_into) where merged_into is not null;

-- One for each filter of lead.search that can be rare. Matches are few, and are sorted.
-- With who wrote last, so that leads without a conversation are counted off it.
create index leads_status on leads (organization_id, status, turn) where merged_into is null;
create index leads_flagged on leads (organization_id) where merged_into is null and is_flagged;
create index leads_without_email on leads (organization_id) where merged_into is null and email = '';
create index leads_in_conversation on leads (organization_id, id) where merged_into is null and turn is not null;

-- One for each kind of next action that many leads can be of. A new lead is in one of leads_to_draft and leads_to_enrich.
create index leads_to_answer on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status not in ('DoNotContact', 'NotInterested') and turn = 1;
create index leads_to_draft on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url <> '' or (email <> '' and (headline <> '' or job_title <> '' or company <> '')));
create index leads_to_enrich on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status = 'New'
    and (linkedin_url = '' and (email = '' or (headline = '' and job_title = '' and company = '')));
create index leads_unanswering on leads (organization_id, (- score), id collate "C") include (score)
  where merged_into is null and status in ('Contacted', 'Replied', 'Interested') and turn = 2;

create index leads_replied on leads (organization_id, last_inbound_at, id collate "C")
  where merged_into is null and last_inbound_at is not null;

create index leads_phone_digits on leads (organization_id, phone_digits collate "C", id collate "C")
  where phone_digits is not null and merged_into is null;

-- Pieces of texts, where the database has the extension, or this is its own schema and the role may create it; otherwise
-- texts are read one by one.
do $$
declare
  place name;
begin
  if current_schema() = 'public' and not exists (select 1 from pg_extension where extname = 'pg_trgm') then
    create extension pg_trgm;
  end if;
  select n.nspname into place from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  if place is not null then
    execute format('create index leads_text on leads using gin ((${foldedText("").replaceAll("'", "''")}) %I.gin_trgm_ops) with (gin_pending_list_limit = 1024)', place);
  end if;
exception when insufficient_privilege or undefined_file or feature_not_supported then null;
end $$;
`
