/** The processes that have the database open, each with its last heartbeat; one that ends takes its row away. */
export const serviceProcessesTable = `
create table service_processes (
  id text primary key,
  heartbeat_at timestamptz not null
);
`
