/**
 * Webhooks: URLs to which events are posted, and the deliveries to them.
 *
 * Secrets are not part of the record. They are stored readable, since they sign every delivery, but only the repository's
 * methods for secrets return them.
 */

import * as Schema from "effect/Schema"
import { eventTypes } from "../kernel/journal/Event.ts"
import { Instant, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { httpUrl, line } from "../kernel/schema/TextFields.ts"

const text = Schema.String

/** The purposes of webhooks. Those for reviews are created by the service and receive only review requests. */
const webhookPurposes = ["events", "email_reviews"] as const

/** A webhook as stored and shown. */
export const Webhook = Schema.Struct({
  webhook_id: text,
  organization_id: text,
  url: text,
  description: text,
  event_types: Schema.Array(Schema.Literals(eventTypes)).annotate({ description: "Only these types; empty for all" }),
  purpose: Schema.Literals(webhookPurposes).annotate({
    description: "events: receives events; email_reviews: decides on emails, created for a mission's URL"
  }),
  is_active: Schema.Boolean.annotate({ description: "False while paused or disabled: deliveries wait" }),
  disabled_reason: Schema.NullOr(text).annotate({ description: "Why the service paused it; otherwise null" }),
  failing_since: Schema.NullOr(Instant).annotate({
    description: "First of the current run of failed attempts; after 5 days the webhook is disabled"
  }),
  created_at: Instant,
  updated_at: Instant
})

/** See {@link Webhook}. */
export type Webhook = typeof Webhook.Type

/** A secret that signs deliveries until `validUntil` (null: without expiry). */
export interface WebhookSecret {
  readonly secret: string
  readonly validUntil: string | null
}

/** The states of a delivery. */
export const deliveryStates = ["pending", "delivered", "failed"] as const

/** One request to a receiver and its outcome. */
const DeliveryTry = Schema.Struct({
  at: Instant.annotate({ description: "When the request was sent" }),
  duration_ms: Schema.Int,
  response_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status; null without a response" })
})

/** A delivery as shown. */
export const Delivery = Schema.Struct({
  delivery_id: text,
  webhook_id: text,
  event_id: text.annotate({ description: "Id of the event, sent as webhook-id; the same for every attempt" }),
  event_type: text.annotate({ description: "Type of the event; webhook.test for a test" }),
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int.annotate({
    description: "Requests started, including one whose process died, which is not in tries"
  }),
  tries: Schema.Array(DeliveryTry).annotate({ description: "Finished requests, oldest first" }),
  next_attempt_at: Schema.NullOr(Instant).annotate({
    description: "Null when it is settled, and while an earlier event of the same subject is not delivered"
  }),
  response_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status of the latest response" }),
  last_error: text.annotate({ description: "The latest error; otherwise empty" }),
  redelivery_of: Schema.NullOr(text).annotate({ description: "The delivery this one repeats" }),
  created_at: Instant,
  delivered_at: Schema.NullOr(Instant)
})

/**
 * A delivery as stored; `payload` is the request body. Deliveries of the same `subject` are sent one after another, in the
 * order of `sequence`. Redeliveries, tests and review requests have no sequence.
 */
export interface DeliveryRow extends Schema.Schema.Type<typeof Delivery> {
  readonly organization_id: OrganizationId
  readonly subject: string
  readonly sequence: number | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** The public part of a stored delivery. */
export const deliveryOf = ({
  organization_id: _organization,
  payload: _payload,
  sequence: _sequence,
  subject: _subject,
  ...shown
}: DeliveryRow): typeof Delivery.Type => shown

const id = (description: string) => Schema.String.check(Schema.isBetweenLength(1, 64)).annotate({ description })

/** Id of a webhook. */
export const WebhookIdText = id("Id of the webhook")

/** Id of a delivery. */
export const DeliveryIdText = id("Id of the delivery")

/** Input field `url`. */
export const UrlText = httpUrl.pipe(
  Schema.annotateEncoded({
    description: "https URL that accepts POST requests, on port 443 or 8443, in a public network"
  })
)

/** The optional input fields of a webhook. */
export const webhookFields = {
  event_types: Schema.optionalKey(
    Schema.Array(Schema.Literals(eventTypes))
      .check(Schema.isMaxLength(eventTypes.length), Schema.isUnique())
      .annotate({ description: "Only events of these types; empty for all" })
  ),
  description: Schema.optionalKey(line(200, "Purpose of the webhook")),
  is_active: Schema.optionalKey(Schema.Boolean.annotate({ description: "False pauses the webhook: deliveries wait" }))
}

/** Output field `secret`. */
export const ShownSecret = Schema.NullOr(Schema.String).annotate({
  description: "Signing secret, shown only once; null in a dry run and in a repeated response"
})
