/** Live agents, newest first. */
export const agentsIndexes = `
create index agents_newest on agents (organization_id, created_at, id collate "C") where deleted_at is null;
`
