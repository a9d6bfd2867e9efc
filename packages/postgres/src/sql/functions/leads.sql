-- A domain and the domains above it, down to two labels.
create function svc_domains_above(p_domain text) returns setof text
language sql immutable
begin atomic
  select array_to_string(d.labels[n:], '.')
  from (select string_to_array(p_domain, '.') as labels) d, generate_series(1, cardinality(d.labels) - 1) as n;
end;

-- The entries and tombstones of identifiers and leads: one row for each pair, entries by kind and value. An entry names the id of a
-- lead, one of its identifiers, or the domain of an address. `p_hashes` holds the hash of each identifier, or null; null without
-- tombstones.
--
-- Planned once for each connection and always with indexes: otherwise small or once empty tables would be read whole.
create function svc_suppressions_of(p_organization text, p_kinds text[], p_values text[], p_hashes text[])
returns table (kind text, value text, entry jsonb)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if exists (select 1 from suppressions s where s.organization_id = p_organization) then
    return query
      with meant as materialized (
        select g.kind, g.value, coalesce(l.merged_into, g.value) as listed
        from unnest(p_kinds, p_values) as g (kind, value)
        left join lateral (
          select h.merged_into from leads h
          where g.kind = 'lead' and h.organization_id = p_organization and h.id = g.value limit 1) l on true
      ), named as materialized (
        select m.kind, m.value, m.kind as listed_kind, m.listed from meant m
        union
        select m.kind, m.value, i.kind, i.value
        from meant m
        cross join lateral (
          select * from lead_identities where organization_id = p_organization and lead_id = m.listed offset 0) i
        where m.kind = 'lead'
      ), domains as (
        select n.kind, n.value, 'domain', d.domain
        from named n
        cross join lateral svc_domains_above(
          case n.listed_kind when 'email' then split_part(n.listed, '@', 2) else n.listed end) as d (domain)
        where n.listed_kind in ('email', 'domain')
          and exists (select 1 from suppressions s where s.organization_id = p_organization and s.kind = 'domain')
      )
      select n.kind, n.value, jsonb_build_object('kind', e.kind, 'reason', e.reason, 'until', e.until, 'leadId', e.lead_id,
        'createdAt', e.created_at)
      from (select * from named union select * from domains) n
      cross join lateral (
        select * from suppressions s
        where s.organization_id = p_organization and s.kind = n.listed_kind and s.value = n.listed limit 1
      ) e
      order by e.kind collate "C", e.value collate "C";
  end if;
  if p_hashes is not null and exists (select 1 from tombstones t where t.organization_id = p_organization) then
    return query
      select g.kind, g.value, jsonb_build_object('kind', 'erased', 'reason', 'The person was erased.', 'until', null,
        'leadId', t.lead_id, 'createdAt', t.erased_at)
      from unnest(p_kinds, p_values, p_hashes) as g (kind, value, hash)
      cross join lateral (
        select s.* from tombstones s where s.organization_id = p_organization and s.hash = g.hash limit 1
      ) t;
  end if;
end $$;

