/** The days of a mission, only for those who ask for days: a lead is looked up by the primary key. */
export const missionActivityIndexes = `
create index mission_activity_days on mission_activity (organization_id, mission_id, kind, day) where day is not null;
`
