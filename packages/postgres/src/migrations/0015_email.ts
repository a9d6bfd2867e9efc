/**
 * E-mails with their reviews.
 *
 * What is held on a person, and its removal, know e-mails from here on: the functions of migration 8 go on under other names,
 * inside the ones that everybody calls.
 */
export const email = {
  id: 15,
  name: "email",
  sql: `
create table emails (
  organization_id text not null,
  id text not null,
  mission_id text,
  agent_id text not null,
  lead_id text not null,
  from_address text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  body_html text,
  strategy text not null,
  state text not null,
  reason text,
  expires_at timestamptz,
  decision text,
  decided_by text,
  decided_at timestamptz,
  attempts integer not null,
  not_before timestamptz,
  message_id text,
  sent_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id) on delete set null (mission_id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id)
);
create index emails_newest on emails (organization_id, created_at desc, id collate "C" desc);
create index emails_of_leads on emails (organization_id, lead_id);
create index emails_of_missions on emails (organization_id, mission_id) where mission_id is not null;
create index emails_queued on emails (not_before) where state = 'queued';
create index emails_sending on emails (updated_at) where state = 'sending';
create index emails_expiring on emails (expires_at) where state = 'in_review' and expires_at is not null;

alter function svc_lead_records(text, text[]) rename to svc_lead_records_before_email;
create function svc_lead_records(p_organization text, p_ids text[]) returns jsonb
language plpgsql stable as $$
begin
  return svc_lead_records_before_email(p_organization, p_ids) || jsonb_build_object('emails', (
    select coalesce(jsonb_agg(jsonb_build_object('email_id', m.id, 'lead_id', m.lead_id, 'agent_id', m.agent_id,
      'mission_id', m.mission_id, 'state', m.state, 'from', m.from_address, 'to', m.to_address, 'subject', m.subject,
      'body_text', m.body_text, 'body_html', m.body_html, 'sent_at', m.sent_at, 'created_at', m.created_at,
      'updated_at', m.updated_at) order by m.created_at, m.id collate "C"), '[]')
    from emails m where m.organization_id = p_organization and m.lead_id = any (p_ids)));
end $$;

alter function svc_erase_lead(text, text, timestamptz, text[]) rename to svc_erase_lead_before_email;
create function svc_erase_lead(p_organization text, p_lead_id text, p_at timestamptz, p_kept text[]) returns jsonb
language plpgsql volatile as $$
declare
  ids text[] := svc_lead_ids(p_organization, p_lead_id);
begin
  perform 1 from leads l where l.organization_id = p_organization and l.id = any (ids) order by l.id collate "C" for update;
  if exists (
    select 1 from emails m where m.organization_id = p_organization and m.lead_id = any (ids) and m.state = 'sending')
  then
    return jsonb_build_object('inFlight', true);
  end if;
  -- The person is refused or not there: then nothing is removed.
  if exists (
    select 1 from linkedin_queue q where q.organization_id = p_organization and q.lead_id = any (ids) and q.state = 'sending')
  then
    return jsonb_build_object('inFlight', true);
  end if;
  delete from webhook_deliveries d
  where d.organization_id = p_organization and d.event_type = 'email.review.requested' and d.sequence is null
    and d.payload #>> '{data,review_id}' in (
      select m.id from emails m where m.organization_id = p_organization and m.lead_id = any (ids));
  delete from emails m where m.organization_id = p_organization and m.lead_id = any (ids);
  return svc_erase_lead_before_email(p_organization, p_lead_id, p_at, p_kept);
end $$;
`
}
