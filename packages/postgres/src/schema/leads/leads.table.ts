/**
 * Leads. Fields that are filtered, sorted or listed have a column; the rest is in `profile`.
 *
 * `search_text` has the lower-case name, headline, job title, company and e-mail, one per line, folded in TypeScript so that
 * all databases agree. `name_company` and `phone_digits` are the normalized keys of possible duplicates. A merged lead keeps
 * its row and points at the winner.
 */
export const leadsTable = `
create table leads (
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
  score double precision not null,
  is_flagged boolean not null,
  search_text text not null,
  profile jsonb not null,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  merged_into text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_company text generated always as (
    case when company <> '' then split_part(search_text, E'\\n', 1) || E'\\n' || split_part(search_text, E'\\n', 4) end
  ) stored,
  phone_digits text generated always as (
    case when length(regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g')) >= 7
      then regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g') end
  ) stored,
  primary key (organization_id, id)
);
`
