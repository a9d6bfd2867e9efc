/**
 * The feed, the history of a lead, changes of status. Ids of leads hardly repeat between organizations, so theirs is left
 * out where those lead.
 */
export const eventsIndexes = `
create unique index events_sequence on events (organization_id, sequence) where sequence is not null;
create index events_unnumbered on events (organization_id, position) where sequence is null;

create index events_of_lead on events (subject_id, created_at, id collate "C")
  where subject_type = 'lead';
create index events_naming_lead on events ((data ->> 'lead_id'), created_at, id collate "C")
  where data ->> 'lead_id' is not null;

create index events_of_status on events (subject_id)
  where type = 'lead.status_changed';
`
