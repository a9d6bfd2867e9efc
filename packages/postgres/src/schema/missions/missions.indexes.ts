/** Newest first, and those of an agent or an offer. */
export const missionsIndexes = `
create index missions_newest on missions (organization_id, created_at, id collate "C");
create index missions_of_agent on missions (organization_id, agent_id);
create index missions_of_offer on missions (organization_id, offer_id);
`
