/** Up to when each account was polled, and when it is due again. */
export const linkedinInboxesTable = `
create table linkedin_inboxes (
  organization_id text not null,
  account_id text not null,
  messages_since timestamptz not null,
  relations_since timestamptz not null,
  due_at timestamptz not null,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id)
);
`
