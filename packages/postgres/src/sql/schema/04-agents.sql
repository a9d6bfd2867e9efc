-- Agents: the sender personas. A deleted agent keeps its row and its handle; its e-mail addresses become free. Fields
-- that are not searched are in `profile`.
create table agents (
  organization_id text not null references organizations (id),
  id text not null,
  handle text not null,
  first_name text not null,
  last_name text not null,
  profile jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  constraint agents_handle unique (organization_id, handle)
);

-- Live agents, newest first.
create index agents_newest on agents (organization_id, created_at, id collate "C") where deleted_at is null;

-- E-mail addresses of agents: an address belongs to one agent.
create table agent_email_accounts (
  organization_id text not null,
  email_key text not null,
  agent_id text not null,
  constraint agent_email_accounts_one_agent primary key (organization_id, email_key),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

-- The addresses of an agent.
create index agent_email_accounts_agent on agent_email_accounts (organization_id, agent_id);
