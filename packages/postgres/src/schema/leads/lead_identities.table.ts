/**
 * Identifiers of leads. An identifier belongs to one lead. `derived`: it follows from another one. `hint`: what similar
 * e-mail addresses share.
 */
export const leadIdentitiesTable = `
create table lead_identities (
  organization_id text not null,
  kind text not null,
  value text not null,
  lead_id text not null,
  derived boolean not null,
  hint text generated always as (
    case when kind = 'email' then coalesce(
      nullif(replace(coalesce(nullif(split_part(split_part(value, '@', 1), '+', 1), ''), split_part(value, '@', 1)), '.', ''), ''),
      split_part(value, '@', 1)) || '@' || split_part(value, '@', 2) end
  ) stored,
  primary key (organization_id, kind, value),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
