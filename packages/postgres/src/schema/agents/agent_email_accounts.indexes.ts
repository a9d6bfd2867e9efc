/** The addresses of an agent. */
export const agentEmailAccountsIndexes = `
create index agent_email_accounts_agent on agent_email_accounts (organization_id, agent_id);
`
