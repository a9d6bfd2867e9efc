/** The LinkedIn relation of an account and a lead, as last seen. */
export const leadRelationsTable = `
create table lead_relations (
  organization_id text not null,
  account_id text not null,
  lead_id text not null,
  connected boolean not null,
  chat_id text,
  invited_at timestamptz,
  checked_at timestamptz not null,
  primary key (organization_id, account_id, lead_id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
