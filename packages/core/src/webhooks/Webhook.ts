/**
 * A webhook: an address that is told of events, and the deliveries to it.
 *
 * Secrets are not part of the record: they are kept readable, since every delivery is signed with them, but only the
 * repository's own methods for them let them out. Source: G34.
 */
import * as Schema from "effect/Schema"
import { eventTypes } from "../Event.ts"
import { Instant } from "../Time.ts"

const text = Schema.String

/** A webhook as it is stored and shown. */
export const Webhook = Schema.Struct({
  webhook_id: text,
  organization_id: text,
  url: text,
  description: text,
  event_types: Schema.Array(Schema.Literals(eventTypes)).annotate({ description: "Only these types; empty for all" }),
  is_active: Schema.Boolean.annotate({ description: "False while it is paused or disabled: deliveries wait" }),
  disabled_reason: Schema.NullOr(text).annotate({ description: "Why the service paused it by itself; null otherwise" }),
  created_at: Instant,
  updated_at: Instant
})

/** See {@link Webhook}. */
export type Webhook = typeof Webhook.Type

/** A secret that deliveries are signed with until `validUntil` (null: for ever). */
export interface WebhookSecret {
  readonly secret: string
  readonly validUntil: string | null
}

/** How far a delivery is. */
export const deliveryStates = ["pending", "delivered", "failed"] as const

/** A delivery as it is shown. */
export const Delivery = Schema.Struct({
  delivery_id: text,
  webhook_id: text,
  event_id: text.annotate({ description: "Id of the event, sent as webhook-id; the same for every try" }),
  event_type: text.annotate({ description: "Type of the event; webhook.test for a test" }),
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Instant),
  response_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status of the latest answer" }),
  last_error: text.annotate({ description: "What went wrong the last time; empty otherwise" }),
  redelivery_of: Schema.NullOr(text).annotate({ description: "The delivery that this one repeats" }),
  created_at: Instant,
  delivered_at: Schema.NullOr(Instant)
})

/** A delivery as it is stored: `payload` is the body that is sent. */
export interface DeliveryRow extends Schema.Schema.Type<typeof Delivery> {
  readonly organization_id: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The delivery without what is not shown. */
export const deliveryOf = ({
  organization_id: _organization,
  payload: _payload,
  ...shown
}: DeliveryRow): typeof Delivery.Type => shown
