/** Notes about a lead, newest first. */
export const leadNotesIndexes = `
create index lead_notes_of_lead on lead_notes (organization_id, lead_id, created_at, id collate "C");
`
