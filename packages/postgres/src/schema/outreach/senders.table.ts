/** Senders: LinkedIn accounts, and agents for their e-mail. Their turn, their limits, and until when and why they pause. */
export const sendersTable = `
create table senders (
  organization_id text not null,
  sender_id text not null,
  served_at timestamptz,
  limits jsonb not null default '{}',
  ramp boolean not null default true,
  next_at timestamptz,
  message_paced_until timestamptz,
  message_paced_reason text,
  message_look_at timestamptz,
  message_stopped_until timestamptz,
  invitation_paced_until timestamptz,
  invitation_paced_reason text,
  invitation_look_at timestamptz,
  invitation_stopped_until timestamptz,
  primary key (organization_id, sender_id),
  foreign key (organization_id) references organizations (id)
);
`
