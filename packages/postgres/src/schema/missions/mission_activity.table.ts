/**
 * What the leads of a mission did and what was sent to them, one row each, as `missionActivity.ts` of the core counts it: `kind`
 * is contacted, replied, positive, meetings, opted_out, messages_sent, messages_received, invitations_sent or
 * invitations_accepted, and `source` the id of the message or transmission; empty for statuses.
 *
 * Triggers keep it in step with links, events, messages, drafts and transmissions, and nothing else writes it. Reports read
 * days off an index, where a day has eight bytes for each row.
 */
export const missionActivityTable = `
create table mission_activity (
  organization_id text not null,
  mission_id text not null,
  lead_id text not null,
  kind text not null,
  source text not null,
  at timestamptz not null,
  day date generated always as ((at at time zone 'UTC')::date) stored,
  primary key (organization_id, lead_id, mission_id, kind, source)
);
`