-- Leads with their related records as JSON, in the order of their ids, with their messages if `p_has_messages`, and with the
-- context that lead.get shows if `p_has_context`. JSON is text here: nothing looks into it, and making `jsonb` of it would take as long as reading the records.
--
-- What all of them have in common is looked up once: the entries of the suppression list, which hardly concern anybody, and the
-- brief of each mission.
--
-- Planned once for each connection and always with indexes: the statement looks up a dozen records by their keys, and
-- planning it takes four times as long as running it. Drafts and messages to send are looked up by their lead before
-- (`offset 0`) their status is compared: while few are open, the plan would read those of everybody, and keep doing so.
create function svc_lead_documents(p_organization text, p_ids text[], p_has_messages boolean, p_has_context boolean)
returns table (id text, document json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  suppressions_of jsonb := (
    select jsonb_object_agg(x.id, x.entries)
    from (
      select s.id, jsonb_agg(s.entry order by s.place) as entries
      from svc_suppressions_of(p_organization, array_fill('lead'::text, array[cardinality(p_ids)]), p_ids, null)
        with ordinality as s (kind, id, entry, place)
      group by s.id) x);
  follow_ups jsonb := case when p_has_context then (
    select jsonb_object_agg(f.lead_id, f.facts) from svc_follow_up_facts(p_organization, p_ids) as f) end;
begin
  return query
    with briefs as materialized (
      select m.id, json_build_object('missionId', m.id, 'status', m.status,
        'offerName', o.name, 'offerOneLiner', o.one_liner, 'brief', m.content,
        'proof', coalesce(d."references", '[]'), 'valueProposition', d."valueProposition") as brief
      from (
        select distinct k.mission_id
        from unnest(p_ids) as g (id)
        cross join lateral (
          select * from lead_missions where organization_id = p_organization and lead_id = g.id offset 0) k
      ) w
      join missions m on m.organization_id = p_organization and m.id = w.mission_id
      left join offers o on o.organization_id = p_organization and o.id = m.offer_id
      left join lateral json_to_record(o.document) as d ("references" json, "valueProposition" text) on true
    )
    select l.id, json_build_object(
      'row', (
        select row_to_json(x) from (
          select l.organization_id, l.id, l.name, l.headline, l.job_title, l.company, l.email, l.linkedin_url, l.avatar_url,
            l.status, l.score, l.is_flagged, l.profile, l.merged_into, l.last_inbound_at, l.last_outbound_at,
            l.snoozed_until, l.away_until, l.draft_request, l.created_at, l.updated_at) x),
      'identities', (
        select coalesce(json_agg(json_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived)), '[]')
        from lead_identities i where i.organization_id = p_organization and i.lead_id = l.id),
      'missions', (
        select coalesce(json_agg(
          json_build_object('id', m.id, 'handle', m.handle, 'name', m.name, 'linkedAt', k.linked_at)
          order by k.linked_at, m.id collate "C"), '[]')
        from (select * from lead_missions where organization_id = p_organization and lead_id = l.id offset 0) k
        join missions m on m.organization_id = p_organization and m.id = k.mission_id),
      'messages', case when p_has_messages then (
        select coalesce(json_agg(row_to_json(x) order by x.date, x.id collate "C"), '[]')
        from (select * from (
          select e.id, e.direction, e.channel, e.content, e.sender_name as "senderName", e.date, false as "isPending"
          from lead_messages e where e.organization_id = p_organization and e.lead_id = l.id
          union all
          select q.id, 'outbound', 'LINKEDIN', q.details ->> 'bodyText', null, q.created_at, true
          from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
          where q.kind = 'message' and q.state in ('queued', 'waiting_relation')
        ) u order by u.date desc, u.id collate "C" desc limit 100) x) else '[]' end,
      'suppressions', coalesce(suppressions_of -> l.id, '[]'),
      'context', case when p_has_context then json_build_object(
        'followUps', follow_ups -> l.id,
        'briefs', (
          select coalesce(json_agg(b.brief order by k.linked_at, b.id collate "C"), '[]')
          from (select * from lead_missions where organization_id = p_organization and lead_id = l.id offset 0) k
          join briefs b on b.id = k.mission_id),
        'openDraft', (
          select json_build_object('draftId', f.id, 'status', f.status, 'agentHandle', coalesce(a.handle, ''),
            'missionId', f.mission_id, 'createdAt', f.created_at, 'rewriteRequested', f.rewrite is not null,
            'snoozedUntil', f.snoozed_until)
          from (select * from linkedin_drafts where organization_id = p_organization and lead_id = l.id offset 0) f
          left join agents a on a.organization_id = p_organization and a.id = f.agent_id
          where f.status in ('PENDING_REVIEW', 'READY_TO_SEND')
          order by f.created_at desc, f.id collate "C" desc limit 1),
        'hasAmbiguousSend', exists (
          select 1
          from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
          where q.kind = 'message' and q.state = 'ambiguous'),
        'relation', (
          select json_build_object('accountId', r.account_id, 'connected', r.connected,
            'hasConversation', r.chat_id is not null, 'invitedAt', r.invited_at, 'checkedAt', r.checked_at)
          from lead_relations r
          where r.organization_id = p_organization and r.lead_id = l.id
          order by r.checked_at desc, r.account_id collate "C" limit 1)) end)
    from leads l
    where l.organization_id = p_organization and l.id = any (p_ids)
    order by l.id collate "C";
end $$;

-- Resolves lead ids and identifiers: the live lead of each id that exists, and the ids of all leads found. Each identifier is
-- looked up by its key.
create function svc_leads_meant(p_organization text, p_kinds text[], p_values text[], p_lead_ids text[])
returns table (live jsonb, found_ids text[])
language plpgsql stable
set search_path from current
as $$
begin
  live := '{}';
  if p_lead_ids <> '{}' then
    live := (
      select coalesce(jsonb_object_agg(g.id, coalesce(l.merged_into, l.id)), '{}')
      from unnest(p_lead_ids) as g (id)
      cross join lateral (
        select h.id, h.merged_into from leads h where h.organization_id = p_organization and h.id = g.id limit 1) l);
  end if;
  found_ids := array(
    select x.value from jsonb_each_text(live) x
    union
    select i.lead_id
    from unnest(p_kinds, p_values) as g (kind, value)
    cross join lateral (
      select h.lead_id from lead_identities h
      where h.organization_id = p_organization and h.kind = g.kind and h.value = g.value limit 1) i);
  return next;
end $$;

-- Resolves identifiers and lead ids, and locks the leads until the transaction ends. Returns everything that writes need.
--
-- All transactions lock identifiers in the same order before the first lookup, so each lookup sees what was committed before.
-- `p_locks` is `wait`, `skip`, which waits for nobody (`busy` are the identifiers and leads that others hold), or `bulk`: there may
-- be thousands of identifiers, so none is locked, and no message is read.
create function svc_resolve_leads(
  p_organization text, p_kinds text[], p_values text[], p_lead_ids text[], p_missions text[], p_locks text
) returns json
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  identifier record;
  busy text[] := '{}';
  found_ids text[];
  held_ids text[] := '{}';
  live_ids jsonb;
  documents json;
  missions_asked json;
  has_erased boolean;
