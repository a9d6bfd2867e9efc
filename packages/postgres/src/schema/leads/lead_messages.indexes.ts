/** Messages of a lead, newest first; a message of the provider is stored once. */
export const leadMessagesIndexes = `
create index lead_messages_of_lead on lead_messages (organization_id, lead_id, date, id collate "C");
create unique index lead_messages_external on lead_messages (organization_id, channel, external_id)
  where external_id is not null;
`
