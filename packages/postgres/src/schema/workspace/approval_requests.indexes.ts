/** One pending request per command and requester, those that expire or are to be mailed, and the list. */
export const approvalRequestsIndexes = `
create unique index approval_requests_open
  on approval_requests (organization_id, command_hash, requested_user_id, coalesce(requested_key_id, ''))
  where state = 'pending';
create index approval_requests_overdue on approval_requests (expires_at) where state = 'pending';
create index approval_requests_mail on approval_requests (mail_at) where mail_at is not null;
create index approval_requests_newest on approval_requests (organization_id, created_at, id collate "C");
`
