/** Webhooks and their deliveries in the in-memory store. */
import { type InstantText, isoFromMillis } from "@svc/core"
import { compareText } from "@svc/core/internal"
import {
  type DeliveryLeaseRequest,
  type DeliveryRow,
  type Webhook,
  type WebhookSecret,
  WebhooksRepo
} from "@svc/core/webhooks"
import * as Struct from "effect/Struct"
import { eventHeads } from "../JournalMemory.ts"
import { pageBy, repository, type Tables, table } from "../MemoryStore.ts"

/** Webhooks by id. */
export const webhooks = table<Webhook>("webhooks")

/** The secrets of webhooks, under the same id. */
const secretsOf = table<ReadonlyArray<WebhookSecret>>("webhook_secrets")

/** The number of the last event delivered to each webhook, under the same id. */
export const lastSequences = table<number>("webhook_told")

/** A delivery with its lease. */
interface StoredDelivery extends DeliveryRow {
  readonly fence: number
  readonly leaseUntil: string | null
  /** When the delivery finished; null until then. */
  readonly endedAt: InstantText | null
}

/** Deliveries by id. */
export const deliveries = table<StoredDelivery>("webhook_deliveries")

const unleased = { fence: 0, leaseUntil: null, endedAt: null }

const deliveryOf = (stored: StoredDelivery): DeliveryRow => Struct.omit(stored, Struct.keys(unleased))

/** By due time, then by id. */
const soonestFirst = (a: DeliveryRow, b: DeliveryRow): number =>
  `${a.next_attempt_at} ${a.delivery_id}` < `${b.next_attempt_at} ${b.delivery_id}` ? -1 : 1

/** A delivery and its place in the queue of its webhook. */
interface QueuedDelivery {
  readonly row: StoredDelivery
  readonly place: number
}

const dueIn = (tables: Tables, request: DeliveryLeaseRequest): ReadonlyArray<QueuedDelivery> => {
  const pending = tables.where(deliveries, ({ state }) => state === "pending")
  const isLeased = ({ leaseUntil }: StoredDelivery) => (leaseUntil ?? "") > request.now
  const capacity = request.perOrganization - pending.filter(isLeased).length
  return tables
    .where(webhooks, ({ is_active }) => is_active)
    .flatMap(({ webhook_id: id }) => {
      const mine = pending.filter((row) => row.webhook_id === id)
      const running = mine.filter(isLeased).length
      return mine
        .filter((row) => row.next_attempt_at !== null && row.next_attempt_at <= request.now && !isLeased(row))
        .sort(soonestFirst)
        .map((row, index) => ({ row, place: running + index + 1 }))
        .filter(({ place }) => place <= request.perWebhook)
    })
    .sort((a, b) => a.place - b.place || soonestFirst(a.row, b.row))
    .slice(0, Math.max(0, capacity))
}

const take = (tables: Tables, request: DeliveryLeaseRequest) =>
  dueIn(tables, request)
    .slice(0, request.limit)
    .flatMap(({ row: found }) => {
      const { delivery_id: id, webhook_id: webhookId } = found
      const webhook = tables.get(webhooks, webhookId)
      if (webhook === undefined) return []
      const fence = found.fence + 1
      const leaseUntil = isoFromMillis(Date.parse(request.now) + request.leaseSeconds * 1_000)
      const row = { ...found, attempts: found.attempts + 1, fence, leaseUntil }
      tables.set(deliveries, id, row)
      const secrets = tables.get(secretsOf, webhookId) ?? []
      return [{ row: deliveryOf(row), fence, url: webhook.url, secrets }]
    })

/** The pending ordered deliveries of the same webhook and subject. */
const sameSubject = (tables: Tables, { subject, webhook_id }: DeliveryRow): ReadonlyArray<StoredDelivery> =>
  tables
    .where(
      deliveries,
      (row) =>
        row.state === "pending" && row.sequence !== null && row.webhook_id === webhook_id && row.subject === subject
    )
    .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))