begin
  for identifier in
    select g.kind, g.value, hashtextextended(p_organization || E'\n' || g.kind || ':' || g.value, 17) as hash
    from unnest(p_kinds, p_values) as g (kind, value) where p_locks <> 'bulk' order by hash
  loop
    if p_locks = 'wait' then
      perform pg_advisory_xact_lock(identifier.hash);
    elsif not pg_try_advisory_xact_lock(identifier.hash) then
      busy := busy || (identifier.kind || ':' || identifier.value);
    end if;
  end loop;
  loop
    select m.live, m.found_ids into live_ids, found_ids
    from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_ids) as m;
    exit when found_ids = held_ids or found_ids <@ held_ids;
    if p_locks = 'skip' then
      -- What was merged meanwhile, or is locked, is busy.
      exit when held_ids <> '{}';
      held_ids := array(
        select l.id from leads l where l.organization_id = p_organization and l.id = any (found_ids)
        order by l.id collate "C" for no key update skip locked);
      exit when held_ids = '{}';
      continue;
    end if;
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
  if found_ids <> '{}' then
    documents := (
      select json_agg(d.document order by d.id collate "C")
      from svc_lead_documents(p_organization, case when p_locks = 'skip' then array(
        select f.id from unnest(found_ids) as f (id) where f.id = any (held_ids)) else found_ids end,
        p_locks <> 'bulk', false) as d);
  end if;
  if p_missions <> '{}' then
    missions_asked := (
      select json_object_agg(g.asked, m.found)
      from unnest(p_missions) as g (asked)
      cross join lateral (
        select json_build_object('id', h.id, 'handle', h.handle, 'name', h.name, 'status', h.status) as found
        from missions h
        where h.organization_id = p_organization and (h.id = g.asked or h.handle = g.asked)
        order by h.id = g.asked desc limit 1) m);
  end if;
  if p_locks = 'skip' and not found_ids <@ held_ids then
    busy := busy || array(
      select f.id from unnest(found_ids) as f (id) where f.id <> all (held_ids)
      union all
      select i.kind || ':' || i.value from unnest(found_ids) as f (id)
      join lead_identities i on i.organization_id = p_organization and i.lead_id = f.id
      where f.id <> all (held_ids));
  end if;
  has_erased := exists (select 1 from tombstones t where t.organization_id = p_organization);
  return json_build_object(
    'live', live_ids,
    'leads', coalesce(documents, '[]'),
    'missions', coalesce(missions_asked, '{}'),
    'suppressions', (
      select coalesce(json_agg(row_to_json(s)), '[]')
      from svc_suppressions_of(p_organization, p_kinds, p_values, null) s),
    'hasErased', has_erased,
    'busy', to_jsonb(busy));
end $$;

-- Writes leads with their identifiers, missions and suppressions: known leads, then what leaves them, then what is new. Fails when
-- another transaction has stored one of the identifiers.
--
-- Planned once for each connection and always with indexes: planning it takes longer than running it. Each statement runs only if
-- it has something to write: to start the parts of the last one was a tenth of an update.
create function svc_write_leads(p_organization text, p_change jsonb) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  touched record;
  -- Leads whose next action may be another one.
  acting_ids text[] := '{}';
  linked_ids text[];
  -- Leads that had labels.
  labelled_ids text[] := '{}';
