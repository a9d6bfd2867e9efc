/** Schema of agents. */
import type { SchemaPart } from "../SchemaPart.ts"
import { agentEmailAccountsIndexes } from "./agent_email_accounts.indexes.ts"
import { agentEmailAccountsTable } from "./agent_email_accounts.table.ts"
import { agentsIndexes } from "./agents.indexes.ts"
import { agentsTable } from "./agents.table.ts"

/** Agents. */
export const agentsSchema: SchemaPart = {
  tables: [agentsTable, agentEmailAccountsTable],
  indexes: [agentsIndexes, agentEmailAccountsIndexes],
  functions: []
}
