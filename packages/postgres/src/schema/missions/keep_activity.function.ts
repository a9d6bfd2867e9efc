/** Keeps `mission_activity` as events, messages, drafts and transmissions of a lead change. */
export const keepActivity = `
create function svc_keep_activity() returns trigger
language plpgsql
set search_path from current
as $$
declare
  organization text := coalesce(new.organization_id, old.organization_id);
begin
  case tg_table_name
    when 'events' then
      perform svc_keep_entries(organization, array[coalesce(new.subject_id, old.subject_id)]);
    when 'lead_messages' then
      perform svc_keep_messages(organization, array[old.lead_id, new.lead_id], array[coalesce(new.id, old.id)]);
    when 'linkedin_drafts' then
      perform svc_keep_messages(organization, array(
        select m.lead_id from lead_messages m
        where m.organization_id = organization and m.id in (old.message_id, new.message_id)),
        array[old.message_id, new.message_id]);
      if old.mission_id is distinct from new.mission_id then
        perform svc_keep_invitations(organization, array[old.lead_id, new.lead_id]);
      end if;
    else
      if coalesce(new.kind, old.kind) = 'email' then
        perform svc_keep_messages(organization, array[old.lead_id, new.lead_id], null);
      else
        perform svc_keep_invitations(organization, array[old.lead_id, new.lead_id]);
      end if;
  end case;
  return null;
end $$;

create trigger status_entered after insert on events for each row
  when (new.type = 'lead.status_changed') execute function svc_keep_activity();
create trigger status_forgotten after delete on events for each row
  when (old.type = 'lead.status_changed') execute function svc_keep_activity();

create trigger message_added after insert or delete on lead_messages for each row execute function svc_keep_activity();
create trigger message_changed after update on lead_messages for each row
  when ((old.lead_id, old.date, old.direction, old.channel, old.external_id)
    is distinct from (new.lead_id, new.date, new.direction, new.channel, new.external_id))
  execute function svc_keep_activity();

create trigger draft_sent after update on linkedin_drafts for each row
  when ((old.message_id, old.mission_id) is distinct from (new.message_id, new.mission_id)
    and (old.mission_id is not null or new.mission_id is not null))
  execute function svc_keep_activity();

create trigger transmission_added after insert on transmissions for each row
  when (new.kind <> 'message' and new.details ->> 'sentAt' is not null) execute function svc_keep_activity();
create trigger transmission_removed after delete on transmissions for each row
  when (old.kind <> 'message') execute function svc_keep_activity();
create trigger transmission_changed after update on transmissions for each row
  when (new.kind <> 'message' and (old.lead_id, old.draft_id, old.mission_id, old.state, old.details)
    is distinct from (new.lead_id, new.draft_id, new.mission_id, new.state, new.details))
  execute function svc_keep_activity();
`
