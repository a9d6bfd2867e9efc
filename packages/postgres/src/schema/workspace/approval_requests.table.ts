/** Approval requests and their outcomes. */
export const approvalRequestsTable = `
create table approval_requests (
  organization_id text not null,
  id text not null,
  command_id text not null,
  command_hash text not null,
  input jsonb,
  precondition jsonb,
  requested_kind text not null,
  requested_user_id text not null,
  requested_key_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null,
  resolved_kind text,
  resolved_user_id text,
  resolved_key_id text,
  resolved_at timestamptz,
  decided_through text,
  reason text not null default '',
  outcome text,
  problem text not null default '',
  question jsonb,
  mail_to jsonb not null default '[]',
  mail_at timestamptz,
  primary key (organization_id, id)
);
`
