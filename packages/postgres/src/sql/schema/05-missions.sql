-- Missions. Fields that are filtered or sorted have a column; the brief and the settings are in `content`, the follow-ups to write in `steps`. `search_text` has
-- the lower-case name and handle, folded in TypeScript so that all databases agree.
create table missions (
  organization_id text not null references organizations (id),
  id text not null,
  handle text not null,
  name text not null,
  status text not null,
  before_archive text,
  agent_id text,
  offer_id text,
  search_text text not null,
  content jsonb not null,
  steps jsonb not null default '[]',
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint missions_handle unique (organization_id, handle),
  constraint missions_before_archive check ((status = 'ARCHIVED') = (before_archive is not null)),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, offer_id) references offers (organization_id, id)
);

-- Newest first, and those of an agent or an offer.
create index missions_newest on missions (organization_id, created_at, id collate "C");
create index missions_of_agent on missions (organization_id, agent_id);
create index missions_of_offer on missions (organization_id, offer_id);
-- Whether leads have follow-ups at all.
create index missions_with_steps on missions (organization_id) where status = 'ACTIVE' and steps <> '[]';

-- What the leads of a mission did and what was sent to them, one row each, as `MissionStatistics.ts` of the core counts it: `kind`
-- is contacted, replied, positive, meetings, opted_out, messages_sent, messages_received, invitations_sent or
-- invitations_accepted, and `source` the id of the message or transmission; empty for statuses.
--
-- Whoever writes links, messages, drafts, transmissions or changes of status calls `svc_keep_leads`, which alone writes it. Reports
-- read days off an index, where a day has eight bytes for each row.
create table mission_activity (
  organization_id text not null,
  mission_id text not null,
  lead_id text not null,
  kind text not null,
  source text not null,
  at timestamptz not null,
  day date generated always as ((at at time zone 'UTC')::date) stored,
  -- Of what was written for the mission, a message or the invitation of a draft: the step, the chosen variation, kind and model of
  -- the writer, and whether the person replied to it or accepted it, and is positive.
  step smallint,
  variation smallint,
  writer text,
  is_answered boolean,
  is_positive boolean,
  primary key (organization_id, lead_id, mission_id, kind, source)
);

-- The days of a mission, only for those who ask for days: a lead is looked up by the primary key.
create index mission_activity_days on mission_activity (organization_id, mission_id, kind, day) where day is not null;

-- What was written for a mission, with all that is counted of it.
create index mission_activity_written on mission_activity (organization_id, mission_id, at)
  include (kind, lead_id, step, variation, writer, is_answered, is_positive) where writer is not null;
