/** Webhooks and their deliveries: the port. */

import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { LeaseRequest } from "../kernel/background/Worker.ts"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import { eventTypes } from "../kernel/journal/Event.ts"
import { Instant, type OrganizationId, type WebhookId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"

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
export const deliveryOf = (row: DeliveryRow): typeof Delivery.Type =>
  Struct.omit(row, ["organization_id", "payload", "sequence", "subject"])

/** A delivery that this process has leased, with its URL and secrets. */
export interface LeasedDelivery {
  readonly row: DeliveryRow
  /** Tells this lease from any later one of the same delivery. */
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** Which deliveries of an organization to lease. */
export interface DeliveryLeaseRequest extends LeaseRequest {
  /** Maximum requests at the same time, over all processes. */
  readonly perWebhook: number
  readonly perOrganization: number
}

/** Stores webhooks and deliveries. Fails with UNAVAILABLE when the store cannot be reached. */
export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    readonly find: StoreMethod<[id: string], Webhook | undefined>
    /** As find, locked until the transaction ends. */
    readonly hold: StoreMethod<[id: string], Webhook | undefined>
    /** The webhook that reviews e-mails at a URL. */
    readonly findForReviews: StoreMethod<[url: string], Webhook | undefined>
    /** Newest first. */
    readonly list: StoreMethod<[page: PageRequest], Page<Webhook>>
    /** Stores a new webhook; it receives the events from now on. */
    readonly insert: (webhook: Webhook, secrets: ReadonlyArray<WebhookSecret>) => StoreEffect<void>
    /** Replaces everything but the secrets. */
    readonly replace: (webhook: Webhook) => StoreEffect<void>
    /** Deletes a webhook and its deliveries; returns whether it existed. */
    readonly remove: StoreMethod<[id: string], boolean>
    /** The secrets of a webhook, oldest first, for signing and rotation only. */
    readonly secrets: StoreMethod<[id: string], ReadonlyArray<WebhookSecret>>
    readonly setSecrets: StoreMethod<[id: string, secrets: ReadonlyArray<WebhookSecret>], void>
    readonly insertDelivery: (delivery: DeliveryRow) => StoreEffect<void>
    readonly findDelivery: StoreMethod<[id: string], DeliveryRow | undefined>
    /** Newest first. */
    readonly listDeliveries: StoreMethod<
      [
        filter: { readonly webhookId: WebhookId; readonly state: (typeof deliveryStates)[number] | undefined },
        page: PageRequest
      ],
      Page<DeliveryRow>
    >
    /** Ids of active webhooks with events that have no deliveries yet. */
    readonly pending: StoreMethod<[limit: number], ReadonlyArray<WebhookId>>
    /**
     * Inside a transaction: locks a webhook and returns the sequence of the last event with a delivery; undefined if
     * another transaction has locked it, or if it is deleted or paused.
     */
    readonly holdPending: StoreMethod<[webhookId: WebhookId], { readonly lastSequence: number } | undefined>
    /**
     * Stores deliveries of a locked webhook, and up to which event they go. A delivery waits, without a time for its next
     * attempt, for an unfinished one of the same subject.
     */
    readonly insertDeliveries: StoreMethod<
      [webhookId: WebhookId, lastSequence: number, rows: ReadonlyArray<DeliveryRow>],
      void
    >
    /**
     * Leases deliveries of active webhooks that are due, and counts the attempt. The first of each webhook comes before the
     * second of any, so that no backlog delays other webhooks.
     */
    readonly leaseDeliveries: (request: DeliveryLeaseRequest) => StoreEffect<ReadonlyArray<LeasedDelivery>>
    /**
     * Stores the outcome of a request and ends the lease; if the delivery is finished, the next one of the same subject
     * becomes due. The webhook must be locked. Returns false, and stores nothing, if the lease was lost.
     */
    readonly recordDelivery: (row: DeliveryRow, fence: number, at: string) => StoreEffect<boolean>
  }
>()("@svc/core/webhooks/WebhooksRepo") {}
