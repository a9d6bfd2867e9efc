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

/** What webhooks are for: those of reviews are made by the service and get nothing but their own requests. */
export const webhookPurposes = ["events", "email_reviews"] as const

/** A webhook as it is stored and shown. */
export const Webhook = Schema.Struct({
  webhook_id: text,
  organization_id: text,
  url: text,
  description: text,
  event_types: Schema.Array(Schema.Literals(eventTypes)).annotate({ description: "Only these types; empty for all" }),
  purpose: Schema.Literals(webhookPurposes).annotate({
    description: "events: told of events; email_reviews: asked for decisions on e-mails, made for a mission's address"
  }),
  is_active: Schema.Boolean.annotate({ description: "False while it is paused or disabled: deliveries wait" }),
  disabled_reason: Schema.NullOr(text).annotate({ description: "Why the service paused it by itself; null otherwise" }),
  failing_since: Schema.NullOr(Instant).annotate({
    description: "First of the tries that failed since the last one that did not; after 5 days it is disabled"
  }),
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

/** One request to a receiver, and how it ended. */
export const DeliveryTry = Schema.Struct({
  at: Instant.annotate({ description: "When the request was sent" }),
  duration_ms: Schema.Int,
  response_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status; null when nothing was answered" })
})

/** See {@link DeliveryTry}. */
export type DeliveryTry = typeof DeliveryTry.Type

/** A delivery as it is shown. */
export const Delivery = Schema.Struct({
  delivery_id: text,
  webhook_id: text,
  event_id: text.annotate({ description: "Id of the event, sent as webhook-id; the same for every try" }),
  event_type: text.annotate({ description: "Type of the event; webhook.test for a test" }),
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int.annotate({ description: "Requests begun; one whose process died is counted, but not in tries" }),
  tries: Schema.Array(DeliveryTry).annotate({ description: "Requests that ended, oldest first" }),
  next_attempt_at: Schema.NullOr(Instant).annotate({
    description: "Null when it is over, and while an earlier event of the same subject is not delivered yet"
  }),
  response_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status of the latest answer" }),
  last_error: text.annotate({ description: "What went wrong the last time; empty otherwise" }),
  redelivery_of: Schema.NullOr(text).annotate({ description: "The delivery that this one repeats" }),
  created_at: Instant,
  delivered_at: Schema.NullOr(Instant)
})

/**
 * A delivery as it is stored: `payload` is the body that is sent. Deliveries with a `sequence` go to their webhook in its
 * order, those of the same `subject` one after the other; repetitions, tests and requests for reviews have none.
 */
export interface DeliveryRow extends Schema.Schema.Type<typeof Delivery> {
  readonly organization_id: string
  readonly subject: string
  readonly sequence: number | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** The delivery without what is not shown. */
export const deliveryOf = ({
  organization_id: _organization,
  payload: _payload,
  sequence: _sequence,
  subject: _subject,
  ...shown
}: DeliveryRow): typeof Delivery.Type => shown
