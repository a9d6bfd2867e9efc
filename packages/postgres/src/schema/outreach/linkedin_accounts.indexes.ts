/** One account per agent and gateway, one agent per account; linked accounts to poll. */
export const linkedinAccountsIndexes = `
create unique index linkedin_accounts_one_a_gateway on linkedin_accounts (organization_id, agent_id, gateway)
  where unlinked_at is null;
create unique index linkedin_accounts_one_agent on linkedin_accounts (organization_id, gateway, gateway_account_id)
  where unlinked_at is null;
create index linkedin_accounts_linked on linkedin_accounts (gateway, organization_id, id) where unlinked_at is null;
`
