/**
 * Missions. Fields that are filtered or sorted have a column; the brief and the settings are in `content`. `search_text` has
 * the lower-case name and handle, folded in TypeScript so that all databases agree.
 */
export const missionsTable = `
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
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint missions_handle unique (organization_id, handle),
  constraint missions_before_archive check ((status = 'ARCHIVED') = (before_archive is not null)),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, offer_id) references offers (organization_id, id)
);
`
