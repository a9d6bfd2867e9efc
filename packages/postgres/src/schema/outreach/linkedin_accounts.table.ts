/** LinkedIn accounts of agents at a gateway. An unlinked one keeps its row. */
export const linkedinAccountsTable = `
create table linkedin_accounts (
  organization_id text not null,
  id text not null,
  agent_id text not null,
  gateway text not null,
  gateway_account_id text not null,
  status text not null,
  tier text not null,
  features jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unlinked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
`
