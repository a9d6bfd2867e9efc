/**
 * Identifiers of leads. An identifier belongs to one lead. `derived`: it follows from another one.
 */
export const leadIdentitiesTable = `
create table lead_identities (
  organization_id text not null,
  kind text not null,
  value text not null,
  lead_id text not null,
  derived boolean not null,
  primary key (organization_id, kind, value),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
