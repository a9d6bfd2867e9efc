/** Senders by turn, the one served longest ago first. */
export const sendersIndexes = `
create index senders_turns on senders (served_at nulls first, organization_id, sender_id);
`
