/** Webhooks in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, table } from "../MemoryStore.ts"
import { newestFirst, type Page, type PageRequest } from "../Page.ts"
import type { DeliveryRow, Webhook, WebhookSecret } from "./Webhook.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"

const webhooks = table<Webhook>("webhooks")
const secretsOf = table<ReadonlyArray<WebhookSecret>>("webhook_secrets")

/** Deliveries by id. */
export const deliveries = table<DeliveryRow>("webhook_deliveries")

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
    const find = (organizationId: string, id: string) =>
      store.read((tables) => tables.get(webhooks, organizationId, id))
    return WebhooksRepo.of({
      find,
      hold: find,
      list: (organizationId, request) =>
        store.read((tables) => page(tables.all(webhooks, organizationId), (row) => row.webhook_id, request)),
      insert: (webhook, secrets) =>
        store.write((tables) => {
          tables.set(webhooks, webhook.organization_id, webhook.webhook_id, webhook)
          tables.set(secretsOf, webhook.organization_id, webhook.webhook_id, secrets)
        }),
      replace: (webhook) =>
        store.write((tables) => tables.set(webhooks, webhook.organization_id, webhook.webhook_id, webhook)),
      remove: (organizationId, id) =>
        store.write((tables) => {
          if (tables.get(webhooks, organizationId, id) === undefined) return false
          tables.remove(webhooks, organizationId, id)
          tables.remove(secretsOf, organizationId, id)
          for (const row of tables.all(deliveries, organizationId)) {
            if (row.webhook_id === id) tables.remove(deliveries, organizationId, row.delivery_id)
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
