/** Tables of webhooks in the in-memory store. */
import { table } from "../MemoryStore.ts"
import type { DeliveryRow, Webhook, WebhookSecret } from "./Webhook.ts"

/** Webhooks by id. */
export const webhooks = table<Webhook>("webhooks")

/** Their secrets, under the same id. */
export const secretsOf = table<ReadonlyArray<WebhookSecret>>("webhook_secrets")

/** The number of the last event that each was told of, under the same id. */
export const toldSequences = table<number>("webhook_told")

/** Deliveries by id. */
export const deliveries = table<DeliveryRow>("webhook_deliveries")

/** A lease of a delivery. */
export interface DeliveryLease {
  readonly fence: number
  /** Null when nobody holds it. */
  readonly until: string | null
  /** When the delivery was over; null while it is not. */
  readonly endedAt: string | null
}

/** Leases under the delivery's id. */
export const deliveryLeases = table<DeliveryLease>("webhook_delivery_leases")

/** Organizations that ever had a webhook, in the partition {@link everyone}. */
export const webhookOrganizations = table<string>("webhook_organizations")

/** The partition of tables of all organizations. */
export const everyone = "*"
