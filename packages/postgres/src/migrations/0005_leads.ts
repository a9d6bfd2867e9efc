/**
 * Leads, their identifiers, missions and messages. The look-up that takes locks is made in 0008, with what it reads.
 *
 * What is filtered, sorted or shown in lists has a column, the rest is in `profile`. `search_text` is lower-case name,
 * headline, job title, company and e-mail, one a line, folded by the program so that every database folds alike.
 */
export const leads = {
  id: 5,
  name: "leads",
  sql: `
create table leads (
  organization_id text not null references organizations (id),
  id text not null,
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
  search_text text not null,
  profile jsonb not null,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  merged_into text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index leads_recent on leads (organization_id, updated_at desc, id collate "C" desc) where merged_into is null;
create index leads_score on leads (organization_id, (- score), id collate "C") where merged_into is null;
create index leads_name on leads (organization_id, (split_part(search_text, E'\\n', 1)) collate "C", id collate "C")
  where merged_into is null;
create index leads_merged on leads (organization_id, merged_into) where merged_into is not null;

create table lead_identities (
  organization_id text not null,
  kind text not null,
  value text not null,
  lead_id text not null,
  derived boolean not null,
  primary key (organization_id, kind, value),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
create index lead_identities_of_lead on lead_identities (organization_id, lead_id);

create table lead_missions (
  organization_id text not null,
  mission_id text not null,
  lead_id text not null,
  linked_at timestamptz not null,
  primary key (organization_id, mission_id, lead_id),
  foreign key (organization_id, mission_id) references missions (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
create index lead_missions_of_lead on lead_missions (organization_id, lead_id);

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
create index lead_messages_of_lead on lead_messages (organization_id, lead_id, date desc, id collate "C" desc);
create unique index lead_messages_external on lead_messages (organization_id, channel, external_id)
  where external_id is not null;
`
}
