/** E-mail addresses of agents: an address belongs to one agent. */
export const agentEmailAccountsTable = `
create table agent_email_accounts (
  organization_id text not null,
  email_key text not null,
  agent_id text not null,
  constraint agent_email_accounts_one_agent primary key (organization_id, email_key),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
`
