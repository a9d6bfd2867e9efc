/**
 * Which leads are in which missions.
 *
 * The primary key is the only index that begins with a mission for whoever does not ask for days, so checking a lead never
 * reads the whole mission.
 */
export const leadMissionsTable = `
create table lead_missions (
  organization_id text not null,
  mission_id text not null,
  lead_id text not null,
  linked_at timestamptz not null,
  linked_day date generated always as ((linked_at at time zone 'UTC')::date) stored,
  primary key (organization_id, mission_id, lead_id) include (linked_at),
  foreign key (organization_id, mission_id) references missions (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
