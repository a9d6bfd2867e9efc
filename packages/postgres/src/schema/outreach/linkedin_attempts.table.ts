/**
 * Every use of an account that counts for its limits, such as a message or an invitation. Attempts count after the person is
 * erased, so `queue_item_id` has no foreign key.
 */
export const linkedinAttemptsTable = `
create table linkedin_attempts (
  organization_id text not null,
  queue_item_id text not null,
  number integer not null,
  account_id text not null,
  action text not null,
  outcome text,
  detail text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, queue_item_id, number),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);
`
