/** The second half of migration 8: reading and removing everything that is held on a person. */

/** SQL that follows the tables of `0008_lead_privacy.ts`. */
export const leadErasureSql = `-- What was transmitted counts for the limits of an account after the person is gone.
alter table linkedin_attempts drop constraint linkedin_attempts_organization_id_queue_item_id_fkey;

-- A lead and those that were merged into it; none when there is no such lead.
create function svc_lead_ids(p_organization text, p_lead_id text) returns text[]
language sql stable as $$
  select array(
    select l.id from leads l
    where l.organization_id = p_organization and (l.id = v.id or l.merged_into = v.id)
    order by l.id <> v.id, l.id collate "C")
  from (select coalesce(m.merged_into, m.id) as id from leads m where m.organization_id = p_organization and m.id = p_lead_id) v
$$;

-- Everything that is held on leads, table by table.
create function svc_lead_records(p_organization text, p_ids text[]) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'identifiers', (
      select coalesce(jsonb_agg(jsonb_build_object('lead_id', i.lead_id, 'kind', i.kind, 'value', i.value,
        'derived', i.derived) order by i.kind collate "C", i.value collate "C"), '[]')
      from lead_identities i where i.organization_id = p_organization and i.lead_id = any (p_ids)),
    'missions', (
      select coalesce(jsonb_agg(jsonb_build_object('lead_id', k.lead_id, 'mission_id', k.mission_id, 'name', m.name,
        'linked_at', k.linked_at) order by k.linked_at, k.mission_id collate "C"), '[]')
      from lead_missions k join missions m on m.organization_id = p_organization and m.id = k.mission_id
      where k.organization_id = p_organization and k.lead_id = any (p_ids)),
    'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('message_id', m.id, 'lead_id', m.lead_id, 'direction', m.direction,
        'channel', m.channel, 'content', m.content, 'sender_name', m.sender_name, 'external_id', m.external_id,
        'date', m.date) order by m.date, m.id collate "C"), '[]')
      from lead_messages m where m.organization_id = p_organization and m.lead_id = any (p_ids)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object('note_id', n.id, 'lead_id', n.lead_id, 'text', n.text,
        'user_id', n.user_id, 'actor_kind', n.actor_kind, 'created_at', n.created_at)
        order by n.created_at, n.id collate "C"), '[]')
      from lead_notes n where n.organization_id = p_organization and n.lead_id = any (p_ids)),
    'drafts', (
      select coalesce(jsonb_agg(jsonb_build_object('draft_id', d.id, 'lead_id', d.lead_id, 'agent_id', d.agent_id,
        'mission_id', d.mission_id, 'status', d.status, 'variations', d.variations,
        'selected_body_text', d.selected_body_text, 'approved_at', d.approved_at, 'cancelled_at', d.cancelled_at,
        'dispatched_at', d.dispatched_at, 'created_at', d.created_at, 'updated_at', d.updated_at)
        order by d.created_at, d.id collate "C"), '[]')
      from linkedin_drafts d where d.organization_id = p_organization and d.lead_id = any (p_ids)),
    'queue', (
      select coalesce(jsonb_agg(jsonb_build_object('queue_id', q.id, 'draft_id', q.draft_id, 'lead_id', q.lead_id,
        'account_id', q.account_id, 'state', q.state, 'reason', q.reason, 'body_text', q.body_text,
        'invitation_note', q.invitation_note, 'invited_at', q.invited_at, 'created_at', q.created_at,
        'updated_at', q.updated_at) order by q.created_at, q.id collate "C"), '[]')
      from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (p_ids)),
    'transmissions', (
      select coalesce(jsonb_agg(jsonb_build_object('queue_id', a.queue_item_id, 'number', a.number,
        'account_id', a.account_id, 'action', a.action, 'outcome', a.outcome, 'detail', a.detail,
        'started_at', a.started_at, 'ended_at', a.ended_at)
        order by a.started_at, a.queue_item_id collate "C", a.number), '[]')
      from linkedin_queue q
      join linkedin_attempts a on a.organization_id = p_organization and a.queue_item_id = q.id
      where q.organization_id = p_organization and q.lead_id = any (p_ids)),
    'relations', (
      select coalesce(jsonb_agg(jsonb_build_object('account_id', r.account_id, 'lead_id', r.lead_id,
        'connected', r.connected, 'chat_id', r.chat_id, 'invited_at', r.invited_at, 'checked_at', r.checked_at)
        order by r.account_id collate "C", r.lead_id collate "C"), '[]')
      from lead_relations r where r.organization_id = p_organization and r.lead_id = any (p_ids)),
    'imports', (
      select coalesce(jsonb_agg(jsonb_build_object('import_id', r.import_id, 'lead_id', r.lead_id, 'type', i.type,
        'name', i.name, 'position', r.position, 'outcome', r.outcome, 'created_at', i.created_at)
        order by r.import_id collate "C", r.position), '[]')
      from import_rows r join imports i on i.organization_id = p_organization and i.id = r.import_id
      where r.organization_id = p_organization and r.lead_id = any (p_ids)),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', s.kind, 'value', s.value, 'reason', s.reason,
        'until', s.until, 'created_at', s.created_at) order by s.kind collate "C", s.value collate "C"), '[]')
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

-- Data of an event with nothing left but the keys that name nobody.
create function svc_kept_data(p_data jsonb, p_kept text[]) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(p_data) d where d.key = any (p_kept)
$$;

-- Removes people from the rows of imports. Needles are texts that name them, lower-case, escaped as in JSON.
create function svc_erase_imports(p_organization text, p_lead_ids text[], p_needles text[]) returns void
language sql volatile as $$
  update import_rows set lead_id = null where organization_id = p_organization and lead_id = any (p_lead_ids)
$$;

-- Removes a person; null when there is no such lead. Tables of later migrations are named here too.
create function svc_erase_lead(p_organization text, p_lead_id text, p_at timestamptz, p_kept text[]) returns jsonb
language plpgsql volatile as $$
declare
  live_id text;
  ids text[];
  pads bytea[];
  kinds text[];
  identifiers text[];
  needles text[];
  queue_ids text[];
  event_ids text[];
begin
  select coalesce(l.merged_into, l.id) into live_id
  from leads l where l.organization_id = p_organization and l.id = p_lead_id;
  if live_id is null then
    return null;
  end if;
  perform 1 from leads l where l.organization_id = p_organization and (l.id = live_id or l.merged_into = live_id)
    order by l.id collate "C" for update;
  ids := array(
    select l.id from leads l where l.organization_id = p_organization and (l.id = live_id or l.merged_into = live_id)
    order by l.id <> live_id, l.id collate "C");
  queue_ids := array(
    select q.id from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (ids));
  if exists (
    select 1 from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (ids) and q.state = 'sending')
  then
    return jsonb_build_object('inFlight', true);
  end if;

  select coalesce(array_agg(k.kind), '{}'), coalesce(array_agg(k.value), '{}') into kinds, identifiers
  from (
    select i.kind, i.value from lead_identities i where i.organization_id = p_organization and i.lead_id = any (ids)
    union
    select s.kind, s.value from suppressions s
    where s.organization_id = p_organization and s.lead_id = any (ids) and s.kind not in ('lead', 'domain')
  ) k;
  pads := svc_tombstone_pads(true);
  insert into tombstones as t (organization_id, hash, kind, lead_id, erased_at)
  select p_organization, svc_tombstone_hash(pads, p_organization, g.kind, g.value), g.kind, live_id, p_at
  from unnest(kinds, identifiers) as g (kind, value)
  on conflict (organization_id, hash) do update set lead_id = excluded.lead_id, erased_at = excluded.erased_at
    where t.organization_id = p_organization;
  delete from suppressions s
  where s.organization_id = p_organization and (s.lead_id = any (ids)
    or exists (select 1 from unnest(kinds, identifiers) as g (kind, value) where g.kind = s.kind and g.value = s.value));

  needles := array(
    select lower(substr(to_json(n.text)::text, 2, length(to_json(n.text)::text) - 2))
    from (
      select unnest(ids) as text
      union
      select unnest(identifiers)
      union
      select l.name from leads l
      where l.organization_id = p_organization and l.id = any (ids) and length(l.name) >= 6 and strpos(l.name, ' ') > 0
    ) n);
  delete from idempotency_keys k
  where k.organization_id = p_organization
    and exists (select 1 from unnest(needles) as n (text) where strpos(lower(coalesce(k.envelope::text, '') || to_json(k.key)::text), n.text) > 0);
  delete from approval_requests a
  where a.organization_id = p_organization
    and exists (
      select 1 from unnest(needles) as n (text)
      where strpos(lower(coalesce(a.input::text, '') || to_json(a.reason)::text), n.text) > 0);
  with cleared as (
    update events e set data = svc_kept_data(e.data, p_kept)
    where e.organization_id = p_organization
      and ((e.subject_type = 'lead' and e.subject_id = any (ids))
        or (e.data ->> 'lead_id' is not null and e.data ->> 'lead_id' = any (ids)))
    returning e.id
  )
  select array_agg(c.id) into event_ids from cleared c;
  update webhook_deliveries d
  set payload = jsonb_set(d.payload, '{data}', svc_kept_data(coalesce(d.payload -> 'data', '{}'), p_kept)), last_error = ''
  where d.organization_id = p_organization and d.event_id = any (event_ids);

  update linkedin_attempts a set detail = null
  where a.organization_id = p_organization and a.queue_item_id = any (queue_ids);
  update linkedin_drafts d set queue_item_id = null where d.organization_id = p_organization and d.lead_id = any (ids);
  delete from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (ids);
  delete from linkedin_drafts d where d.organization_id = p_organization and d.lead_id = any (ids);
  delete from lead_relations r where r.organization_id = p_organization and r.lead_id = any (ids);
  delete from lead_messages m where m.organization_id = p_organization and m.lead_id = any (ids);
  delete from lead_notes n where n.organization_id = p_organization and n.lead_id = any (ids);
  delete from lead_missions k where k.organization_id = p_organization and k.lead_id = any (ids);
  delete from lead_identities i where i.organization_id = p_organization and i.lead_id = any (ids);
  perform svc_erase_imports(p_organization, ids, needles);
  delete from leads l where l.organization_id = p_organization and l.id = any (ids);
  return jsonb_build_object('leadIds', to_jsonb(ids), 'tombstones', cardinality(identifiers));
end $$;
`
