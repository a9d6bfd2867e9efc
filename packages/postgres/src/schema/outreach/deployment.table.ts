/**
 * Where the database lives and when a process last worked on it, one row for the whole database; and what holds sending
 * since that did not match. `place` is the folder of an embedded database, `written_by` the transaction that wrote the row:
 * a row that a restore has written is another transaction's.
 */
export const deploymentTable = `
create table deployment (
  is_only boolean primary key default true check (is_only),
  fingerprint text not null,
  place text not null,
  heartbeat_at timestamptz not null,
  written_by text not null default pg_current_xact_id()::xid::text,
  hold_reason text,
  held_since timestamptz,
  released_at timestamptz
);
`
