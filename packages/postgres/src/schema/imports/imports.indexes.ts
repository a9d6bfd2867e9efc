/** Lists, earlier imports of the same audience, the running one, and old ones that still have rows. */
export const importsIndexes = `
create index imports_newest on imports (organization_id, created_at, id collate "C");
create index imports_of_mission on imports (organization_id, mission_id, created_at, id collate "C");
create index imports_of_audience on imports (organization_id, mission_id, fingerprint) where fingerprint is not null;
create unique index imports_running on imports (organization_id, mission_id, fingerprint) where state = 'running';
create index imports_with_rows on imports (updated_at) where rows_deleted_at is null or rows_deleted_at < updated_at;
`
