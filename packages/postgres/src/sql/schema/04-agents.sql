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

-- E-mail addresses of agents, their mailboxes: an address belongs to one agent. `inbox` says where it is read, up to `position`, or
-- from `since` on; `secret` is encrypted. `domain` is what the DNS says of the sender's domain.
create table agent_email_accounts (
  organization_id text not null,
  email_key text not null,
  agent_id text not null,
  created_at timestamptz not null,
  inbox jsonb,
  secret text,
  position jsonb not null default '{}',
  since timestamptz,
  state text not null default 'off',
  problem text,
  read_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  domain jsonb,
  constraint agent_email_accounts_one_agent primary key (organization_id, email_key),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

-- The addresses of an agent, and inboxes to read.
create index agent_email_accounts_agent on agent_email_accounts (organization_id, agent_id);
create index agent_email_accounts_due on agent_email_accounts (organization_id, due_at) where due_at is not null;

-- Mails that were taken in, by the SHA-256 of what identifies each: none is taken in twice.
create table taken_mails (
  organization_id text not null,
  hash text not null,
  taken_at timestamptz not null,
  primary key (organization_id, hash)
);

-- Those that are forgotten.
create index taken_mails_oldest on taken_mails (organization_id, taken_at);
