/**
 * Enforces one message to a lead at a time and one live invitation per account. Turns; rows being sent or with an unknown
 * outcome; counts; lists; reviews that expire.
 */
export const transmissionsIndexes = `
create unique index transmissions_one_flight on transmissions (organization_id, lead_id)
  where kind = 'message' and state = 'sending';
create unique index transmissions_one_invitation on transmissions (organization_id, lead_id, account_id)
  where kind = 'invitation' and state in ('queued', 'sending', 'pending', 'ambiguous');
create index transmissions_turns on transmissions (organization_id, sender_id, kind, not_before, id collate "C")
  where state in ('queued', 'waiting_relation');
create index transmissions_unsettled on transmissions (kind, state, organization_id, lead_id)
  where state in ('sending', 'ambiguous');
create index transmissions_of_lead on transmissions (organization_id, lead_id);
create index transmissions_of_draft on transmissions (organization_id, draft_id) where draft_id is not null;
create index transmissions_of_mission on transmissions (organization_id, mission_id) where mission_id is not null;
create index transmissions_states on transmissions (organization_id, kind, state);
create index transmissions_age on transmissions (organization_id, kind, substr(id, 5) collate "C");
create index transmissions_reviewed on transmissions (organization_id, kind, created_at, id collate "C")
  where state = 'in_review';
create index transmissions_problems on transmissions (organization_id, kind, updated_at, id collate "C")
  where state in ('failed', 'ambiguous') and kind <> 'message';
create index transmissions_sent on transmissions (organization_id, kind, (details ->> 'sentAt'))
  where state in ('sent', 'pending', 'accepted') and kind <> 'message';
create index transmissions_expiring on transmissions (expires_at) where state = 'in_review' and expires_at is not null;
`
