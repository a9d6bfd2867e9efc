/** Newest first. */
export const offersIndexes = `
create index offers_newest on offers (organization_id, created_at, id collate "C");
`
