-- LinkedIn accounts of agents at a gateway. An unlinked one keeps its row.
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

-- One account per agent and gateway, one agent per account.
create unique index linkedin_accounts_one_a_gateway on linkedin_accounts (organization_id, agent_id, gateway)
  where unlinked_at is null;
create unique index linkedin_accounts_one_agent on linkedin_accounts (organization_id, gateway, gateway_account_id)
  where unlinked_at is null;

-- Drafts of messages. The index `linkedin_drafts_open` enforces one open draft per agent and lead.
create table linkedin_drafts (
  organization_id text not null,
  id text not null,
  lead_id text not null,
  agent_id text not null,
  mission_id text,
  status text not null,
  variations jsonb not null,
  selected_index integer,
  selected_body_text text,
  queue_item_id text,
  message_id text,
  external_message_id text,
  snoozed_until timestamptz,
  flagged boolean not null default false,
  flag_note text,
  rejection jsonb,
  rewrite jsonb,
  steps jsonb not null default '[]',
  evidence jsonb not null default '[]',
  follow_up jsonb,
  created_by_user_id text not null,
  created_by_actor_kind text not null,
  approved_by_user_id text,
  approved_by_actor_kind text,
  approved jsonb,
  approved_at timestamptz,
  cancelled_at timestamptz,
  dispatched_at timestamptz,
  created_at timestamptz not null,
  created_day date generated always as ((created_at at time zone 'UTC')::date) stored,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint linkedin_drafts_approved check (status <> 'READY_TO_SEND' or selected_body_text is not null),
  constraint linkedin_drafts_dispatched check ((status = 'DISPATCHED') = (dispatched_at is not null)),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id)
);

