/** Creates deliveries: each active webhook gets every event of its types, in order. */

import * as Effect from "effect/Effect"
import { Transaction } from "../../kernel/journal/Journal.ts"
import { Ids, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { envelopeOf } from "../../workspace/events/EventFeed.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import type { DeliveryRow, Webhook } from "../Webhook.ts"
import { type WebhookRef, WebhooksRepo } from "../WebhooksRepo.ts"

/** The content of a delivery. */
type DeliveryContent = Pick<DeliveryRow, "organization_id" | "webhook_id" | "event_id" | "event_type" | "payload">

/** A delivery that is due now, independent of others. */
export const newDelivery = Effect.fnUntraced(function* (content: DeliveryContent) {
  const at = yield* now
  return {
    organization_id: content.organization_id,
    webhook_id: content.webhook_id,
    event_id: content.event_id,
    event_type: content.event_type,
    payload: content.payload,
    subject: "",
    sequence: null,
    delivery_id: yield* (yield* Ids).next("whd"),
    state: "pending" as const,
    attempts: 0,
    tries: [],
    next_attempt_at: at,
    response_status: null,
    last_error: "",
    redelivery_of: null,
    created_at: at,
    delivered_at: null
  }
})

/** Maximum events of a webhook in one transaction. */
const pageSize = 200

/** The services that creating deliveries needs. */
export type CreateDeliveriesNeeds = Ids | Transaction | WebhooksRepo | Workspaces

/** A webhook does not receive the event that it was disabled. */
const isOwnEvent = (event: { readonly type: string; readonly subject: { readonly id: string } }, webhook: Webhook) =>
  event.type === "webhook.disabled" && event.subject.id === webhook.webhook_id

const createDeliveriesOf = Effect.fnUntraced(function* ({ organizationId, webhookId }: WebhookRef) {
  const repo = yield* WebhooksRepo
  const held = yield* repo.holdPending(organizationId, webhookId)
  const webhook = held && (yield* repo.find(organizationId, webhookId))
  if (held === undefined || webhook === undefined) return 0
  const types = webhook.event_types.length === 0 ? undefined : webhook.event_types
  const page = yield* (yield* Workspaces).events.read(organizationId, {
    after: held.lastSequence,
    types,
    limit: pageSize
  })
  const rows = yield* Effect.forEach(
    page.events.filter((event) => !isOwnEvent(event, webhook)),
    (event) =>
      Effect.map(
        newDelivery({
          organization_id: organizationId,
          webhook_id: webhookId,
          event_id: event.id,
          event_type: event.type,
          payload: envelopeOf(event)
        }),
        (row): DeliveryRow => ({
          ...row,
          sequence: event.sequence,
          subject: `${event.subject.type}/${event.subject.id}`
        })
      )
  )
  yield* repo.insertDeliveries({ organizationId, webhookId }, page.next, rows)
  return rows.length
})

/**
 * Creates the deliveries of events since the last round; returns how many. A webhook that fails is tried again in the next
 * round. Fails with UNAVAILABLE when the store is unreachable.
 */
export const createDeliveries = Effect.fnUntraced(function* (organizationId?: OrganizationId) {
  const transaction = yield* Transaction
  const behind = yield* (yield* WebhooksRepo).pending(organizationId, 100)
  const made = yield* Effect.forEach(behind, (place) =>
    Effect.catch(transaction.run(createDeliveriesOf(place)), (failure) =>
      Effect.as(
        Effect.logWarning("Could not create a webhook's deliveries", { webhook: place.webhookId, code: failure.code }),
        0
      )
    )
  )
  return made.reduce((sum, count) => sum + count, 0)
})
