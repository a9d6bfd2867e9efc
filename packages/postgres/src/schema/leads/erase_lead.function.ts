/**
 * Erases a person. Returns the identifiers, whose hashes the caller stores in the same transaction, and the documents that
 * may name the person, of which the caller removes those that do; of requests with a file only the ids, as files can be large
 * and encoded. Null when the lead does not exist. Erases nothing while
 * something is being sent to the person.
 */
export const eraseLead = `
create function svc_erase_lead(p_organization text, p_lead_id text, p_kept text[], p_file_command text) returns jsonb
language plpgsql volatile
set search_path from current
as $$
declare
  live_id text;
  ids text[];
  kinds text[];
  identifiers text[];
  spelling text;
  custom_ids text[];
  possible jsonb;
  sent_ids text[];
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
  if exists (
    select 1 from transmissions q where q.organization_id = p_organization and q.lead_id = any (ids) and q.state = 'sending')
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
  delete from suppressions s
  where s.organization_id = p_organization and (s.lead_id = any (ids)
    or exists (select 1 from unnest(kinds, identifiers) as g (kind, value) where g.kind = s.kind and g.value = s.value));

  select string_agg(case g.kind
      when 'email' then svc_literal(split_part(g.value, '@', 1)) || '@'
      when 'slug' then 'in/' || svc_literal(substring(g.value from '^[!-~]*'))
      when 'member_id' then '(?<![0-9])0*' || g.value || '(?![0-9])'
      else svc_literal(lower(g.value)) end, '|') into spelling
  from (
    select k.kind, k.value from unnest(kinds, identifiers) as k (kind, value) where k.kind <> 'custom_id'
    union all
    select 'lead', unnest(ids)
  ) g;
  custom_ids := array(select k.value from unnest(kinds, identifiers) as k (kind, value) where k.kind = 'custom_id');
  possible := jsonb_strip_nulls(jsonb_build_object(
    'answers', (
      select jsonb_agg(jsonb_build_object('route', k.route, 'key', k.key, 'document', k.envelope))
      from idempotency_keys k
      where k.organization_id = p_organization
        and k.envelope is not null and svc_may_name(jsonb_build_array(k.key, k.envelope), spelling, custom_ids)),
    'approvals', (
      select jsonb_agg(jsonb_build_object('id', a.id, 'document', jsonb_build_array(a.input, a.reason, a.problem)))
      from approval_requests a
      where a.organization_id = p_organization and (a.command_id <> p_file_command or a.input is null)
        and svc_may_name(jsonb_build_array(a.input, a.reason, a.problem), spelling, custom_ids)),
    'files', (
      select jsonb_agg(a.id order by a.id collate "C") from approval_requests a
      where a.organization_id = p_organization and a.command_id = p_file_command and a.input is not null),
    'rows', (
      select jsonb_agg(jsonb_build_object('import_id', r.import_id, 'position', r.position, 'document', r.source,
        'columns', (
          select i.file -> 'columns' from imports i where i.organization_id = p_organization and i.id = r.import_id)))
      from import_rows r
      where r.organization_id = p_organization and r.source is not null
        and not coalesce(r.lead_id = any (ids), false) and svc_may_name(r.source, spelling, custom_ids))));
  with cleared as (
    update events e set data = svc_kept_data(e.data, p_kept), former = null
    where e.organization_id = p_organization
      and ((e.subject_type = 'lead' and e.subject_id = any (ids))
        or (e.data ->> 'lead_id' is not null and e.data ->> 'lead_id' = any (ids)))
    returning e.id
  )
  select array_agg(c.id) into event_ids from cleared c;
  update webhook_deliveries d
  set payload = jsonb_set(d.payload, '{data}', svc_kept_data(coalesce(d.payload -> 'data', '{}'), p_kept)), last_error = ''
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
  delete from lead_missions k where k.organization_id = p_organization and k.lead_id = any (ids);
  delete from lead_identities i where i.organization_id = p_organization and i.lead_id = any (ids);
  update import_rows r set lead_id = null, source = null
  where r.organization_id = p_organization and r.lead_id = any (ids);
  delete from leads l where l.organization_id = p_organization and l.id = any (ids);
  return jsonb_build_object('leadIds', to_jsonb(ids), 'identifiers', (
    select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'value', g.value)), '[]')
    from unnest(kinds, identifiers) as g (kind, value))) || possible;
end $$;
`
