/** The longest statement of a session, in seconds, unless `SVC_STATEMENT_TIMEOUT_SECONDS` says another. */
export const defaultStatementSeconds = 10

/** Settings of every PostgreSQL session. The longest statement is spelled as PostgreSQL shows it. */
export const sessionSettings = (statementSeconds = defaultStatementSeconds) => ({
  statement_timeout: statementSeconds % 60 === 0 ? `${statementSeconds / 60}min` : `${statementSeconds}s`,
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "10s",
  // Every statement is short; compiling takes a hundred times longer than running it.
  jit: "off",
  // One organization does not take the processors of others, and no plan looks cheap for being shared by several processes.
  max_parallel_workers_per_gather: "0",
  // Hot data is in memory, so an index lookup costs hardly more than a sequential read.
  random_page_cost: "1.1"
})
