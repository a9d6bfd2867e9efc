/** The chain, unsealed rows, and the list. */
export const auditEntriesIndexes = `
create unique index audit_entries_sequence on audit_entries (organization_id, sequence) where sequence is not null;
create index audit_entries_unsealed on audit_entries (organization_id, created_at, id collate "C") where sequence is null;
create index audit_entries_newest on audit_entries (organization_id, created_at, id collate "C");
`
