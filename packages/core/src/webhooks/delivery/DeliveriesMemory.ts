/** Deliveries in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventHeads } from "../../JournalMemory.ts"
import { MemoryStore, type Tables } from "../../MemoryStore.ts"
import { isoFromMillis } from "../../Time.ts"
import type { DeliveryRow } from "../Webhook.ts"
import {
  type DeliveryLease,
  deliveries,
  deliveryLeases,
  everyone,
  secretsOf,
  toldSequences,
  webhookOrganizations,
  webhooks
} from "../WebhookTables.ts"
import { DeliveriesRepo, type TakeRequest } from "./DeliveriesRepo.ts"

const noLease: DeliveryLease = { fence: 0, until: null, endedAt: null }

const leaseOf = (tables: Tables, row: DeliveryRow): DeliveryLease =>
  tables.get(deliveryLeases, row.organization_id, row.delivery_id) ?? noLease

const organizationsOf = (tables: Tables, organizationId: string | undefined): ReadonlyArray<string> =>
  organizationId === undefined ? tables.all(webhookOrganizations, everyone).toSorted() : [organizationId]

/** Of deliveries with the same due time, the one that was made first. */
const soonestFirst = (a: DeliveryRow, b: DeliveryRow): number =>
  `${a.next_attempt_at} ${a.delivery_id}` < `${b.next_attempt_at} ${b.delivery_id}` ? -1 : 1

/** A delivery and its place in the line of its webhook. */
interface InLine {
  readonly row: DeliveryRow
  readonly place: number
}

const dueIn = (tables: Tables, organizationId: string, request: TakeRequest): ReadonlyArray<InLine> => {
  const pending = tables.all(deliveries, organizationId).filter(({ state }) => state === "pending")
  const isHeld = (row: DeliveryRow) => (leaseOf(tables, row).until ?? "") > request.now
  const room = request.perOrganization - pending.filter(isHeld).length
  return tables
    .all(webhooks, organizationId)
    .filter(({ is_active }) => is_active)
    .flatMap(({ webhook_id: id }) => {
      const mine = pending.filter((row) => row.webhook_id === id)
      const running = mine.filter(isHeld).length
      return mine
        .filter((row) => row.next_attempt_at !== null && row.next_attempt_at <= request.now && !isHeld(row))
        .sort(soonestFirst)
        .map((row, index) => ({ row, place: running + index + 1 }))
        .filter(({ place }) => place <= request.perWebhook)
    })
    .sort((a, b) => a.place - b.place || soonestFirst(a.row, b.row))
    .slice(0, Math.max(0, room))
}

const take = (tables: Tables, request: TakeRequest) =>
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

/** Pending deliveries in order of the same webhook and subject as another. */
const sameSubject = (tables: Tables, { organization_id, subject, webhook_id }: DeliveryRow): Array<DeliveryRow> =>
  tables
    .all(deliveries, organization_id)
    .filter(
      (row) =>
        row.state === "pending" && row.sequence !== null && row.webhook_id === webhook_id && row.subject === subject
    )
    .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))

const forget = (tables: Tables, before: string, limit: number): number => {
  const over = organizationsOf(tables, undefined)
    .flatMap((organizationId) => tables.all(deliveries, organizationId))
    .flatMap((row) => {
      const { endedAt } = leaseOf(tables, row)
      return endedAt !== null && endedAt < before ? [{ row, endedAt }] : []
    })
    .sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1))
    .slice(0, limit)
  for (const { row } of over) {
    tables.remove(deliveries, row.organization_id, row.delivery_id)
    tables.remove(deliveryLeases, row.organization_id, row.delivery_id)
  }
  return over.length
}

/** Keeps deliveries in memory. */
export const layer: Layer.Layer<DeliveriesRepo, never, MemoryStore> = Layer.effect(
  DeliveriesRepo,
  Effect.map(MemoryStore, (store) =>
    DeliveriesRepo.of({
      behind: (organizationId, limit) =>
        store.read((tables) =>
          organizationsOf(tables, organizationId)
            .flatMap((id) =>
              tables
                .all(webhooks, id)
                .filter(({ is_active, purpose, webhook_id }) => {
                  const told = tables.get(toldSequences, id, webhook_id) ?? 0
                  return is_active && purpose === "events" && told < (tables.get(eventHeads, id, "head") ?? 0)
                })
                .map(({ webhook_id }) => ({ organizationId: id, webhookId: webhook_id }))
            )
            .slice(0, limit)
        ),
      holdBehind: (organizationId, webhookId) =>
        store.read((tables) =>
          tables.get(webhooks, organizationId, webhookId)?.is_active === true
            ? { toldSequence: tables.get(toldSequences, organizationId, webhookId) ?? 0 }
            : undefined
        ),
      tell: ({ organizationId, webhookId }, toldSequence, rows) =>
        store.write((tables) => {
          tables.set(toldSequences, organizationId, webhookId, toldSequence)
          for (const row of rows) {
            const waits = sameSubject(tables, row).length > 0
            const stored = { ...row, next_attempt_at: waits ? null : row.next_attempt_at }
            tables.set(deliveries, organizationId, row.delivery_id, stored)
          }
        }),
      take: (request) => store.write((tables) => take(tables, request)),
      record: (row, fence, at) =>
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
        }),
      forget: (before, limit) => store.write((tables) => forget(tables, before, limit))
    })
  )
)
