/** The feed, the history of a lead, changes of status. */
export const eventsIndexes = `
create unique index events_sequence on events (organization_id, sequence) where sequence is not null;
create index events_unnumbered on events (organization_id, position) where sequence is null;

create index events_of_lead on events (organization_id, subject_id, created_at desc, id collate "C" desc)
  where subject_type = 'lead';
create index events_naming_lead on events (organization_id, (data ->> 'lead_id'), created_at desc, id collate "C" desc)
  where data ->> 'lead_id' is not null;

create index events_of_status on events (organization_id, subject_id) where type = 'lead.status_changed';
`