begin
  if p_change -> 'rows' <> '[]' then
    -- One by one: joined with the list, all entries of a young tenant would be read, and the plan kept.
    for touched in
      select r.id, l.updated_at as old_at, r.updated_at as new_at,
        (l.status, l.score, l.last_inbound_at, l.last_outbound_at, l.snoozed_until, l.draft_request is null, l.merged_into,
          l.linkedin_url = '', l.email, l.away_until, l.headline || l.job_title || l.company = '') is distinct from (r.status,
          r.score, r.last_inbound_at, r.last_outbound_at, r.snoozed_until, r.draft_request is null, r.merged_into,
          r.linkedin_url = '', r.email, r.away_until, r.headline || r.job_title || r.company = '') as is_acting,
         l.profile ?| array['tags', 'ownFields'] as had_labels
      from jsonb_to_recordset(p_change -> 'rows') as r (
        id text, status text, score double precision, last_inbound_at timestamptz, last_outbound_at timestamptz,
        snoozed_until timestamptz, away_until timestamptz, draft_request jsonb, merged_into text, linkedin_url text, email text,
        headline text, job_title text, company text, updated_at timestamptz)
      cross join lateral (
        select * from leads h where h.organization_id = p_organization and h.id = r.id limit 1) l
    loop
      if touched.is_acting then
        acting_ids := acting_ids || touched.id;
      end if;
      if touched.had_labels then
        labelled_ids := labelled_ids || touched.id;
      end if;
      if touched.old_at <> touched.new_at then
        update lead_recency c set updated_at = touched.new_at
        where c.organization_id = p_organization and c.updated_at = touched.old_at and c.lead_id = touched.id;
      end if;
    end loop;
  end if;
  if (p_change -> 'rows') || (p_change -> 'created') <> '[]' then
    insert into leads as l (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
      is_flagged, search_text, profile, last_inbound_at, last_outbound_at, snoozed_until, away_until, draft_request, merged_into, created_at,
      updated_at)
    select p_organization, r.* from jsonb_to_recordset((p_change -> 'rows') || (p_change -> 'created')) as r (
      id text, name text, headline text, job_title text, company text, email text, linkedin_url text, avatar_url text, status text,
      score double precision, is_flagged boolean, search_text text, profile jsonb, last_inbound_at timestamptz,
      last_outbound_at timestamptz, snoozed_until timestamptz, away_until timestamptz, draft_request jsonb, merged_into text,
      created_at timestamptz,
      updated_at timestamptz)
    on conflict (organization_id, id) do update set name = excluded.name, headline = excluded.headline,
      job_title = excluded.job_title, company = excluded.company, email = excluded.email, linkedin_url = excluded.linkedin_url,
      avatar_url = excluded.avatar_url, status = excluded.status, score = excluded.score, is_flagged = excluded.is_flagged,
      search_text = excluded.search_text, profile = excluded.profile, last_inbound_at = excluded.last_inbound_at,
      last_outbound_at = excluded.last_outbound_at, snoozed_until = excluded.snoozed_until, away_until = excluded.away_until,
      draft_request = excluded.draft_request,
      merged_into = excluded.merged_into, updated_at = excluded.updated_at
      where l.organization_id = excluded.organization_id;
  end if;
  if labelled_ids <> '{}' or p_change -> 'labels' <> '[]' then
    with wanted as materialized (
      select * from jsonb_to_recordset(p_change -> 'labels') as r (
        lead_id text, name text, value text, updated_at timestamptz, place double precision, lead_name text)
    ), removed as (
      delete from lead_labels k
      where k.organization_id = p_organization and k.lead_id = any (labelled_ids)
        and (k.lead_id, k.name, k.value) not in (select w.lead_id, w.name, w.value from wanted w)
    )
    insert into lead_labels as k (organization_id, lead_id, name, value, updated_at, place, lead_name, rank)
    select p_organization, w.*, (
      select a.rank from lead_actions a where a.organization_id = p_organization and a.lead_id = w.lead_id)
    from wanted w order by w.lead_id collate "C", w.name collate "C", w.value collate "C"
    on conflict (organization_id, lead_id, name, value) do update set updated_at = excluded.updated_at, place = excluded.place,
      lead_name = excluded.lead_name
      where k.organization_id = excluded.organization_id and (k.updated_at, k.place, k.lead_name)
        is distinct from (excluded.updated_at, excluded.place, excluded.lead_name);
  end if;
  if p_change -> 'released' <> '[]' then
    delete from lead_identities i
    using jsonb_to_recordset(p_change -> 'released') as r (kind text, value text, lead_id text)
    where i.organization_id = p_organization and i.kind = r.kind and i.value = r.value and i.lead_id = r.lead_id;
  end if;
  if (p_change -> 'created') || (p_change -> 'held') || (p_change -> 'links') || (p_change -> 'suppressed') <> '[]' then
    with recent as (
      insert into lead_recency (organization_id, updated_at, lead_id)
      select p_organization, r.updated_at, r.id
      from jsonb_to_recordset(p_change -> 'created') as r (updated_at timestamptz, id text) order by r.id collate "C"
    ), taken as (
      insert into lead_identities (organization_id, kind, value, lead_id, derived)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'held') as r (
        kind text, value text, lead_id text, derived boolean)
    ), linked as (
      insert into lead_missions (organization_id, mission_id, lead_id, linked_at)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'links') as r (
        mission_id text, lead_id text, linked_at timestamptz)
      on conflict (organization_id, mission_id, lead_id) do nothing
      returning lead_id
    ), touched as (
      update missions m set last_used_at = u.linked_at
      from (
        select k.id, g.linked_at
        from (
          select r.mission_id, max(r.linked_at) as linked_at
          from jsonb_to_recordset(p_change -> 'links') as r (mission_id text, linked_at timestamptz, touch boolean)
          where r.touch group by r.mission_id
        ) g
        cross join lateral (
          select h.id from missions h
          where h.organization_id = p_organization and h.id = g.mission_id
            and coalesce(h.last_used_at, '-infinity') < g.linked_at - interval '1 minute'
          for no key update skip locked
        ) k
      ) u
      where m.organization_id = p_organization and m.id = u.id
    ), suppressed as (
      insert into suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
      select p_organization, r.* from jsonb_to_recordset(p_change -> 'suppressed') as r (
        kind text, value text, lead_id text, reason text, until timestamptz, created_at timestamptz)
      on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until,
        lead_id = coalesce(excluded.lead_id, s.lead_id)
        -- A status says nothing about the reason of an entry that is there.
        where s.organization_id = excluded.organization_id and ((s.until is not null
          and (excluded.until is null or excluded.until > s.until)) or (s.until is not distinct from excluded.until
          and s.reason <> excluded.reason and excluded.reason <> 'status DoNotContact'))
    )
    select array_agg(k.lead_id) into linked_ids from linked k;
    if linked_ids is not null then
      perform svc_keep_activity(p_organization, linked_ids);
    end if;
  end if;
  acting_ids := array(
    select unnest(acting_ids || linked_ids)
    union select r.id from jsonb_to_recordset(p_change -> 'created') as r (id text)
    union select r.lead_id
    from jsonb_to_recordset((p_change -> 'held') || (p_change -> 'released') || (p_change -> 'suppressed')) as r (lead_id text)
    where r.lead_id is not null);
  if acting_ids <> '{}' then
    perform svc_keep_actions(p_organization, acting_ids);
  end if;
end $$;

-- As `svc_resolve_leads` but read-only, with the context that lead.get shows, for the references of many reads.
create function svc_find_leads(p_organization text, p_kinds text[], p_values text[], p_lead_ids text[]) returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  found_ids text[];
  live_ids jsonb;
begin
  select m.live, m.found_ids into live_ids, found_ids
  from svc_leads_meant(p_organization, p_kinds, p_values, p_lead_ids) as m;
  return json_build_object('live', live_ids, 'leads', case when found_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(d.document order by d.id collate "C"), '[]')
    from svc_lead_documents(p_organization, found_ids, true, true) as d) end);
end $$;

-- The ids of a lead and of those merged into it; empty when it does not exist.
create function svc_lead_ids(p_organization text, p_lead_id text) returns text[]
language plpgsql stable
set search_path from current
as $$
begin
  return array(
    select l.id
    from (
      select coalesce(m.merged_into, m.id) as id from leads m where m.organization_id = p_organization and m.id = p_lead_id) v
    join leads l on l.organization_id = p_organization and (l.id = v.id or l.merged_into = v.id)
    order by l.id <> v.id, l.id collate "C");
end $$;

