/** From events to deliveries: each active webhook is told of every event of its types, in their order. Source: G34. */
import * as Effect from "effect/Effect"
import { EventFeed, envelopeOf, type EventFeed as Feed } from "../../events/index.ts"
import type { Failure } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import { Transaction } from "../../Transaction.ts"
import type { DeliveryRow, Webhook } from "../Webhook.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { DeliveriesRepo, type WebhookPlace } from "./DeliveriesRepo.ts"
import { newDelivery } from "./newDelivery.ts"

/** Events that a webhook is told of in one transaction. */
const pageSize = 200

/** What making deliveries needs. */
export type TellNeeds = DeliveriesRepo | Feed | Ids | Transaction | WebhooksRepo

/** The event that says of a webhook that it was disabled is for the others. */
const isItsOwn = (event: { readonly type: string; readonly subject: { readonly id: string } }, webhook: Webhook) =>
  event.type === "webhook.disabled" && event.subject.id === webhook.webhook_id

const tellOne = Effect.fnUntraced(function* ({
  organizationId,
  webhookId
}: WebhookPlace): Effect.fn.Return<number, Failure, TellNeeds> {
  const repo = yield* DeliveriesRepo
  const held = yield* repo.holdBehind(organizationId, webhookId)
  const webhook = held && (yield* (yield* WebhooksRepo).find(organizationId, webhookId))
  if (held === undefined || webhook === undefined) return 0
  const types = webhook.event_types.length === 0 ? undefined : webhook.event_types
  const page = yield* (yield* EventFeed).read(organizationId, { after: held.toldSequence, types, limit: pageSize })
  const rows = yield* Effect.forEach(
    page.events.filter((event) => !isItsOwn(event, webhook)),
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
  yield* repo.tell({ organizationId, webhookId }, page.next, rows)
  return rows.length
})

/**
 * Makes the deliveries of what happened since the last round; answers how many. A webhook whose turn fails is told in the
 * next round. Fails with UNAVAILABLE when the store cannot be reached.
 */
export const tellWebhooks = Effect.fnUntraced(function* (
  organizationId?: string
): Effect.fn.Return<number, Failure, TellNeeds> {
  const transaction = yield* Transaction
  const behind = yield* (yield* DeliveriesRepo).behind(organizationId, 100)
  const made = yield* Effect.forEach(behind, (place) =>
    Effect.catch(transaction.run(tellOne(place)), (failure) =>
      Effect.as(Effect.logWarning("a webhook could not be told", { webhook: place.webhookId, code: failure.code }), 0)
    )
  )
  return made.reduce((sum, count) => sum + count, 0)
})
