import { leadErasureSql } from "./0008_lead_erasure.ts"

/**
 * Notes, suppressions and tombstones, what duplicates share, and the removal of a person.
 *
 * A tombstone is the HMAC-SHA-256 of an identifier under a secret of the deployment, which is made when the first person is
 * erased; so that a snapshot of the schema holds no secret.
 */
export const leadPrivacy = {
  id: 8,
  name: "lead_privacy",
  sql: `
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
create index lead_notes_of_lead on lead_notes (organization_id, lead_id, created_at desc, id collate "C" desc);

create index events_of_lead on events (organization_id, subject_id, created_at desc, id collate "C" desc)
  where subject_type = 'lead';
create index events_naming_lead on events (organization_id, (data ->> 'lead_id'), created_at desc, id collate "C" desc)
  where data ->> 'lead_id' is not null;

create index leads_unanswered on leads (organization_id, last_inbound_at, id collate "C")
  where merged_into is null and status not in ('DoNotContact', 'NotInterested')
    and last_inbound_at > coalesce(last_outbound_at, '-infinity');

-- What possible duplicates share, in the form that is compared.
alter table leads
  add column name_company text generated always as (
    case when company <> '' then split_part(search_text, E'\\n', 1) || E'\\n' || split_part(search_text, E'\\n', 4) end
  ) stored,
  add column phone_digits text generated always as (
    case when length(regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g')) >= 7
      then regexp_replace(profile ->> 'phone', '[^0-9]', '', 'g') end
  ) stored;
alter table lead_identities add column hint text generated always as (
  case when kind = 'email' then coalesce(
    nullif(replace(coalesce(nullif(split_part(split_part(value, '@', 1), '+', 1), ''), split_part(value, '@', 1)), '.', ''), ''),
    split_part(value, '@', 1)) || '@' || split_part(value, '@', 2) end
) stored;
create index leads_name_company on leads (organization_id, name_company collate "C", id collate "C")
  where name_company is not null and merged_into is null;
create index leads_phone_digits on leads (organization_id, phone_digits collate "C", id collate "C")
  where phone_digits is not null and merged_into is null;
create index lead_identities_hint on lead_identities (organization_id, hint collate "C", lead_id collate "C")
  where hint is not null;

-- kind is that of an identifier, 'domain', or 'lead' (value is the lead's id).
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
create index suppressions_newest
  on suppressions (organization_id, created_at desc, kind collate "C" desc, value collate "C" desc);
create index suppressions_of_lead on suppressions (organization_id, lead_id) where lead_id is not null;

create table tombstones (
  organization_id text not null references organizations (id),
  hash text not null,
  kind text not null,
  lead_id text not null,
  erased_at timestamptz not null,
  primary key (organization_id, hash)
);
create index tombstones_of_lead on tombstones (organization_id, lead_id);

insert into suppressions (organization_id, kind, value, lead_id, reason, until, created_at)
select l.organization_id, k.kind, k.value, l.id, 'status DoNotContact', null, l.updated_at
from leads l cross join lateral (
  select 'lead' as kind, l.id as value
  union all
  select i.kind, i.value from lead_identities i where i.organization_id = l.organization_id and i.lead_id = l.id
) k
where l.status = 'DoNotContact' and l.merged_into is null;

-- A domain and the domains above it, down to two labels.
create function svc_domains_above(p_domain text) returns setof text
language sql immutable as $$
  select array_to_string(d.labels[n:], '.')
  from (select string_to_array(p_domain, '.') as labels) d, generate_series(1, cardinality(d.labels) - 1) as n
$$;

-- The two padded keys of HMAC (RFC 2104); null when there is no secret and none is to be made.
create function svc_tombstone_pads(p_make boolean) returns bytea[]
language plpgsql volatile as $$
declare
  key bytea;
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  if p_make then
    insert into deployment_secrets (name, secret)
    values ('tombstone', encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'))
    on conflict (name) do nothing;
  end if;
  select decode(s.secret, 'hex') into key from deployment_secrets s where s.name = 'tombstone';
  if key is null then
    return null;
  end if;
  for place in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(key, place));
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(key, place));
  end loop;
  return array[inner_pad, outer_pad];
end $$;

create function svc_tombstone_hash(p_pads bytea[], p_organization text, p_kind text, p_value text) returns text
language sql immutable as $$
  select encode(sha256(p_pads[2] || sha256(p_pads[1]
    || convert_to(p_organization || E'\\n' || p_kind || ':' || p_value, 'UTF8'))), 'hex')
$$;

create function svc_suppression_entry(s suppressions) returns jsonb
language sql stable as $$
  select jsonb_build_object('kind', s.kind, 'reason', s.reason, 'until', s.until, 'leadId', s.lead_id,
    'createdAt', s.created_at)
$$;

-- The entries that name a lead: its id, its identifiers, the domains of its addresses.
create function svc_suppressions_of_lead(p_organization text, p_lead_id text) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(svc_suppression_entry(e.found) order by e.kind collate "C", e.value collate "C"), '[]')
  from (
    select 'lead' as kind, p_lead_id as value
    union
    select i.kind, i.value from lead_identities i where i.organization_id = p_organization and i.lead_id = p_lead_id
    union
    select 'domain', d.domain
    from lead_identities i cross join lateral svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
    where i.organization_id = p_organization and i.lead_id = p_lead_id and i.kind = 'email'
  ) k
  cross join lateral (
    select s as found, s.kind, s.value from suppressions s
    where s.organization_id = p_organization and s.kind = k.kind and s.value = k.value limit 1
  ) e
$$;

-- The entries and tombstones that name identifiers: one row for each identifier and entry.
create function svc_suppressions_of(p_organization text, p_kinds text[], p_values text[])
returns table (kind text, value text, entry jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
  pads bytea[];
begin
  if exists (select 1 from suppressions s where s.organization_id = p_organization) then
    return query
      select g.kind, g.value, svc_suppression_entry(e.found)
      from unnest(p_kinds, p_values) as g (kind, value)
      cross join lateral (
        select s as found from suppressions s
        where s.organization_id = p_organization and s.kind = g.kind and s.value = g.value limit 1
      ) e
      where g.kind <> 'lead';
    if exists (select 1 from suppressions s where s.organization_id = p_organization and s.kind = 'domain') then
      return query
        select g.kind, g.value, svc_suppression_entry(e.found)
        from unnest(p_kinds, p_values) as g (kind, value)
        cross join lateral svc_domains_above(
          case g.kind when 'email' then split_part(g.value, '@', 2) when 'domain' then g.value end) as d (domain)
        cross join lateral (
          select s as found from suppressions s
          where s.organization_id = p_organization and s.kind = 'domain' and s.value = d.domain limit 1
        ) e
        where g.kind = 'email' or (g.kind = 'domain' and d.domain <> g.value);
    end if;
    return query
      select g.kind, g.value, x.entry
      from unnest(p_kinds, p_values) as g (kind, value)
      cross join lateral jsonb_array_elements(svc_suppressions_of_lead(p_organization, g.value)) as x (entry)
      where g.kind = 'lead';
  end if;
  if exists (select 1 from tombstones t where t.organization_id = p_organization) then
    pads := svc_tombstone_pads(false);
    return query
      select g.kind, g.value, jsonb_build_object('kind', 'erased', 'reason', 'The person was erased.', 'until', null,
        'leadId', t.lead_id, 'createdAt', t.erased_at)
      from unnest(p_kinds, p_values) as g (kind, value)
      cross join lateral (
        select s.* from tombstones s
        where s.organization_id = p_organization
          and s.hash = svc_tombstone_hash(pads, p_organization, g.kind, g.value) limit 1
      ) t
      where g.kind <> 'lead' and g.kind <> 'domain';
  end if;
end $$;

create or replace function svc_lead_documents(p_organization text, p_ids text[]) returns setof jsonb
language plpgsql stable as $$
declare
  is_any_suppressed boolean := exists (select 1 from suppressions s where s.organization_id = p_organization);
begin
  return query
    select jsonb_build_object(
      'row', to_jsonb(l) - '{search_text,name_company,phone_digits}'::text[],
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
        ) u order by u.date desc, u.id collate "C" desc limit 100) x),
      'suppressions', case when is_any_suppressed then svc_suppressions_of_lead(p_organization, l.id) else '[]' end)
    from leads l
    where l.organization_id = p_organization and l.id = any (p_ids)
    order by l.id collate "C";
end $$;

create or replace function svc_resolve_leads(
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
      order by m.id = p_mission desc limit 1),
    'suppressions', (
      select coalesce(jsonb_agg(to_jsonb(s)), '[]') from svc_suppressions_of(p_organization, p_kinds, p_values) s));
end $$;

${leadErasureSql}`
}