-- Everything that is stored about leads, table by table.
create function svc_lead_records(p_organization text, p_ids text[]) returns jsonb
language plpgsql stable
set search_path from current
as $$
begin
  return jsonb_build_object(
    'identifiers', (
      select coalesce(jsonb_agg(to_jsonb(i) - 'organization_id' order by i.kind collate "C", i.value collate "C"), '[]')
      from lead_identities i where i.organization_id = p_organization and i.lead_id = any (p_ids)),
    'missions', (
      select coalesce(jsonb_agg(jsonb_build_object('lead_id', k.lead_id, 'mission_id', k.mission_id, 'name', m.name,
        'linked_at', k.linked_at) order by k.linked_at, k.mission_id collate "C"), '[]')
      from lead_missions k join missions m on m.organization_id = p_organization and m.id = k.mission_id
      where k.organization_id = p_organization and k.lead_id = any (p_ids)),
    'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('message_id', m.id) || to_jsonb(m) - '{organization_id,id}'::text[]
        order by m.date, m.id collate "C"), '[]')
      from lead_messages m where m.organization_id = p_organization and m.lead_id = any (p_ids)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object('note_id', n.id) || to_jsonb(n) - '{organization_id,id}'::text[]
        order by n.created_at, n.id collate "C"), '[]')
      from lead_notes n where n.organization_id = p_organization and n.lead_id = any (p_ids)),
    'drafts', (
      select coalesce(jsonb_agg(jsonb_build_object('draft_id', d.id, 'lead_id', d.lead_id, 'agent_id', d.agent_id,
        'mission_id', d.mission_id, 'status', d.status, 'variations', d.variations,
        'selected_body_text', d.selected_body_text, 'flag_note', d.flag_note, 'rejection', d.rejection ->> 'text',
        'rewrite', d.rewrite ->> 'text', 'provenance', d.steps, 'evidence', d.evidence,
        'approved_at', d.approved_at, 'cancelled_at', d.cancelled_at,
        'dispatched_at', d.dispatched_at, 'created_at', d.created_at, 'updated_at', d.updated_at)
        order by d.created_at, d.id collate "C"), '[]')
      from linkedin_drafts d where d.organization_id = p_organization and d.lead_id = any (p_ids)),
    'queue', (
      select coalesce(jsonb_agg(jsonb_build_object('queue_id', q.id, 'draft_id', q.draft_id, 'lead_id', q.lead_id,
        'account_id', q.account_id, 'state', q.state, 'reason', q.reason, 'body_text', q.details -> 'bodyText',
        'invitation_note', q.details -> 'invitationNote', 'invited_at', q.details -> 'invitedAt',
        'created_at', q.created_at, 'updated_at', q.updated_at) order by q.created_at, q.id collate "C"), '[]')
      from transmissions q
      where q.organization_id = p_organization and q.lead_id = any (p_ids) and q.kind = 'message'),
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object('invitation_id', v.id, 'lead_id', v.lead_id,
        'account_id', v.account_id, 'agent_id', v.agent_id, 'draft_id', v.draft_id, 'state', v.state,
        'reason', v.reason, 'note', v.details -> 'note', 'sent_at', v.details -> 'sentAt',
        'ended_at', v.details -> 'endedAt', 'created_at', v.created_at, 'updated_at', v.updated_at)
        order by v.created_at, v.id collate "C"), '[]')
      from transmissions v
      where v.organization_id = p_organization and v.lead_id = any (p_ids) and v.kind = 'invitation'),
    'emails', (
      select coalesce(jsonb_agg(jsonb_build_object('email_id', m.id, 'lead_id', m.lead_id, 'agent_id', m.agent_id,
        'mission_id', m.mission_id, 'state', m.state, 'from', m.details -> 'fromAddress', 'to', m.details -> 'toAddress',
        'subject', m.details -> 'subject', 'body_text', m.details -> 'bodyText', 'body_html', m.details -> 'bodyHtml', 'reason', m.reason,
        'provenance', coalesce(m.details -> 'steps', '[]'), 'sent_at', m.details -> 'sentAt', 'created_at', m.created_at, 'updated_at', m.updated_at)
        order by m.created_at, m.id collate "C"), '[]')
      from transmissions m
      where m.organization_id = p_organization and m.lead_id = any (p_ids) and m.kind = 'email'),
    'transmissions', (
      select coalesce(jsonb_agg(
        jsonb_build_object('queue_id', a.queue_item_id) || to_jsonb(a) - '{organization_id,queue_item_id}'::text[]
        order by a.started_at, a.queue_item_id collate "C", a.number), '[]')
      from transmissions o
      join linkedin_attempts a on a.organization_id = p_organization and a.queue_item_id = o.id
      where o.organization_id = p_organization and o.lead_id = any (p_ids)),
    'relations', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'organization_id'
        order by r.account_id collate "C", r.lead_id collate "C"), '[]')
      from lead_relations r where r.organization_id = p_organization and r.lead_id = any (p_ids)),
    'imports', (
      select coalesce(jsonb_agg(jsonb_build_object('import_id', r.import_id, 'lead_id', r.lead_id, 'type', i.type,
        'name', i.name, 'position', r.position, 'outcome', r.outcome, 'created_at', i.created_at, 'cells', r.source)
        order by r.import_id collate "C", r.position), '[]')
      from import_rows r join imports i on i.organization_id = p_organization and i.id = r.import_id
      where r.organization_id = p_organization and r.lead_id = any (p_ids)),
    'suppressions', (
      select coalesce(jsonb_agg(to_jsonb(s) - '{organization_id,lead_id}'::text[]
        order by s.kind collate "C", s.value collate "C"), '[]')
      from (
        select x.kind, x.value from suppressions x where x.organization_id = p_organization and x.lead_id = any (p_ids)
        union
        select i.kind, i.value from lead_identities i where i.organization_id = p_organization and i.lead_id = any (p_ids)
      ) k
      cross join lateral (
        select x.* from suppressions x
        where x.organization_id = p_organization and x.kind = k.kind and x.value = k.value limit 1
      ) s),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('event_id', e.id, 'type', e.type, 'subject_type', e.subject_type,
        'subject_id', e.subject_id, 'actor_kind', e.actor_kind, 'actor_id', e.actor_id, 'data', e.data,
        'created_at', e.created_at) order by e.created_at, e.id collate "C"), '[]')
      from (
        select x.* from events x
        where x.organization_id = p_organization and x.subject_type = 'lead' and x.subject_id = any (p_ids)
        union all
        select x.* from events x
        where x.organization_id = p_organization and x.data ->> 'lead_id' is not null
          and x.data ->> 'lead_id' = any (p_ids) and not (x.subject_type = 'lead' and x.subject_id = any (p_ids))
      ) e));
