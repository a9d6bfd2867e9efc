/**
 * Leads. Fields that are filtered, sorted or listed have a column; the rest is in `profile`.
 *
 * `search_text` has the lower-case name, headline, job title, company and e-mail, one per line, folded in TypeScript so that
 * all databases agree; null where folding ASCII letters says the same (see `leadTexts.ts`). `turn` says who wrote last: 1 the
 * lead, 2 the sender, null nobody. `phone_digits` is a normalized key of possible duplicates. A merged lead keeps its row and
 * points at the winner.
 *
 * No index holds what changes at every touch (`updated_at` and `last_outbound_at`), and pages keep some room, so that
 * touching a lead writes its row and no index. `lead_recency` has the order of the last changes.
 */
export const leadsTable = `
create table leads (
  score double precision not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  turn smallint generated always as (
    case when last_inbound_at > coalesce(last_outbound_at, '-infinity') then 1 when last_outbound_at is not null then 2 end
  ) stored,
  is_flagged boolean not null,
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  headline text not null,
  job_title text not null,
  company text not null,
  email text not null,
  linkedin_url text not null,
  avatar_url text not null,
  status text not null,
  search_text text,
  profile jsonb not null,
  merged_into text,
  phone_digits text generated always as (
    case when length(regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g')) >= 7
      then regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g') end
  ) stored,
  primary key (organization_id, id)
) with (fillfactor = 92);
`
