/** Schema of webhooks and their deliveries. */
import type { SchemaPart } from "../SchemaPart.ts"
import { webhookDeliveriesIndexes } from "./webhook_deliveries.indexes.ts"
import { webhookDeliveriesTable } from "./webhook_deliveries.table.ts"
import { webhooksIndexes } from "./webhooks.indexes.ts"
import { webhooksTable } from "./webhooks.table.ts"

/** Webhooks and deliveries. */
export const webhooksSchema: SchemaPart = {
  tables: [webhooksTable, webhookDeliveriesTable],
  indexes: [webhooksIndexes, webhookDeliveriesIndexes],
  functions: []
}
