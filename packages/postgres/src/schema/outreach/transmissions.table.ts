/**
 * Messages, invitations and e-mails, shared by many processes through leases with a growing fence. Fields of a single kind are
 * in `details`. Messages and invitations are sent by their account, e-mails by their agent.
 *
 * Leases change often, so each page keeps free space for them, and no index covers their columns.
 */
export const transmissionsTable = `
create table transmissions (
  organization_id text not null,
  id text not null,
  kind text not null,
  agent_id text not null,
  account_id text,
  sender_id text not null generated always as (coalesce(account_id, agent_id)) stored,
  lead_id text not null,
  draft_id text,
  mission_id text,
  state text not null,
  reason text,
  bypass boolean not null,
  attempts integer not null,
  failures integer not null,
  not_before timestamptz,
  expires_at timestamptz,
  lease_until timestamptz,
  fence integer not null default 0,
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint transmissions_account check (account_id is not null or kind = 'email'),
  constraint transmissions_draft check (draft_id is not null or kind <> 'message'),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, account_id) references linkedin_accounts (organization_id, id),
  foreign key (organization_id, lead_id) references leads (organization_id, id),
  foreign key (organization_id, draft_id) references linkedin_drafts (organization_id, id),
  foreign key (organization_id, mission_id) references missions (organization_id, id) on delete set null (mission_id)
) with (fillfactor = 80);
alter table linkedin_drafts add foreign key (organization_id, queue_item_id)
  references transmissions (organization_id, id);
`
