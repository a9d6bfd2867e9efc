/** Newest first. */
export const offersIndexes = `
create index offers_newest on offers (organization_id, created_at desc, id collate "C" desc);
`
