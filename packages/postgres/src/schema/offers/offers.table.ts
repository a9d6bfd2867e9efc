/**
 * Offers. Fields that are filtered or sorted have a column; the arrays are in `parts`. `search_text` has the lower-case name
 * and one-liner, folded in TypeScript so that all databases agree.
 */
export const offersTable = `
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
`
