/** Relations of a lead, the lead of a conversation, accepted invitations. */
export const leadRelationsIndexes = `
create index lead_relations_of_lead on lead_relations (organization_id, lead_id);
create index lead_relations_of_chat on lead_relations (organization_id, account_id, chat_id) where chat_id is not null;
create index lead_relations_accepted on lead_relations (organization_id, lead_id)
  where connected and invited_at is not null;
`
