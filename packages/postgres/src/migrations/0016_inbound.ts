/**
 * What comes in from LinkedIn: webhook tokens, how far accounts were read, and accounts that were taken from an agent.
 *
 * A token is looked up before there is an organization, so its hash is unique over all of them.
 */
export const inbound = {
  id: 16,
  name: "inbound",
  sql: `
alter table linkedin_accounts add column unlinked_at timestamptz;
alter table linkedin_accounts drop constraint linkedin_accounts_one_a_gateway;
create unique index linkedin_accounts_one_a_gateway on linkedin_accounts (organization_id, agent_id, gateway)
  where unlinked_at is null;
-- Accounts that are made of agents' ids are unique within their organization only.
create unique index linkedin_accounts_one_owner on linkedin_accounts (gateway, gateway_account_id)
  where unlinked_at is null and gateway not in ('simulator', 'manual');
create index linkedin_accounts_linked on linkedin_accounts (gateway, organization_id, id) where unlinked_at is null;

create table linkedin_webhook_tokens (
  organization_id text not null references organizations (id),
  gateway text not null,
  token_hash text not null,
  created_at timestamptz not null,
  primary key (organization_id, gateway, token_hash)
);
create unique index linkedin_webhook_tokens_owner on linkedin_webhook_tokens (gateway, token_hash);

create table linkedin_inboxes (
  organization_id text not null,
  account_id text not null,
  messages_since timestamptz not null,
  relations_since timestamptz not null,
  due_at timestamptz not null,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);

create index lead_relations_of_chat on lead_relations (organization_id, account_id, chat_id) where chat_id is not null;
`
}