/** Keeps webhooks and deliveries in memory. */
export const layer = repository(WebhooksRepo)((store) => ({
  find: store.reading((tables, id) => tables.get(webhooks, id)),
  hold: store.reading((tables, id) => tables.get(webhooks, id)),
  findForReviews: store.reading((tables, url) =>
    tables.all(webhooks).find((row) => row.purpose === "email_reviews" && row.url === url)
  ),
  list: store.reading((tables, request) =>
    pageBy(tables.all(webhooks), "desc", (row) => [row.created_at, row.webhook_id], request)
  ),
  insert: (webhook, secrets) =>
    store.write(webhook.organization_id, (tables) => {
      const id = webhook.webhook_id
      tables.set(webhooks, id, webhook)
      tables.set(secretsOf, id, secrets)
      tables.set(lastSequences, id, tables.get(eventHeads, "head") ?? 0)
    }),
  replace: (webhook) =>
    store.write(webhook.organization_id, (tables) => tables.set(webhooks, webhook.webhook_id, webhook)),
  remove: store.writing((tables, id) => {
    if (tables.get(webhooks, id) === undefined) return false
    tables.remove(webhooks, id)
    tables.remove(secretsOf, id)
    tables.remove(lastSequences, id)
    tables.removeWhere(deliveries, ({ webhook_id }) => webhook_id === id)
    return true
  }),
  secrets: store.reading((tables, id) => tables.get(secretsOf, id) ?? []),
  setSecrets: store.writing((tables, id, secrets) => tables.set(secretsOf, id, secrets)),
  insertDelivery: (row) =>
    store.write(row.organization_id, (tables) => tables.set(deliveries, row.delivery_id, { ...row, ...unleased })),
  findDelivery: store.reading((tables, id) => {
    const stored = tables.get(deliveries, id)
    return stored && deliveryOf(stored)
  }),
  listDeliveries: store.reading((tables, { state, webhookId }, request) => {
    const rows = tables
      .where(deliveries, ({ webhook_id }) => webhook_id === webhookId)
      .filter((row) => state === undefined || row.state === state)
    return pageBy(rows.map(deliveryOf), "desc", (row) => [row.created_at, row.delivery_id], request)
  }),
  pending: store.reading((tables, limit) => {
    const lastOf = ({ webhook_id }: Webhook) => tables.get(lastSequences, webhook_id) ?? 0
    const head = tables.get(eventHeads, "head") ?? 0
    return tables
      .where(webhooks, (row) => row.is_active && row.purpose === "events" && lastOf(row) < head)
      .toSorted((a, b) => lastOf(a) - lastOf(b) || compareText(a.webhook_id, b.webhook_id))
      .slice(0, limit)
      .map(({ webhook_id }) => webhook_id)
  }),
  holdPending: store.reading((tables, webhookId) =>
    tables.get(webhooks, webhookId)?.is_active === true
      ? { lastSequence: tables.get(lastSequences, webhookId) ?? 0 }
      : undefined
  ),
  insertDeliveries: store.writing((tables, webhookId, lastSequence, rows) => {
    tables.set(lastSequences, webhookId, lastSequence)
    for (const row of rows) {
      const waits = sameSubject(tables, row).length > 0
      const stored = { ...row, ...unleased, next_attempt_at: waits ? null : row.next_attempt_at }
      tables.set(deliveries, row.delivery_id, stored)
    }
  }),
  leaseDeliveries: (request) => store.write(request.organizationId, (tables) => take(tables, request)),
  recordDelivery: (row, fence, at) =>
    store.write(row.organization_id, (tables) => {
      if (tables.get(deliveries, row.delivery_id)?.fence !== fence) return false
      const endedAt = row.state === "pending" ? null : at
      tables.set(deliveries, row.delivery_id, { ...row, fence: fence + 1, leaseUntil: null, endedAt })
      const [next] = row.state === "pending" || row.sequence === null ? [] : sameSubject(tables, row)
      if (next?.next_attempt_at === null) {
        tables.set(deliveries, next.delivery_id, { ...next, next_attempt_at: at })
      }
      return true
    })
}))
