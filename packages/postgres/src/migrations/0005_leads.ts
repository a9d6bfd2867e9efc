/**
 * Leads, their identifiers, missions and messages; and the look-up that takes locks.
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

-- Leads with what belongs to them, by id; messages include those that wait in the queue.
create function svc_lead_documents(p_organization text, p_ids text[]) returns setof jsonb
language plpgsql stable as $$
begin
  return query
    select jsonb_build_object(
      'row', to_jsonb(l) - 'search_text',
      'identities', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived)), '[]')
        from lead_identities i where i.organization_id = p_organization and i.lead_id = l.id),
      'missions', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'linkedAt', k.linked_at)
          order by k.linked_at, m.id collate "C"), '[]')
        from lead_missions k join missions m on m.organization_id = p_organization and m.id = k.mission_id
        where k.organization_id = p_organization and k.lead_id = l.id),
      'messages', (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.date, x.id collate "C"), '[]')
        from (select * from (
          select e.id, e.direction, e.channel, e.content, e.sender_name as "senderName", e.date, false as "isPending"
          from lead_messages e where e.organization_id = p_organization and e.lead_id = l.id
          union all
          select q.id, 'outbound', 'LINKEDIN', q.body_text, null, q.created_at, true
          from linkedin_queue q where q.organization_id = p_organization and q.lead_id = l.id
            and q.state in ('queued', 'waiting_relation')
        ) u order by u.date desc, u.id collate "C" desc limit 100) x))
    from leads l
    where l.organization_id = p_organization and l.id = any (p_ids)
    order by l.id collate "C";
end $$;

-- What identifiers and a lead id stand for, locked until the end of the transaction. The locks of identifiers are taken
-- in one order by everybody, before the first look, and each look afterwards sees what was committed meanwhile.
create function svc_resolve_leads(
  p_organization text, p_kinds text[], p_values text[], p_lead_id text, p_mission text
) returns jsonb
language plpgsql volatile as $$
declare
  lock_key bigint;
  found_ids text[];
  held_ids text[] := '{}';
  live_id text;
begin
  for lock_key in
    select distinct hashtextextended(p_organization || E'\\n' || g.kind || ':' || g.value, 17) as hash
    from unnest(p_kinds, p_values) as g (kind, value) order by hash
  loop
    perform pg_advisory_xact_lock(lock_key);
  end loop;
  loop
    select coalesce(l.merged_into, l.id) into live_id
    from leads l where l.organization_id = p_organization and l.id = p_lead_id;
    found_ids := array(
      select live_id where live_id is not null
      union
      select i.lead_id
      from unnest(p_kinds, p_values) as g (kind, value)
      join lead_identities i on i.organization_id = p_organization and i.kind = g.kind and i.value = g.value);
    exit when found_ids <@ held_ids;
    -- A lead may have been merged while its row was waited for, so look again until everything found is held. Rows are
    -- only ever locked upwards; what would go back starts the transaction again instead of risking a deadlock.
    if exists (
      select 1 from unnest(found_ids) as f (id), unnest(held_ids) as h (id)
      where f.id <> all (held_ids) and f.id collate "C" < h.id collate "C")
    then
      raise exception 'leads were merged meanwhile' using errcode = '40001';
    end if;
    perform 1 from leads l where l.organization_id = p_organization and l.id = any (found_ids)
      order by l.id collate "C" for no key update;
    held_ids := held_ids || found_ids;
  end loop;
  return jsonb_build_object(
    'leadId', live_id,
    'leads', (
      select coalesce(jsonb_agg(d.document order by d.document -> 'row' ->> 'id' collate "C"), '[]')
      from svc_lead_documents(p_organization, found_ids) as d (document)),
    'mission', (
      select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'status', m.status)
      from missions m
      where m.organization_id = p_organization and (m.id = p_mission or m.handle = p_mission)
      order by m.id = p_mission desc limit 1));
end $$;
`
}
