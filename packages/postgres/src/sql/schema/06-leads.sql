-- Leads. Fields that are filtered, sorted or listed have a column; the rest is in `profile`.
--
-- `search_text` has the lower-case name, headline, job title, company and e-mail, one per line, folded in TypeScript so that
-- all databases agree; null where folding ASCII letters says the same (see `leadTexts.ts`). `turn` says who wrote last: 1 the
-- lead, 2 the sender, null nobody. `snoozed_until`: the conversation is put aside until then; the next message ends it. `away_until`: an out-of-office reply says so. `draft_request`: what a person
-- asked a writer for, until something is written. `phone_digits` is a normalized key of possible duplicates. A merged lead keeps its row and
-- points at the winner.
--
-- No index holds what changes at every touch (`updated_at` and `last_outbound_at`), and pages keep some room, so that
-- touching a lead writes its row and no index. `lead_recency` has the order of the last changes.
create table leads (
  score double precision not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  snoozed_until timestamptz,
  away_until timestamptz,
  turn smallint generated always as (
    case when last_inbound_at > coalesce(last_outbound_at, '-infinity') then 1 when last_outbound_at is not null then 2 end
  ) stored,
  is_flagged boolean not null,
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
  search_text text,
  profile jsonb not null,
  draft_request jsonb,
  merged_into text,
  phone_digits text generated always as (
    case when length(regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g')) >= 7
      then regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g') end
  ) stored,
  primary key (organization_id, id)
) with (fillfactor = 92);

-- An index whose entries are all equal for many leads costs almost nothing, and neither does a partial index of rare rows.

-- lead.search by score, its score_min, and, in a list by action, the leads without one.
create index leads_score on leads (organization_id, (- score), id collate "C") where merged_into is null;
-- lead.search by name, its first_name, and leads of the same name in lead.duplicates.
create index leads_name on leads (organization_id, (coalesce(split_part(search_text, E'\n', 1), lower(name collate "C")) collate "C"), id collate "C")
  where merged_into is null;
-- lead.duplicates.
create index leads_phone_digits on leads (organization_id, phone_digits collate "C")
  where phone_digits is not null and merged_into is null;
-- What was merged into a lead: timeline, conversation, erasure, export.
create index leads_merged on leads (organization_id, merged_into) where merged_into is not null;
-- workspace.status, and lead.search by status.
create index leads_status on leads (organization_id, status) where merged_into is null;
-- lead.search: is_flagged, has_email false, has_conversation.
create index leads_flagged on leads (organization_id) where merged_into is null and is_flagged;
create index leads_without_email on leads (organization_id) where merged_into is null and email = '';
create index leads_in_conversation on leads (organization_id) where merged_into is null and turn is not null;
-- The inbox: who waits for an answer, the longest first.
create index leads_waiting on leads (organization_id, last_inbound_at, id collate "C")
  where merged_into is null and status not in ('DoNotContact', 'NotInterested') and turn = 1;
-- review.list: replies, the latest first.
create index leads_replied on leads (organization_id, last_inbound_at, id collate "C")
  where merged_into is null and last_inbound_at is not null;

-- Texts that are searched inside: pieces of them, where the database has pg_trgm, with the organization, where it has btree_gin
-- too. An extension is made here if this is its own schema and the role may do so. Otherwise texts are read one by one.
do $$
declare
  wanted text;
  place name;
  head text := '';
begin
  foreach wanted in array array['pg_trgm', 'btree_gin'] loop
    begin
      if current_schema() = 'public' and not exists (select 1 from pg_extension where extname = wanted) then
        execute format('create extension %I', wanted);
      end if;
    exception when insufficient_privilege or undefined_file or feature_not_supported then null;
    end;
  end loop;
  if exists (select 1 from pg_extension where extname = 'btree_gin') then
    head := 'organization_id, ';
  end if;
  select n.nspname into place from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  if place is not null then
    execute format('create index leads_text on leads using gin (%s(coalesce(search_text, lower((name || E''\n'' || headline || E''\n'' || job_title || E''\n'' || company || E''\n'' || email) collate "C")) collate "C") %I.gin_trgm_ops) with (gin_pending_list_limit = 1024)', head, place);
  end if;
exception when insufficient_privilege or undefined_file or feature_not_supported then null;
end $$;

-- The order in which leads last changed: `leads.updated_at` once more, in a narrow table of its own, so that a change writes
-- one entry of one index. Whoever writes `leads.updated_at` writes it as well.
create table lead_recency (
  updated_at timestamptz not null,
  organization_id text not null,
  lead_id text collate "C" not null,
  primary key (organization_id, updated_at, lead_id)
);

-- What an organization finds its live leads by: values of own fields by their key, and tags, whose `name` is ''. Labels come in normal
-- form from TypeScript. Each has what lists are sorted by, `leads.updated_at`, minus the score as `place`, the name in lower case, and
-- the rank of `lead_actions`, so that a page of the leads with a label is read in its order, however many have it. Whoever writes
-- one of them writes it here as well.
create table lead_labels (
  updated_at timestamptz not null,
  place double precision not null,
  rank smallint,
  organization_id text not null,
  lead_id text collate "C" not null,
  name text collate "C" not null,
  value text collate "C" not null,
  lead_name text collate "C" not null,
  primary key (organization_id, lead_id, name, value)
);

create index lead_labels_recent on lead_labels (organization_id, name, value, updated_at, lead_id);
create index lead_labels_score on lead_labels (organization_id, name, value, place, lead_id);
create index lead_labels_name on lead_labels (organization_id, name, value, lead_name, lead_id);
create index lead_labels_urgent on lead_labels (organization_id, name, value, rank, place, lead_id) where rank is not null;

-- Fields that an organization defined, in order of creation, and filters that it saved.
create table lead_setups (
  organization_id text primary key references organizations (id),
  fields jsonb not null,
  filters jsonb not null
);

-- The next action of each lead: its rank, as in NextAction.ts; `place` is minus the score. `from_at` is the instant from which the
-- lead has it: before that, and where `rank` is null, it has none. `follow_up` is the follow-up that is due then, and
-- `announced` the one of which an event was emitted last. `svc_keep_actions` keeps the rest, and nothing else writes it.
--
-- A row stays when its lead has no action any more: a transaction that reads one snapshot and writes it then fails instead of
-- storing what is out of date.
create table lead_actions (
  place double precision not null,
  from_at timestamptz not null,
  rank smallint,
  organization_id text not null,
  lead_id text not null,
  follow_up jsonb,
  announced jsonb,
  primary key (organization_id, lead_id)
);

-- The list of actions, most urgent first.
create index lead_actions_urgent on lead_actions (organization_id, rank, place, lead_id collate "C") include (from_at)
  where rank is not null;
-- Follow-ups to announce, those due longest first.
create index lead_actions_to_announce on lead_actions (organization_id, from_at, lead_id collate "C")
  where rank = 5 and follow_up is distinct from announced;

-- Changes after which the actions of many leads are stored again, in batches: `kind` is 'mission', for its leads after the id
-- `after`, 'agent', for those of its missions with steps, or 'domain', for those with an e-mail address of it, after that address.
create table stale_actions (
  organization_id text not null,
  kind text not null,
  value text not null,
  after text not null default '',
  due_at timestamptz not null,
  primary key (organization_id, kind, value)
);

-- Identifiers of leads. An identifier belongs to one lead. `derived`: it follows from another one.
create table lead_identities (
  organization_id text not null,
  kind text not null,
  value text not null,
  lead_id text not null,
  derived boolean not null,
  primary key (organization_id, kind, value),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);

-- lead.duplicates: addresses without what follows a plus sign, and without dots.
create index lead_identities_hints on lead_identities (organization_id, ((coalesce(nullif(replace(coalesce(nullif(
    split_part(split_part(value, '@', 1), '+', 1), ''), split_part(value, '@', 1)), '.', ''), ''), split_part(value, '@', 1))
    || '@' || split_part(value, '@', 2)) collate "C"))
  where kind = 'email';
-- Identifiers of a lead. Ids of leads hardly repeat between organizations, so theirs is left out.
create index lead_identities_of_lead on lead_identities (lead_id);

-- Which leads are in which missions.
--
-- The primary key is the only index that begins with a mission for whoever does not ask for days, so checking a lead never
-- reads the whole mission.
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

-- Missions of a lead, with all that is read of them: otherwise the primary key, which has it too, would be read for them. And the
-- days of a mission, only for those who ask for days.
create index lead_missions_of_lead on lead_missions (organization_id, lead_id) include (mission_id, linked_at);
create index lead_missions_days on lead_missions (organization_id, mission_id, linked_day)
  where linked_day is not null;

-- Messages from and to leads. `external_id` is the id at the provider, if known; of an e-mail its Message-ID, with its subject,
-- quoted text, names of attachments and our address in `mail`.
create table lead_messages (
  organization_id text not null,
  id text not null,
  lead_id text not null,
  direction text not null,
  channel text not null,
  content text not null,
  sender_name text,
  external_id text,
  mail jsonb,
  date timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);

-- Messages of a lead, newest first; a message of the provider is stored once.
create index lead_messages_of_lead on lead_messages (organization_id, lead_id, date, id collate "C");
create unique index lead_messages_external on lead_messages (organization_id, channel, external_id)
  where external_id is not null;

-- E-mails that were sent under a subject to a company.
create index lead_messages_of_thread on lead_messages (organization_id, (mail ->> 'thread'), date)
  where direction = 'outbound' and mail is not null;

-- Notes about leads.
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

-- Notes about a lead, newest first.
create index lead_notes_of_lead on lead_notes (organization_id, lead_id, created_at, id collate "C");

-- Who must not be contacted. `kind` is that of an identifier, 'domain', or 'lead' (then `value` is the id of the
-- lead). `until` is null when permanent.
create table suppressions (
  organization_id text not null references organizations (id),
  kind text not null,
  value text not null,
  lead_id text,
  reason text not null,
  until timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, kind, value)
);

-- Newest first, those of a lead, and those that do not change a lead's status.
create index suppressions_newest
  on suppressions (organization_id, created_at, kind collate "C", value collate "C");
create index suppressions_of_lead on suppressions (organization_id, lead_id) where lead_id is not null;
create index suppressions_of_the_living on suppressions (organization_id)
  where until is not null or kind = 'domain' or lead_id is null;

-- What remains of erased people: one keyed hash per identifier, which blocks like a suppression.
create table tombstones (
  organization_id text not null references organizations (id),
  hash text not null,
  kind text not null,
  lead_id text not null,
  erased_at timestamptz not null,
  primary key (organization_id, hash)
);

-- Tombstones of one erasure.
create index tombstones_of_lead on tombstones (organization_id, lead_id);