end $$;

-- The data of an event with only the keys that name no person.
create function svc_kept_data(p_data jsonb, p_kept text[]) returns jsonb
language sql immutable
begin atomic
  select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(p_data) d where d.key = any (p_kept);
end;

-- Escapes a text for a regular expression.
create function svc_literal(p_text text) returns text
language sql immutable
begin atomic
  select regexp_replace(p_text, '([!-/:-@\[-`{-~])', '\\\1', 'g');
end;

-- Whether a document may name a person: it contains a spelling of an identifier, or equals a custom id. The caller checks
-- such documents in detail.
create function svc_may_name(p_document jsonb, p_spelling text, p_custom_ids text[]) returns boolean
language sql immutable
begin atomic
  select lower(p_document::text) ~ p_spelling or (cardinality(p_custom_ids) > 0 and exists (
    select 1 from jsonb_path_query(p_document, 'strict $.** ? (@.type() == "string" || @.type() == "number")') as t (value)
    where btrim(t.value #>> '{}', e' \t\r\n') = any (p_custom_ids)));
end;

-- The identifiers of a person, and the documents that may name the person, which the caller checks in detail; of requests with a
-- file only the ids, as files can be large and encoded.
create function svc_documents_naming(p_organization text, p_ids text[], p_file_command text) returns jsonb
language plpgsql stable
set search_path from current
as $$
declare
  identifiers jsonb;
  spelling text;
  custom_ids text[];
  requests jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'value', k.value)), '[]'),
    coalesce(array_agg(k.value) filter (where k.kind = 'custom_id'), '{}')
  into identifiers, custom_ids
  from (
    select i.kind, i.value from lead_identities i where i.organization_id = p_organization and i.lead_id = any (p_ids)
    union
    select s.kind, s.value from suppressions s
    where s.organization_id = p_organization and s.lead_id = any (p_ids) and s.kind not in ('lead', 'domain')
  ) k;
  select string_agg(case g.kind
      when 'email' then svc_literal(split_part(g.value, '@', 1)) || '@'
      when 'slug' then 'in/' || svc_literal(substring(g.value from '^[!-~]*'))
      when 'member_id' then '(?<![0-9])0*' || g.value || '(?![0-9])'
      else svc_literal(lower(g.value)) end, '|') into spelling
  from (
    select k.kind, k.value from jsonb_to_recordset(identifiers) as k (kind text, value text) where k.kind <> 'custom_id'
    union all
    select 'lead', unnest(p_ids)
  ) g;
  select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at, a.approval_request_id collate "C"), '[]') into requests
  from (
    select r.id as approval_request_id, r.command_id, r.state, r.input, r.reason, r.problem, r.created_at
    from approval_requests r
    where r.organization_id = p_organization and (r.command_id <> p_file_command or r.input is null)
      and svc_may_name(jsonb_build_array(r.input, r.reason, r.problem), spelling, custom_ids)
  ) a;
  return jsonb_build_object(
    'identifiers', identifiers,
    'requests', requests,
    'files', (
      select coalesce(jsonb_agg(a.id order by a.id collate "C"), '[]') from approval_requests a
      where a.organization_id = p_organization and a.command_id = p_file_command and a.input is not null),
    'responses', (
      select coalesce(jsonb_agg(jsonb_build_object('route', k.route, 'key', k.key, 'response', k.envelope,
        'created_at', k.created_at) order by k.created_at, k.route collate "C", k.key collate "C"), '[]')
      from idempotency_keys k
      where k.organization_id = p_organization and k.envelope is not null
        and (svc_may_name(jsonb_build_array(k.key, k.envelope), spelling, custom_ids)
          or k.envelope #> '{data,approval,approval_request_id}' is not null)),
    'rows', (
      select coalesce(jsonb_agg(jsonb_build_object('import_id', r.import_id, 'lead_id', null, 'type', i.type, 'name', i.name,
        'position', r.position, 'outcome', r.outcome, 'created_at', i.created_at, 'cells', r.source,
        'columns', i.file -> 'columns') order by r.import_id collate "C", r.position), '[]')
      from import_rows r join imports i on i.organization_id = p_organization and i.id = r.import_id
      where r.organization_id = p_organization and r.source is not null
        and not coalesce(r.lead_id = any (p_ids), false) and svc_may_name(r.source, spelling, custom_ids)));
end $$;

-- Erases a person. Returns the ids of the leads, and what `svc_documents_naming` found: the caller stores hashes of the identifiers
-- in the same transaction, and removes the documents that do name the person. Null when the lead does not exist. Erases nothing
-- while something is being sent to the person.
create function svc_erase_lead(p_organization text, p_lead_id text, p_kept text[], p_file_command text) returns jsonb
language plpgsql volatile
set search_path from current
as $$
declare
  ids text[];
  named jsonb;
  sent_ids text[];
  event_ids text[];
begin
  ids := svc_lead_ids(p_organization, p_lead_id);
  if cardinality(ids) is null or ids = '{}' then
    return null;
  end if;
  perform 1 from leads l where l.organization_id = p_organization and l.id = any (ids) order by l.id collate "C" for update;
  -- Merged while they were waited for: the transaction starts again.
  if ids <> svc_lead_ids(p_organization, p_lead_id) then
    raise exception 'leads were merged meanwhile' using errcode = '40001';
  end if;
  if exists (
    select 1 from transmissions q where q.organization_id = p_organization and q.lead_id = any (ids) and q.state = 'sending')
  then
    return jsonb_build_object('inFlight', true);
  end if;

  named := svc_documents_naming(p_organization, ids, p_file_command);
  delete from suppressions s
  where s.organization_id = p_organization and (s.lead_id = any (ids) or exists (
    select 1 from jsonb_to_recordset(named -> 'identifiers') as g (kind text, value text)
    where g.kind = s.kind and g.value = s.value));
  with cleared as (
    update events e set data = svc_kept_data(e.data, p_kept)
    where e.organization_id = p_organization
      and ((e.subject_type = 'lead' and e.subject_id = any (ids))
        or (e.data ->> 'lead_id' is not null and e.data ->> 'lead_id' = any (ids)))
    returning e.id
  )
  select array_agg(c.id) into event_ids from cleared c;
  update webhook_deliveries d
  set payload = jsonb_set(d.payload, '{data}', svc_kept_data(coalesce(d.payload -> 'data', '{}'), p_kept)), last_error = '',
    -- What a receiver answers to a request that is under way is not recorded.
    fence = d.fence + 1
  where d.organization_id = p_organization and d.event_id = any (event_ids);

  sent_ids := array(
    select q.id from transmissions q where q.organization_id = p_organization and q.lead_id = any (ids));
  update linkedin_attempts a set detail = null
  where a.organization_id = p_organization and a.queue_item_id = any (sent_ids);
  update linkedin_drafts d set queue_item_id = null where d.organization_id = p_organization and d.lead_id = any (ids);
  delete from transmissions q where q.organization_id = p_organization and q.id = any (sent_ids);
  delete from linkedin_drafts d where d.organization_id = p_organization and d.lead_id = any (ids);
  -- Requests to review an e-mail have no event to be cleared with.
  delete from webhook_deliveries d
  where d.organization_id = p_organization and d.event_type = 'email.review.requested' and d.sequence is null
    and d.payload #>> '{data,review_id}' = any (sent_ids);
  delete from lead_relations r where r.organization_id = p_organization and r.lead_id = any (ids);
  delete from lead_messages m where m.organization_id = p_organization and m.lead_id = any (ids);
  delete from lead_notes n where n.organization_id = p_organization and n.lead_id = any (ids);
  update unsubscribe_tokens t set lead_id = null where t.organization_id = p_organization and t.lead_id = any (ids);
  delete from lead_missions k where k.organization_id = p_organization and k.lead_id = any (ids);
  delete from lead_identities i where i.organization_id = p_organization and i.lead_id = any (ids);
  update import_rows r set lead_id = null, source = null
  where r.organization_id = p_organization and r.lead_id = any (ids);
  delete from lead_recency c
  where c.organization_id = p_organization and c.lead_id = any (ids) and c.updated_at = any (array(
    select l.updated_at from leads l where l.organization_id = p_organization and l.id = any (ids)));
  delete from lead_labels k where k.organization_id = p_organization and k.lead_id = any (ids);
  delete from lead_actions a where a.organization_id = p_organization and a.lead_id = any (ids);
  delete from leads l where l.organization_id = p_organization and l.id = any (ids);
  perform svc_keep_leads(p_organization, ids);
  return jsonb_build_object('leadIds', to_jsonb(ids)) || named;
end $$;

-- Stores the next actions of leads again, which the caller has locked, as NextAction.ts says: the rank of each one's action, and from when on it has it. Time
-- alone changes an action in four ways: a draft or a reply is snoozed until an instant, a follow-up becomes due, a conversation is
-- stale after a week, and a suppression ends. The last of those instants is the one from which the lead has the action.
create function svc_keep_actions(p_organization text, p_lead_ids text[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  follow_ups jsonb := coalesce((
    select jsonb_object_agg(f.lead_id, svc_next_follow_up(f.facts))
    from svc_follow_up_facts(p_organization, p_lead_ids) as f), '{}');
  soonest timestamptz;
begin
  with wanted as materialized (
    select l.id, - l.score as place, r.rank, case when r.rank = 5 then follow_ups -> l.id end as follow_up,
      case r.rank when 1 then l.snoozed_until when 4 then d.snoozed_until
        when 5 then (follow_ups -> l.id ->> 'dueAt')::timestamptz when 9 then l.last_outbound_at + interval '168 hours' end
        as from_at
    from (select distinct unnest(p_lead_ids)) as g (id)
    cross join lateral (select * from leads where organization_id = p_organization and id = g.id offset 0) l
    left join lateral (
      select o.status, o.rewrite, o.snoozed_until
      from (select * from linkedin_drafts where organization_id = p_organization and lead_id = l.id offset 0) o
      where o.status in ('PENDING_REVIEW', 'READY_TO_SEND') order by o.created_at desc, o.id collate "C" desc limit 1) d on true
    -- One expression: each look-up happens only where those before it say nothing.
    cross join lateral (select case
      when l.status = 'DoNotContact' then null
      when l.draft_request is not null then 0
      when l.status <> 'NotInterested' and l.turn = 1 then 1
      when exists (
        select 1
        from (select * from transmissions where organization_id = p_organization and lead_id = l.id offset 0) q
        where q.kind = 'message' and q.state = 'ambiguous') then 2
      else (
        select case
          when not o.is_open then null
          when d.status <> 'PENDING_REVIEW' then null
          when d.rewrite is not null then 3
          when d.status is not null then 4
          when follow_ups -> l.id <> 'null' then 5
          when l.status in ('New', 'Waiting', 'Contacted') and (
            select r.connected and r.invited_at is not null
              and (l.last_outbound_at is null or l.last_outbound_at < r.invited_at)
            from lead_relations r where r.organization_id = p_organization and r.lead_id = l.id
            order by r.checked_at desc, r.account_id collate "C" limit 1) then 6
          when o.is_open is null then null
          when l.status = 'New' then case
            when l.linkedin_url = '' and (l.email = '' or (l.headline = '' and l.job_title = '' and l.company = '')) then 8
            else 7 end
          when l.status in ('Contacted', 'Replied', 'Interested')
            and l.last_outbound_at >= coalesce(l.last_inbound_at, '-infinity') then 9 end
        -- Null without missions.
        from (
          select bool_or(m.status not in ('COMPLETED', 'ARCHIVED')) as is_open
          from (select * from lead_missions where organization_id = p_organization and lead_id = l.id offset 0) k
          cross join lateral (
            select status from missions where organization_id = p_organization and id = k.mission_id limit 1) m
        ) o)
      end as rank offset 0) r
    where l.merged_into is null and r.rank is not null
  ), listed as materialized (
    -- Of each lead that an entry of the suppression list names, the end of the last one; infinity when it never ends.
    select k.lead_id, max(coalesce(s.until, 'infinity')) as until
    from (
      select w.id, 'lead', w.id from wanted w
      union all
      select i.lead_id, i.kind, i.value from wanted w
      cross join lateral (
        select * from lead_identities where organization_id = p_organization and lead_id = w.id offset 0) i
      union all
      select i.lead_id, 'domain', d.domain from wanted w
      cross join lateral (
        select * from lead_identities where organization_id = p_organization and lead_id = w.id offset 0) i
      cross join lateral svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
      where i.kind = 'email'
        and exists (select 1 from suppressions s where s.organization_id = p_organization and s.kind = 'domain')
    ) k (lead_id, kind, value)
    cross join lateral (
      select s.until from suppressions s
      where s.organization_id = p_organization and s.kind = k.kind and s.value = k.value limit 1) s
    where exists (select 1 from suppressions s where s.organization_id = p_organization)
    group by k.lead_id
  ), found as materialized (
    select w.id, w.rank, w.place, greatest(w.from_at, s.until, '-infinity') as from_at, w.follow_up
    from wanted w left join listed s on s.lead_id = w.id
    where s.until is distinct from 'infinity'
  ), idle as (
    update lead_actions a set rank = null
    where a.organization_id = p_organization and a.lead_id = any (p_lead_ids) and a.rank is not null
      and a.lead_id not in (select f.id from found f)
      -- Nothing is looked for unless a lead has one too many.
      and exists (
        select 1 from unnest(p_lead_ids) as g (id) cross join lateral (
          select * from lead_actions where organization_id = p_organization and lead_id = g.id offset 0) k
        where k.rank is not null and k.lead_id not in (select f.id from found f))
  ), stored as (
    insert into lead_actions as a (organization_id, lead_id, rank, place, from_at, follow_up)
    select p_organization, f.id, f.rank, f.place, f.from_at, f.follow_up from found f order by f.id collate "C"
    on conflict (organization_id, lead_id) do update
      set rank = excluded.rank, place = excluded.place, from_at = excluded.from_at, follow_up = excluded.follow_up
      where a.organization_id = excluded.organization_id and (a.rank, a.place, a.from_at, a.follow_up)
        is distinct from (excluded.rank, excluded.place, excluded.from_at, excluded.follow_up)
    returning rank, from_at, follow_up, announced
  )
  select min(s.from_at) into soonest from stored s where s.rank = 5 and s.follow_up is distinct from s.announced;
  update lead_labels k set rank = a.rank
  from unnest(p_lead_ids) as g (id)
  cross join lateral (select * from lead_actions where organization_id = p_organization and lead_id = g.id offset 0) a
  where k.organization_id = p_organization and k.lead_id = g.id collate "C" and k.rank is distinct from a.rank;
  if soonest is null then
    return;
  end if;
  -- Usually others are due sooner: then writers wait for none, and only keep the worker from noting another time meanwhile.
  perform 1 from due_work where organization_id = p_organization and kind = 'follow_ups' and due_at <= soonest for share;
  if not found then
    insert into due_work as w (organization_id, kind, due_at) values (p_organization, 'follow_ups', soonest)
    on conflict (organization_id, kind) do update set due_at = least(w.due_at, excluded.due_at)
      where w.organization_id = excluded.organization_id;
  end if;
end $$;
