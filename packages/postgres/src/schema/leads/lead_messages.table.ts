/** Messages from and to leads. `external_id` is the id at the provider, if known. */
export const leadMessagesTable = `
create table lead_messages (
  organization_id text not null,
  id text not null,
  lead_id text not null,
  direction text not null,
  channel text not null,
  content text not null,
  sender_name text,
  external_id text,
  date timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
`
