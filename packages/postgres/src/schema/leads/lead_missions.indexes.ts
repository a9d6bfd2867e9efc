/** Missions of a lead. */
export const leadMissionsIndexes = `
create index lead_missions_of_lead on lead_missions (organization_id, lead_id);
`
