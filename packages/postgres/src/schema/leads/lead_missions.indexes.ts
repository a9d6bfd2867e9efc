/** Missions of a lead. Ids of leads hardly repeat between organizations, so theirs is left out. */
export const leadMissionsIndexes = `
create index lead_missions_of_lead on lead_missions (lead_id);
`
