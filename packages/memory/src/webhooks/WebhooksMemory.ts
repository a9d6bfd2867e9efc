/** Webhooks in the in-memory store. */
import { type InstantText, newestFirst, type OrganizationId, type Page, type PageRequest } from "@svc/core"
import { type DeliveryRow, type Webhook, type WebhookSecret, WebhooksRepo } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventHeads } from "../JournalMemory.ts"
import { MemoryStore, table } from "../MemoryStore.ts"

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

const page = <A extends { readonly created_at: string }>(
  rows: ReadonlyArray<A>,
  idOf: (row: A) => string,
  request: PageRequest
): Page<A> => {
  const { items, next } = newestFirst(
    rows.map((row) => ({ row, id: idOf(row), createdAt: row.created_at })),
    request
  )
  return { items: items.map(({ row }) => row), next }
}

/** Keeps webhooks in memory. */
export const layer: Layer.Layer<WebhooksRepo, never, MemoryStore> = Layer.effect(
  WebhooksRepo,
  Effect.map(MemoryStore, (store) => {
    const find = (organizationId: OrganizationId, id: string) =>
      store.read((tables) => tables.get(webhooks, organizationId, id))
    return WebhooksRepo.of({
      find,
      hold: find,
      findForReviews: (organizationId, url) =>
        store.read((tables) =>
          tables.all(webhooks, organizationId).find((row) => row.purpose === "email_reviews" && row.url === url)
        ),
      list: (organizationId, request) =>
        store.read((tables) => page(tables.all(webhooks, organizationId), (row) => row.webhook_id, request)),
      insert: (webhook, secrets) =>
        store.write((tables) => {
          const { organization_id: organizationId, webhook_id: id } = webhook
          tables.set(webhooks, organizationId, id, webhook)
          tables.set(secretsOf, organizationId, id, secrets)
          tables.set(lastSequences, organizationId, id, tables.get(eventHeads, organizationId, "head") ?? 0)
        }),
      replace: (webhook) =>
        store.write((tables) => tables.set(webhooks, webhook.organization_id, webhook.webhook_id, webhook)),
      remove: (organizationId, id) =>
        store.write((tables) => {
          if (tables.get(webhooks, organizationId, id) === undefined) return false
          tables.remove(webhooks, organizationId, id)
          tables.remove(secretsOf, organizationId, id)
          tables.remove(lastSequences, organizationId, id)
          for (const row of tables.removeWhere(deliveries, organizationId, ({ webhook_id }) => webhook_id === id)) {
            tables.remove(deliveryLeases, organizationId, row.delivery_id)
          }
          return true
        }),
      secrets: (organizationId, id) => store.read((tables) => tables.get(secretsOf, organizationId, id) ?? []),
      setSecrets: (organizationId, id, secrets) =>
        store.write((tables) => tables.set(secretsOf, organizationId, id, secrets)),
      insertDelivery: (row) =>
        store.write((tables) => tables.set(deliveries, row.organization_id, row.delivery_id, row)),
      findDelivery: (organizationId, id) => store.read((tables) => tables.get(deliveries, organizationId, id)),
      listDeliveries: (organizationId, { state, webhookId }, request) =>
        store.read((tables) =>
          page(
            tables
              .all(deliveries, organizationId)
              .filter((row) => row.webhook_id === webhookId && (state === undefined || row.state === state)),
            (row) => row.delivery_id,
            request
          )
        )
    })
  })
)
