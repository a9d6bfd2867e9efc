/** Schema of the workspace: organizations, keys, approvals, audit, events. */
import type { SchemaPart } from "../SchemaPart.ts"
import { analyze } from "./analyze.function.ts"
import { apiKeysIndexes } from "./api_keys.indexes.ts"
import { apiKeysTable } from "./api_keys.table.ts"
import { append } from "./append.function.ts"
import { approvalRequestsIndexes } from "./approval_requests.indexes.ts"
import { approvalRequestsTable } from "./approval_requests.table.ts"
import { auditEntriesIndexes } from "./audit_entries.indexes.ts"
import { auditEntriesTable } from "./audit_entries.table.ts"
import { auditHeadsTable } from "./audit_heads.table.ts"
import { deploymentSecretsTable } from "./deployment_secrets.table.ts"
import { eventHead } from "./event_head.function.ts"
import { eventsIndexes } from "./events.indexes.ts"
import { eventsTable } from "./events.table.ts"
import { idempotencyKeysIndexes } from "./idempotency_keys.indexes.ts"
import { idempotencyKeysTable } from "./idempotency_keys.table.ts"
import { numberEvents } from "./number_events.function.ts"
import { organizationLookupsTable } from "./organization_lookups.table.ts"
import { organizationsTable } from "./organizations.table.ts"
import { readEvents } from "./read_events.function.ts"
import { recentEvents } from "./recent_events.function.ts"

/** Organizations, keys, approvals, audit, events. */
export const workspaceSchema: SchemaPart = {
  tables: [
    organizationsTable,
    organizationLookupsTable,
    apiKeysTable,
    deploymentSecretsTable,
    eventsTable,
    auditEntriesTable,
    auditHeadsTable,
    idempotencyKeysTable,
    approvalRequestsTable
  ],
  indexes: [apiKeysIndexes, eventsIndexes, auditEntriesIndexes, idempotencyKeysIndexes, approvalRequestsIndexes],
  functions: [append, numberEvents, readEvents, recentEvents, eventHead, analyze]
}
