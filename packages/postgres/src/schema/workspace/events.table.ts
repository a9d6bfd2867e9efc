/**
 * Events of organizations.
 *
 * `position` is the order in which rows were written. Changes of the same record wait for each other, so it is also their
 * order. Readers see `sequence`, which is null until the event is numbered, after its transaction has committed. `key_id`,
 * `former`, `is_undo` and `undone_at` are for undoing the change, and nobody else sees them.
 */
export const eventsTable = `
create table events (
  organization_id text not null,
  id text not null,
  position bigint generated always as identity,
  sequence bigint,
  type text not null,
  subject_type text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  data jsonb not null,
  key_id text,
  former jsonb,
  is_undo boolean not null default false,
  undone_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
`
