/** The in-memory tables of webhooks. */

import type { InstantText } from "@svc/core"
import type { DeliveryRow, Webhook, WebhookSecret } from "@svc/core/webhooks"
import { table } from "../MemoryStore.ts"

/** Webhooks by id. */
export const webhooks = table<Webhook>("webhooks")

/** The secrets of webhooks, under the same id. */
export const secretsOf = table<ReadonlyArray<WebhookSecret>>("webhook_secrets")

/** The number of the last event delivered to each webhook, under the same id. */
export const lastSequences = table<number>("webhook_told")

/** Deliveries by id. */
export const deliveries = table<DeliveryRow>("webhook_deliveries")

/** A lease of a delivery. */
export interface DeliveryLease {
  readonly fence: number
  /** Null when it is not leased. */
  readonly until: string | null
  /** When the delivery finished; null until then. */
  readonly endedAt: InstantText | null
}

/** Leases under the delivery's id. */
export const deliveryLeases = table<DeliveryLease>("webhook_delivery_leases")
