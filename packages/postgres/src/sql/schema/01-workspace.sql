-- Organizations: the tenants. `policy` says which commands need an approval, for all keys. `external_id` is the id by which a
-- host program knows the organization.
create table organizations (
  id text primary key,
  name text not null,
  external_id text unique,
  policy jsonb not null default '{}',
  created_at timestamptz not null
);

-- The organization of names that come from outside: the only table that is read before the organization is known. Its values
-- are unique over all organizations.
--
-- | kind | value | written with |
-- |---|---|---|
-- | `api_key` | the key id | the key |
-- | `unsubscribe` | the SHA-256 of an e-mail's token | the token; kept when the person is erased |
-- | `linkedin_webhook:GATEWAY` | the SHA-256 of the token in a webhook's URL | the page that links an account |
-- | `linkedin_account:GATEWAY` | the id of the account at the provider | the account; kept when it is unlinked, until its owner logs in for another organization |
create table organization_lookups (
  kind text not null,
  value text not null,
  organization_id text not null references organizations (id),
  primary key (kind, value)
);

-- API keys. `secrets` holds hashes, the newest first; `policy` narrows the policy of the organization. A request brings
-- only the key id: `organization_lookups` has its organization. `session` makes it one of the review page.
create table api_keys (
  organization_id text not null references organizations (id),
  key_id text not null,
  name text not null,
  user_id text not null,
  actor_kind text not null,
  mode text not null,
  scopes text[] not null,
  secrets jsonb not null,
  policy jsonb not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  session jsonb,
  primary key (organization_id, key_id)
);

-- Keys of an organization, oldest first, and sessions by when they expired or were revoked.
create index api_keys_organization on api_keys (organization_id, created_at, key_id);
create index api_keys_ended_sessions on api_keys (organization_id, least(expires_at, revoked_at)) where session is not null;

-- Which organizations have background work of a kind (`DueKind` of the core), and from when on.
--
-- Whoever makes work due writes it in the same transaction, with `least` of both instants. That locks the row until the commit,
-- even where it changes nothing, and a worker that is done stores the next instant only under that lock, from what is committed
-- by then: so nothing is missed.
create table due_work (
  organization_id text not null,
  kind text not null,
  due_at timestamptz not null,
  primary key (organization_id, kind)
) with (fillfactor = 80);

-- The organizations whose turn it is.
create index due_work_turns on due_work (kind, due_at, organization_id);

-- Secrets of the deployment by name, the same for every process.
create table deployment_secrets (
  name text primary key,
  secret text not null
);

-- The number of the latest event of each organization. Whoever appends events locks it until their transaction ends.
create table event_heads (
  organization_id text primary key,
  sequence bigint not null
);

-- Events of organizations, numbered in the order in which they were committed. `key_id`, `is_undo` and `undone_at` are for undoing
-- the change, and nobody else sees them.
create table events (
  organization_id text not null,
  sequence bigint not null,
  id text not null,
  type text not null,
  subject_type text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  data jsonb not null,
  key_id text,
  is_undo boolean not null default false,
  undone_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- The primary key: what a key did in a span of time, which begins with the ids of its first moment (`RunsPg.ts`).
-- The feed, webhooks and retention.
create unique index events_sequence on events (organization_id, sequence);
-- The timeline of a lead, its status, its erasure, and who touched what a run changed. Without the organization, the primary key
-- would look as good to an installation of one tenant, and all events be read.
create index events_of_subject on events (organization_id, subject_id);
-- The same for events of other subjects that name a lead.
create index events_naming_lead on events (organization_id, (data ->> 'lead_id')) where data ->> 'lead_id' is not null;

-- Audit rows. `sequence` and `hash` are null until the row is sealed into the chain of its organization.
create table audit_entries (
  organization_id text not null,
  id text not null,
  sequence bigint,
  hash text,
  actor_kind text not null,
  user_id text not null,
  key_id text,
  command_id text not null,
  command_hash text not null,
  subject_type text,
  subject_id text,
  outcome text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- The chain, unsealed rows, and the list.
create unique index audit_entries_sequence on audit_entries (organization_id, sequence) where sequence is not null;
create index audit_entries_unsealed on audit_entries (organization_id, created_at, id collate "C") where sequence is null;
create index audit_entries_newest on audit_entries (organization_id, created_at, id collate "C");

-- The last sealed audit row of each organization, and the last one that retention deleted, signed with the chain's key.
create table audit_heads (
  organization_id text primary key,
  sequence bigint not null,
  hash text not null,
  start_sequence bigint not null default 0,
  start_hash text not null default '',
  start_deleted_at timestamptz,
  start_signature text not null default ''
);

-- Idempotency keys with their responses. `envelope` is null while a run of several transactions is in progress.
create table idempotency_keys (
  organization_id text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  envelope jsonb,
  created_at timestamptz not null,
  primary key (organization_id, route, key)
);

-- Old keys.
create index idempotency_keys_oldest on idempotency_keys (organization_id, created_at);

-- Approval requests and their outcomes.
create table approval_requests (
  organization_id text not null,
  id text not null,
  command_id text not null,
  command_hash text not null,
  input jsonb,
  precondition jsonb,
  requested_kind text not null,
  requested_user_id text not null,
  requested_key_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null,
  resolved_kind text,
  resolved_user_id text,
  resolved_key_id text,
  resolved_at timestamptz,
  decided_through text,
  reason text not null default '',
  outcome text,
  problem text not null default '',
  question jsonb,
  mail_to jsonb not null default '[]',
  mail_at timestamptz,
  primary key (organization_id, id)
);

-- One pending request per command and requester, those that expire or are to be mailed, and the list.
create unique index approval_requests_open
  on approval_requests (organization_id, command_hash, requested_user_id, coalesce(requested_key_id, ''))
  where state = 'pending';
create index approval_requests_overdue on approval_requests (organization_id, expires_at) where state = 'pending';
create index approval_requests_mail on approval_requests (organization_id, mail_at) where mail_at is not null;
create index approval_requests_newest on approval_requests (organization_id, created_at, id collate "C");
