/**
 * Missions of a lead: ids of leads hardly repeat between organizations, so theirs is left out. And the days of a mission, only
 * for those who ask for days.
 */
export const leadMissionsIndexes = `
create index lead_missions_of_lead on lead_missions (lead_id);
create index lead_missions_days on lead_missions (organization_id, mission_id, linked_day)
  where linked_day is not null;
`
