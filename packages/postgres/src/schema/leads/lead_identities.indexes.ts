/** Identifiers of a lead. Ids of leads hardly repeat between organizations, so theirs is left out. */
export const leadIdentitiesIndexes = `
create index lead_identities_of_lead on lead_identities (lead_id);
`
