/** Everything that is stored about leads, table by table. */
export const leadRecords = `
create function svc_lead_records(p_organization text, p_ids text[]) returns jsonb
language plpgsql stable
set search_path from current
as $$
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
        'subject', m.details -> 'subject', 'body_text', m.details -> 'bodyText', 'body_html', m.details -> 'bodyHtml',
        'provenance', coalesce(m.details -> 'steps', '[]'), 'sent_at', m.details -> 'sentAt', 'created_at', m.created_at, 'updated_at', m.updated_at)
        order by m.created_at, m.id collate "C"), '[]')
      from transmissions m
      where m.organization_id = p_organization and m.lead_id = any (p_ids) and m.kind = 'email'),
    'transmissions', (
      select coalesce(jsonb_agg(jsonb_build_object('queue_id', a.queue_item_id, 'number', a.number,
        'account_id', a.account_id, 'action', a.action, 'outcome', a.outcome, 'detail', a.detail,
        'started_at', a.started_at, 'ended_at', a.ended_at)
        order by a.started_at, a.queue_item_id collate "C", a.number), '[]')
      from transmissions o
      join linkedin_attempts a on a.organization_id = p_organization and a.queue_item_id = o.id
      where o.organization_id = p_organization and o.lead_id = any (p_ids)),
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
        'former', e.former, 'created_at', e.created_at) order by e.created_at, e.id collate "C"), '[]')
      from (
        select x.* from events x
        where x.organization_id = p_organization and x.subject_type = 'lead' and x.subject_id = any (p_ids)
        union all
        select x.* from events x
        where x.organization_id = p_organization and x.data ->> 'lead_id' is not null
          and x.data ->> 'lead_id' = any (p_ids) and not (x.subject_type = 'lead' and x.subject_id = any (p_ids))
      ) e));
end $$;
`
