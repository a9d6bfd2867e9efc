/** Schema of outreach: accounts, drafts, transmissions, inboxes. */
import type { SchemaPart } from "../SchemaPart.ts"
import { deploymentTable } from "./deployment.table.ts"
import { fingerprint } from "./fingerprint.function.ts"
import { heartbeat } from "./heartbeat.function.ts"
import { heldUntil } from "./held_until.function.ts"
import { insertDrafts } from "./insert_drafts.function.ts"
import { leadRelationsIndexes } from "./lead_relations.indexes.ts"
import { leadRelationsTable } from "./lead_relations.table.ts"
import { linkedinAccountsIndexes } from "./linkedin_accounts.indexes.ts"
import { linkedinAccountsTable } from "./linkedin_accounts.table.ts"
import { linkedinAttemptsIndexes } from "./linkedin_attempts.indexes.ts"
import { linkedinAttemptsTable } from "./linkedin_attempts.table.ts"
import { linkedinDraftsIndexes } from "./linkedin_drafts.indexes.ts"
import { linkedinDraftsTable } from "./linkedin_drafts.table.ts"
import { linkedinInboxesTable } from "./linkedin_inboxes.table.ts"
import { sendersIndexes } from "./senders.indexes.ts"
import { sendersTable } from "./senders.table.ts"
import { sendingHold } from "./sending_hold.function.ts"
import { serviceProcessesTable } from "./service_processes.table.ts"
import { take } from "./take.function.ts"
import { transmissionsIndexes } from "./transmissions.indexes.ts"
import { transmissionsTable } from "./transmissions.table.ts"

/** LinkedIn accounts, drafts, transmissions, relations. */
export const outreachSchema: SchemaPart = {
  tables: [
    linkedinAccountsTable,
    linkedinDraftsTable,
    transmissionsTable,
    sendersTable,
    linkedinAttemptsTable,
    leadRelationsTable,
    linkedinInboxesTable,
    deploymentTable,
    serviceProcessesTable
  ],
  indexes: [
    linkedinAccountsIndexes,
    linkedinDraftsIndexes,
    transmissionsIndexes,
    sendersIndexes,
    linkedinAttemptsIndexes,
    leadRelationsIndexes
  ],
  functions: [fingerprint, sendingHold, heartbeat, heldUntil, insertDrafts, take]
}