-- Open drafts, counts, lists, and approved drafts that are not queued yet.
create unique index linkedin_drafts_open on linkedin_drafts (organization_id, lead_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_states on linkedin_drafts (organization_id, status);
create index linkedin_drafts_newest on linkedin_drafts (organization_id, created_at, id collate "C");
create index linkedin_drafts_of_lead on linkedin_drafts (organization_id, lead_id, created_at desc);
create index linkedin_drafts_of_mission on linkedin_drafts (organization_id, mission_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_days on linkedin_drafts (organization_id, mission_id, status, created_day)
  where mission_id is not null and created_day is not null;
create index linkedin_drafts_of_agent on linkedin_drafts (organization_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_of_message on linkedin_drafts (organization_id, message_id)
  where message_id is not null;
create index linkedin_drafts_pending on linkedin_drafts (organization_id, created_at, id collate "C")
  where status = 'PENDING_REVIEW';
create index linkedin_drafts_approved on linkedin_drafts (organization_id, id)
  where status = 'READY_TO_SEND';
create index linkedin_drafts_sent on linkedin_drafts (organization_id, dispatched_at, id collate "C")
  where status = 'DISPATCHED';
create index linkedin_drafts_tried on linkedin_drafts (organization_id, updated_at, id collate "C")
  where status = 'PENDING_REVIEW' and queue_item_id is not null;
create index linkedin_drafts_approved_due on linkedin_drafts (organization_id, approved_at)
  where status = 'READY_TO_SEND' and queue_item_id is null;

-- Messages, invitations and e-mails, shared by many processes through leases with a growing fence. Fields of a single kind are
-- in `details`. Messages and invitations are sent by their account, e-mails by their mailbox.
--
-- Leases change often, so each page keeps free space for them, and no index covers their columns.
create table transmissions (
  organization_id text not null,
  id text not null,
  kind text not null,
  agent_id text not null,
  account_id text,
  sender_id text not null generated always as (coalesce(account_id, lower(details ->> 'fromAddress'), agent_id)) stored,
  lead_id text not null,
  draft_id text,
  mission_id text,
  state text not null,
  reason text,
  bypass boolean not null,
  attempts integer not null,
  failures integer not null,
  not_before timestamptz,
  expires_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint transmissions_account check (account_id is not null or kind = 'email'),
  constraint transmissions_draft check (draft_id is not null or kind <> 'message'),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, draft_id) references linkedin_drafts (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id)
) with (fillfactor = 80);
alter table linkedin_drafts add foreign key (organization_id, queue_item_id)
  references transmissions (organization_id, id);

-- Enforces one message to a lead at a time and one live invitation per account. Turns, also of those that no pause holds;
-- counts, and rows being sent or with an unknown outcome; lists; reviews that expire.
create unique index transmissions_one_flight on transmissions (organization_id, lead_id)
  where kind = 'message' and state = 'sending';
create unique index transmissions_one_invitation on transmissions (organization_id, lead_id, account_id)
  where kind = 'invitation' and state in ('queued', 'sending', 'pending', 'ambiguous');
create index transmissions_turns on transmissions (organization_id, sender_id, kind, not_before, id collate "C")
  where state in ('queued', 'waiting_relation');
create index transmissions_unheld on transmissions (organization_id, sender_id, kind, not_before)
  where state in ('queued', 'waiting_relation') and (bypass or state = 'waiting_relation');
create index transmissions_of_lead on transmissions (organization_id, lead_id);
create index transmissions_of_draft on transmissions (organization_id, draft_id) where draft_id is not null;
create index transmissions_of_mission on transmissions (organization_id, mission_id) where mission_id is not null;
create index transmissions_states on transmissions (organization_id, kind, state);
create index transmissions_age on transmissions (organization_id, kind, substr(id, 5) collate "C");
create index transmissions_reviewed on transmissions (organization_id, kind, created_at, id collate "C")
  where state = 'in_review';
create index transmissions_problems on transmissions (organization_id, kind, updated_at, id collate "C")
  where state in ('failed', 'ambiguous') and kind <> 'message';
create index transmissions_sent on transmissions (organization_id, kind, (details ->> 'sentAt'))
  where state in ('sent', 'pending', 'accepted') and kind <> 'message';
create index transmissions_expiring on transmissions (organization_id, expires_at)
  where state = 'in_review' and expires_at is not null;

-- Senders: LinkedIn accounts, and mailboxes by their address. Their turn, their limits, and until when and why they pause.
create table senders (
  organization_id text not null,
  sender_id text not null,
  served_at timestamptz,
  limits jsonb not null default '{}',
  ramp boolean not null default true,
  next_at timestamptz,
  message_paced_until timestamptz,
  message_paced_reason text,
  message_look_at timestamptz,
  message_stopped_until timestamptz,
  invitation_paced_until timestamptz,
  invitation_paced_reason text,
  invitation_look_at timestamptz,
  invitation_stopped_until timestamptz,
  primary key (organization_id, sender_id),
  foreign key (organization_id) references organizations (id)
);

-- Every use of an account or a mailbox that counts for its limits, such as a message or an e-mail. Attempts count after the person
-- is erased and the mailbox removed, so nothing has a foreign key.
create table linkedin_attempts (
  organization_id text not null,
  queue_item_id text not null,
  number integer not null,
  account_id text not null,
  action text not null,
  outcome text,
  detail text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, queue_item_id, number)
);

-- Attempts that count for the limits of an account.
create index linkedin_attempts_counted on linkedin_attempts (organization_id, account_id, started_at, action)
  where outcome is null or outcome in ('confirmed', 'unknown');

-- The LinkedIn relation of an account and a lead, as last seen.
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

-- Relations of a lead, and the lead of a conversation.
create index lead_relations_of_lead on lead_relations (organization_id, lead_id);
create index lead_relations_of_chat on lead_relations (organization_id, account_id, chat_id) where chat_id is not null;

-- Up to when each account was polled, and when it is due again.
create table linkedin_inboxes (
  organization_id text not null,
  account_id text not null,
  messages_since timestamptz not null,
  relations_since timestamptz not null,
  due_at timestamptz not null,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);

-- The SHA-256 of tokens by which recipients of e-mails unsubscribe. They outlive the person, whose erasure sets `lead_id` to null, and
-- the e-mail.
create table unsubscribe_tokens (
  organization_id text not null,
  hash text not null,
  lead_id text,
  email_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, hash),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);

-- Tokens of a lead.
create index unsubscribe_tokens_of_lead on unsubscribe_tokens (organization_id, lead_id) where lead_id is not null;

-- Where the database lives and when a process last worked on it, one row for the whole database; and what holds sending
-- since that did not match. `place` is the folder of an embedded database, `written_by` the transaction that wrote the row:
-- a row that a restore has written is another transaction's. `failed_over_at` is set where the last release followed a failover.
create table deployment (
  is_only boolean primary key default true check (is_only),
  fingerprint text not null,
  place text not null,
  heartbeat_at timestamptz not null,
  written_by text not null default pg_current_xact_id()::xid::text,
  hold_reason text,
  held_since timestamptz,
  released_at timestamptz,
  failed_over_at timestamptz
);

-- The processes that have the database open, each with its last heartbeat; one that ends takes its row away.
create table service_processes (
  id text primary key,
  heartbeat_at timestamptz not null
);
