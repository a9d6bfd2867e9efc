/** Newest first, those of a lead, and those that do not change a lead's status. */
export const suppressionsIndexes = `
create index suppressions_newest
  on suppressions (organization_id, created_at, kind collate "C", value collate "C");
create index suppressions_of_lead on suppressions (organization_id, lead_id) where lead_id is not null;
create index suppressions_of_the_living on suppressions (organization_id)
  where until is not null or kind = 'domain' or lead_id is null;
`
