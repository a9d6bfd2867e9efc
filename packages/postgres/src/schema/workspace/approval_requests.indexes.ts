/** One pending request per command and requester, and the list. */
export const approvalRequestsIndexes = `
create unique index approval_requests_open
  on approval_requests (organization_id, command_hash, requested_user_id, coalesce(requested_key_id, ''))
  where state = 'pending';
create index approval_requests_newest on approval_requests (organization_id, created_at, id collate "C");
`
