/**
 * LinkedIn accounts, drafts, the queue with its transmissions, and how accounts and leads stand.
 *
 * The two unique indexes say what must never be, whatever the program thinks: two open drafts of one agent for one lead,
 * and two messages to one lead on their way at once.
 */
export const linkedin = {
  id: 6,
  name: "linkedin",
  sql: `
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
  primary key (organization_id, id),
  constraint linkedin_accounts_one_a_gateway unique (organization_id, agent_id, gateway),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

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
  created_by_user_id text not null,
  created_by_actor_kind text not null,
  approved_by_user_id text,
  approved_by_actor_kind text,
  approved_at timestamptz,
  cancelled_at timestamptz,
  dispatched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint linkedin_drafts_approved check (status <> 'READY_TO_SEND' or selected_body_text is not null),
  constraint linkedin_drafts_dispatched check ((status = 'DISPATCHED') = (dispatched_at is not null)),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id)
);
create unique index linkedin_drafts_open on linkedin_drafts (organization_id, lead_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_newest on linkedin_drafts (organization_id, created_at desc, id collate "C" desc);
create index linkedin_drafts_of_lead on linkedin_drafts (organization_id, lead_id, created_at desc);
create index linkedin_drafts_of_mission on linkedin_drafts (organization_id, mission_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_of_agent on linkedin_drafts (organization_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_pending on linkedin_drafts (organization_id, created_at, id collate "C")
  where status = 'PENDING_REVIEW';
create index linkedin_drafts_approved_due on linkedin_drafts (approved_at)
  where status = 'READY_TO_SEND' and queue_item_id is null;

create table linkedin_queue (
  organization_id text not null,
  id text not null,
  draft_id text not null,
  lead_id text not null,
  account_id text not null,
  state text not null,
  reason text,
  body_text text not null,
  bypass boolean not null,
  invite boolean not null,
  invitation_note text,
  invited_at timestamptz,
  attempts integer not null,
  failures integer not null,
  not_before timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, draft_id) references linkedin_drafts (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);
alter table linkedin_drafts add foreign key (organization_id, queue_item_id)
  references linkedin_queue (organization_id, id);
create unique index linkedin_queue_one_flight on linkedin_queue (organization_id, lead_id) where state = 'sending';
create index linkedin_queue_live on linkedin_queue (organization_id, lead_id)
  where state in ('queued', 'waiting_relation', 'sending', 'ambiguous');
create index linkedin_queue_of_lead on linkedin_queue (organization_id, lead_id);
create index linkedin_queue_of_draft on linkedin_queue (organization_id, draft_id);
create index linkedin_queue_due on linkedin_queue (not_before) where state in ('queued', 'waiting_relation');
create index linkedin_queue_stale on linkedin_queue (updated_at) where state = 'sending';

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
  primary key (organization_id, queue_item_id, number),
  foreign key (organization_id, queue_item_id) references linkedin_queue (organization_id, id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);
create index linkedin_attempts_confirmed on linkedin_attempts (organization_id, account_id, started_at)
  where outcome = 'confirmed';

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
create index lead_relations_of_lead on lead_relations (organization_id, lead_id);
`
}
