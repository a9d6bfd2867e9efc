/** Live agents, newest first. */
export const agentsIndexes = `
create index agents_newest on agents (organization_id, created_at desc, id collate "C" desc) where deleted_at is null;
`
