/** Indexes for what happened in a mission and for comparing drafts. */
export const missionReports = {
  id: 11,
  name: "mission_reports",
  sql: `
create index events_of_missions on events (organization_id, type, subject_id)
  where type in ('lead.status_changed', 'invitation.sent', 'invitation.accepted');
create index linkedin_drafts_of_mission_ever on linkedin_drafts (organization_id, mission_id, created_at)
  where mission_id is not null;
create index linkedin_drafts_of_message on linkedin_drafts (organization_id, message_id)
  where message_id is not null;
`
}
