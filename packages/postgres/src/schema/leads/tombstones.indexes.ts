/** Tombstones of one erasure. */
export const tombstonesIndexes = `
create index tombstones_of_lead on tombstones (organization_id, lead_id);
`
