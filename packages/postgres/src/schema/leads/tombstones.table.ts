/** What remains of erased people: one keyed hash per identifier, which blocks like a suppression. */
export const tombstonesTable = `
create table tombstones (
  organization_id text not null references organizations (id),
  hash text not null,
  kind text not null,
  lead_id text not null,
  erased_at timestamptz not null,
  primary key (organization_id, hash)
);
`
