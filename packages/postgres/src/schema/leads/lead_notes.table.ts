/** Notes about leads. */
export const leadNotesTable = `
create table lead_notes (
  organization_id text not null,
  id text not null,
  lead_id text not null,
  text text not null,
  user_id text not null,
  actor_kind text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
