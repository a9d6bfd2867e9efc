/**
 * Offers. What is filtered or sorted by has a column; the arrays are read and written as a whole. `search_text` is
 * lower-case name and one-liner, folded by the program so that every database folds alike.
 */
export const offers = {
  id: 2,
  name: "offers",
  sql: `
create table offers (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  one_liner text not null,
  value_proposition text not null,
  description text,
  landing_page_url text,
  sales_brief_url text,
  is_draft boolean not null,
  last_used_at timestamptz,
  search_text text not null,
  parts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index offers_newest on offers (organization_id, created_at desc, id collate "C" desc);
`
}
