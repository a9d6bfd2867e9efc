/** Identifiers of a lead, and possible duplicates. */
export const leadIdentitiesIndexes = `
create index lead_identities_of_lead on lead_identities (organization_id, lead_id);
create index lead_identities_hint on lead_identities (organization_id, hint collate "C", lead_id collate "C")
  where hint is not null;
`
