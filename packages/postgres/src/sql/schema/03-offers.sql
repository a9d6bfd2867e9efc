-- Offers. `document` is the offer as it is shown, but for `lastUsedAt`; it is `json` and not `jsonb`, since its text is
-- returned as it was written. What other statements read has a column of its own. `search_text` has the lower-case name and
-- one-liner, folded in TypeScript so that all databases agree.
create table offers (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  one_liner text not null,
  is_draft boolean not null,
  last_used_at timestamptz,
  search_text text not null,
  document json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- Newest first.
create index offers_newest on offers (organization_id, created_at, id collate "C");
