/**
 * Drafts of messages. The index `linkedin_drafts_open` enforces one open draft per agent and lead.
 */
export const linkedinDraftsTable = `
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
  created_by_user_id text not null,
  created_by_actor_kind text not null,
  approved_by_user_id text,
  approved_by_actor_kind text,
  recipient jsonb not null default '[]',
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
`
