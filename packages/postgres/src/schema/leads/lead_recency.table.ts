/**
 * The order in which leads last changed: `leads.updated_at` once more, in a narrow table of its own, so that a change writes
 * one entry of one index. Triggers on `leads` keep it, and nothing else writes it.
 */
export const leadRecencyTable = `
create table lead_recency (
  updated_at timestamptz not null,
  organization_id text not null,
  lead_id text collate "C" not null,
  primary key (organization_id, updated_at, lead_id)
);
`
