/**
 * The peer's tables, with the indexes that its statements and the lists of such a product need. Ids sort by byte, as they
 * do in the product.
 */
export const schema = `
create table organizations (id text primary key, name text not null, created_at timestamptz not null);
create table api_keys (
  key_id text primary key,
  organization_id text not null references organizations,
  user_id text not null,
  actor_kind text not null,
  scopes text[] not null,
  secret_hash text not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create table offers (
  organization_id text not null references organizations,
  id text collate "C" not null,
  name text not null,
  one_liner text not null,
  value_proposition text not null,
  description text,
  landing_page_url text,
  sales_brief_url text,
  is_draft boolean not null,
  last_used_at timestamptz,
  parts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index on offers (organization_id, created_at desc, id desc);
create table agents (
  organization_id text not null references organizations,
  id text not null,
  handle text not null,
  first_name text not null,
  last_name text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, handle)
);
create table linkedin_accounts (
  organization_id text not null,
  id text not null,
  agent_id text not null,
  status text not null,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents
);
create index on linkedin_accounts (organization_id, agent_id);
create table missions (
  organization_id text not null references organizations,
  id text not null,
  handle text not null,
  name text not null,
  status text not null,
  brief jsonb not null default '{"language": "en", "objective": null, "description": null, "target_audience": null,
    "why_we_contact_them": null, "desired_action": null, "key_message": null, "cta_url": null, "tone_instructions": null}',
  offer_id text collate "C",
  primary key (organization_id, id),
  unique (organization_id, handle),
  foreign key (organization_id, offer_id) references offers
);
create table leads (
  organization_id text not null references organizations,
  id text collate "C" not null,
  name text not null,
  headline text not null,
  job_title text not null,
  company text not null,
  email text not null,
  linkedin_url text not null,
  avatar_url text not null,
  status text not null,
  score double precision not null,
  is_flagged boolean not null,
  profile jsonb not null,
  version integer not null default 1,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index on leads (organization_id, updated_at desc, id desc);
create index on leads (organization_id, status, updated_at desc, id desc);
create index on leads (organization_id, score desc, id);
create index on leads (organization_id, lower(name) collate "C", id);
create table lead_identities (
  organization_id text not null,
  kind text not null,
  value text not null,
  lead_id text collate "C" not null,
  primary key (organization_id, kind, value),
  foreign key (organization_id, lead_id) references leads
);
create index on lead_identities (organization_id, lead_id);
create table lead_missions (
  organization_id text not null,
  lead_id text collate "C" not null,
  mission_id text not null,
  linked_at timestamptz not null,
  primary key (organization_id, lead_id, mission_id),
  foreign key (organization_id, lead_id) references leads,
  foreign key (organization_id, mission_id) references missions
);
create index on lead_missions (organization_id, mission_id);
create table lead_messages (
  organization_id text not null,
  id text not null,
  lead_id text collate "C" not null,
  direction text not null,
  channel text not null,
  content text not null,
  sender_name text,
  is_pending boolean not null,
  sent_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references leads
);
create index on lead_messages (organization_id, lead_id, sent_at);
create table lead_relations (
  organization_id text not null,
  lead_id text collate "C" not null,
  account_id text not null,
  connected boolean not null,
  conversation_synced boolean not null,
  invited_at timestamptz,
  checked_at timestamptz not null,
  primary key (organization_id, lead_id, account_id),
  foreign key (organization_id, lead_id) references leads
);
create table suppressions (
  organization_id text not null,
  kind text not null,
  value text not null,
  reason text not null,
  until timestamptz,
  primary key (organization_id, kind, value)
);
create table linkedin_drafts (
  organization_id text not null,
  id text collate "C" not null,
  lead_id text collate "C" not null,
  agent_id text not null,
  mission_id text,
  status text not null,
  variations jsonb not null,
  created_by_user_id text not null,
  created_by_actor_kind text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references leads,
  foreign key (organization_id, agent_id) references agents,
  foreign key (organization_id, mission_id) references missions
);
create unique index on linkedin_drafts (organization_id, lead_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index on linkedin_drafts (organization_id, created_at desc, id desc);
create index on linkedin_drafts (organization_id, lead_id, created_at desc);
create index on linkedin_drafts (organization_id, created_at, id) where status = 'PENDING_REVIEW';
create table events (
  organization_id text not null,
  id text collate "C" not null,
  sequence bigint generated always as identity,
  type text not null,
  subject_type text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index on events (organization_id, sequence);
create index on events (organization_id, subject_id, created_at desc);
create table audit_entries (
  organization_id text not null,
  id text collate "C" not null,
  actor_kind text not null,
  user_id text not null,
  key_id text not null,
  command_id text not null,
  command_hash text not null,
  subject_type text,
  subject_id text,
  outcome text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index on audit_entries (organization_id, created_at desc, id desc);
create table idempotency_keys (
  organization_id text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  envelope jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, route, key)
);
create index on idempotency_keys (created_at);
`
