/** Webhooks and their deliveries in the in-memory store. */
import {
  type InstantText,
  isoFromMillis,
  newestFirst,
  type OrganizationId,
  type Page,
  type PageRequest
} from "@svc/core"
import { compareText } from "@svc/core/leads"
import {
  type DeliveryLeaseRequest,
  type DeliveryRow,
  type Webhook,
  type WebhookSecret,
  WebhooksRepo
} from "@svc/core/webhooks"
import { eventHeads } from "../JournalMemory.ts"
import { repository, type Tables, table } from "../MemoryStore.ts"

/** Webhooks by id. */
export const webhooks = table<Webhook>("webhooks")

/** The secrets of webhooks, under the same id. */
const secretsOf = table<ReadonlyArray<WebhookSecret>>("webhook_secrets")

/** The number of the last event delivered to each webhook, under the same id. */
export const lastSequences = table<number>("webhook_told")

/** Deliveries by id. */
export const deliveries = table<DeliveryRow>("webhook_deliveries")

interface DeliveryLease {
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

const noLease: DeliveryLease = { fence: 0, until: null, endedAt: null }

const leaseOf = (tables: Tables, row: DeliveryRow): DeliveryLease =>
  tables.get(deliveryLeases, row.organization_id, row.delivery_id) ?? noLease

const organizationsOf = (tables: Tables, organizationId: OrganizationId | undefined): ReadonlyArray<string> =>
  organizationId === undefined ? tables.partitions(webhooks).toSorted() : [organizationId]

/** By due time, then by id. */
const soonestFirst = (a: DeliveryRow, b: DeliveryRow): number =>
  `${a.next_attempt_at} ${a.delivery_id}` < `${b.next_attempt_at} ${b.delivery_id}` ? -1 : 1

/** A delivery and its place in the queue of its webhook. */
interface QueuedDelivery {
  readonly row: DeliveryRow
  readonly place: number
}

const dueIn = (
  tables: Tables,
  organizationId: OrganizationId,
  request: DeliveryLeaseRequest
): ReadonlyArray<QueuedDelivery> => {
  const pending = tables.all(deliveries, organizationId).filter(({ state }) => state === "pending")
  const isLeased = (row: DeliveryRow) => (leaseOf(tables, row).until ?? "") > request.now
  const capacity = request.perOrganization - pending.filter(isLeased).length
  return tables
    .all(webhooks, organizationId)
    .filter(({ is_active }) => is_active)
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
  organizationsOf(tables, request.organizationId)
    .flatMap((organizationId) => dueIn(tables, organizationId, request))
    .sort((a, b) => a.place - b.place || soonestFirst(a.row, b.row))
    .slice(0, request.limit)
    .flatMap(({ row: found }) => {
      const { delivery_id: id, organization_id: organizationId, webhook_id: webhookId } = found
      const webhook = tables.get(webhooks, organizationId, webhookId)
      if (webhook === undefined) return []
      const fence = leaseOf(tables, found).fence + 1
      const until = isoFromMillis(Date.parse(request.now) + request.leaseSeconds * 1_000)
      const row = { ...found, attempts: found.attempts + 1 }
      tables.set(deliveryLeases, organizationId, id, { fence, until, endedAt: null })
      tables.set(deliveries, organizationId, id, row)
      const secrets = tables.get(secretsOf, organizationId, webhookId) ?? []
      return [{ row, fence, url: webhook.url, secrets }]
    })

/** The pending ordered deliveries of the same webhook and subject. */
const sameSubject = (tables: Tables, { organization_id, subject, webhook_id }: DeliveryRow): Array<DeliveryRow> =>
  tables
    .all(deliveries, organization_id)
    .filter(
      (row) =>
        row.state === "pending" && row.sequence !== null && row.webhook_id === webhook_id && row.subject === subject
    )
    .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))

/** Keeps webhooks and deliveries in memory. */
export const layer = repository(WebhooksRepo, (store) => {
  const find = (organizationId: OrganizationId, id: string) =>
    store.read((tables) => tables.get(webhooks, organizationId, id))
  return {
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
    insertDelivery: (row) => store.write((tables) => tables.set(deliveries, row.organization_id, row.delivery_id, row)),
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
      ),
    pending: (organizationId, limit) =>
      store.read((tables) =>
        organizationsOf(tables, organizationId)
          .flatMap((id) =>
            tables
              .all(webhooks, id)
              .filter(({ is_active, purpose }) => is_active && purpose === "events")
              .map(({ webhook_id: webhookId }) => ({
                organizationId: id,
                webhookId,
                last: tables.get(lastSequences, id, webhookId) ?? 0
              }))
              .filter(({ last }) => last < (tables.get(eventHeads, id, "head") ?? 0))
          )
          .toSorted((a, b) => a.last - b.last || compareText(a.webhookId, b.webhookId))
          .slice(0, limit)
      ),
    holdPending: (organizationId, webhookId) =>
      store.read((tables) =>
        tables.get(webhooks, organizationId, webhookId)?.is_active === true
          ? { lastSequence: tables.get(lastSequences, organizationId, webhookId) ?? 0 }
          : undefined
      ),
    insertDeliveries: ({ organizationId, webhookId }, lastSequence, rows) =>
      store.write((tables) => {
        tables.set(lastSequences, organizationId, webhookId, lastSequence)
        for (const row of rows) {
          const waits = sameSubject(tables, row).length > 0
          const stored = { ...row, next_attempt_at: waits ? null : row.next_attempt_at }
          tables.set(deliveries, organizationId, row.delivery_id, stored)
        }
      }),
    leaseDeliveries: (request) => store.write((tables) => take(tables, request)),
    recordDelivery: (row, fence, at) =>
      store.write((tables) => {
        const { delivery_id: id, organization_id: organizationId } = row
        if (tables.get(deliveries, organizationId, id) === undefined || leaseOf(tables, row).fence !== fence)
          return false
        tables.set(deliveries, organizationId, id, row)
        tables.set(deliveryLeases, organizationId, id, {
          fence: fence + 1,
          until: null,
          endedAt: row.state === "pending" ? null : at
        })
        const [next] = row.state === "pending" || row.sequence === null ? [] : sameSubject(tables, row)
        if (next?.next_attempt_at === null) {
          tables.set(deliveries, organizationId, next.delivery_id, { ...next, next_attempt_at: at })
        }
        return true
      })
  }
})
