/** Settings of every PostgreSQL session. */
export const sessionSettings = {
  statement_timeout: "10s",
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "10s",
  // Every statement is short; compiling takes a hundred times longer than running it.
  jit: "off",
  // Hot data is in memory, so an index lookup costs hardly more than a sequential read.
  random_page_cost: "1.1"
} as const
