/** Creating, updating, deleting and testing webhooks: the rules for all surfaces. */

import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { Actor, ownRecord } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import type { Subject } from "../kernel/journal/Event.ts"
import { changedAt, type DeliveryId, Ids, isoFromMillis, now, type WebhookId } from "../kernel/schema/IdsAndTime.ts"
import { newDelivery } from "./delivery/deliveryRounds.ts"
import { deliveryOf, type Webhook, WebhooksRepo } from "./WebhooksRepo.ts"
import { requireAllowedUrl } from "./WebhookTarget.ts"

/** The fields of a webhook that a caller sets. */
type WebhookWrite = Partial<Pick<Webhook, "url" | "event_types" | "description" | "is_active">>

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const lockWebhook = (id: string) => Effect.flatMap(WebhooksRepo, ({ hold }) => ownRecord("webhook", id, hold))

/** Reads a webhook. Fails with NOT_FOUND. */
export const getWebhook = (id: string) => Effect.flatMap(WebhooksRepo, ({ find }) => ownRecord("webhook", id, find))

/** Stores a webhook with a new secret. Fails with INVALID_INPUT, naming `field`, for a URL that is not allowed. */
const storeWebhook = Effect.fnUntraced(function* (
  write: WebhookWrite & { readonly url: string },
  purpose: Webhook["purpose"],
  field: string
) {
  yield* requireAllowedUrl(write.url, field)
  const { organizationId } = yield* Actor
  const createdAt = yield* now
  const webhook: Webhook = {
    webhook_id: yield* (yield* Ids).next("whk"),
    organization_id: organizationId,
    url: write.url,
    description: write.description ?? "",
    event_types: write.event_types ?? [],
    purpose,
    is_active: write.is_active ?? true,
    disabled_reason: null,
    failing_since: null,
    created_at: createdAt,
    updated_at: createdAt
  }
  const secret = newSecret()
  yield* (yield* WebhooksRepo).insert(webhook, [{ secret, validUntil: null }])
  return { webhook, secret }
})

/** Creates a webhook and returns its secret. Fails with INVALID_INPUT for a URL that is not allowed. */
export const createWebhook = (write: WebhookWrite & { readonly url: string }) => storeWebhook(write, "events", "url")

/**
 * The webhook that sends e-mails to a URL for review, created if there is none. Its secret is never shown;
 * webhook.rotate-secret returns a new one. Fails with INVALID_INPUT for a URL that is not allowed.
 */
export const ensureReviewWebhook = Effect.fnUntraced(function* (url: string) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* WebhooksRepo).findForReviews(organizationId, url)
  if (found !== undefined) return found
  const description = "Reviews emails of missions"
  const write = { url, description, event_types: ["email.review.requested"] } as const
  const field = "mission_id: emailReviewWebhookUrl of the mission"
  return (yield* storeWebhook(write, "email_reviews", field)).webhook
})

/** Updates a webhook; without a change nothing is written. Fails with NOT_FOUND, and like createWebhook. */
export const updateWebhook = Effect.fnUntraced(function* (id: string, write: WebhookWrite) {
  if (write.url !== undefined) yield* requireAllowedUrl(write.url, "url")
  const before = yield* lockWebhook(id)
  const wanted: Webhook = { ...before, ...write }
  if (Equal.equals(wanted, before)) return before
  const after: Webhook = {
    ...wanted,
    disabled_reason: wanted.is_active ? null : wanted.disabled_reason,
    // Resuming it or changing its URL resets the count of failures.
    failing_since: wanted.is_active && before.is_active && wanted.url === before.url ? wanted.failing_since : null,
    updated_at: changedAt(before.updated_at, yield* now)
  }
  yield* (yield* WebhooksRepo).replace(after)
  return after
})

/** Deletes a webhook and its deliveries. Fails with NOT_FOUND. */
export const deleteWebhook = Effect.fnUntraced(function* (id: string) {
  const { organizationId } = yield* Actor
  const removed = yield* (yield* WebhooksRepo).remove(organizationId, id)
  return removed ? id : yield* new NotFound({ kind: "webhook", id })
})

/** Adds a new secret; for `overlapSeconds`, deliveries are also signed with the previous one. Fails with NOT_FOUND. */
export const rotateSecret = Effect.fnUntraced(function* (id: string, overlapSeconds: number) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  const webhook = yield* lockWebhook(id)
  const at = yield* now
  const until = isoFromMillis(Date.parse(at) + overlapSeconds * 1000)
  const newest = (yield* repo.secrets(organizationId, id)).at(-1)
  const old = newest === undefined || until <= at ? [] : [{ ...newest, validUntil: until }]
  const secret = newSecret()
  yield* repo.setSecrets(organizationId, id, [...old, { secret, validUntil: null }])
  return { webhook, secret }
})

/** Stores a delivery of an event that only this webhook gets, and that is in no feed. */
export const deliverAlone = Effect.fnUntraced(function* (
  webhook: Webhook,
  type: string,
  subject: Subject,
  data: Readonly<Record<string, unknown>>
) {
  const { organizationId: organization_id, kind, userId } = yield* Actor
  const id = yield* (yield* Ids).next("evt")
  const actor = { kind, id: userId }
  const row = yield* newDelivery({
    organization_id,
    webhook_id: webhook.webhook_id,
    event_id: id,
    event_type: type,
    payload: { id, type, created_at: yield* now, organization_id, sequence: 0, actor, subject, data }
  })
  yield* (yield* WebhooksRepo).insertDelivery(row)
  return deliveryOf(row)
})

/** Stores a delivery of a test event. Fails with NOT_FOUND. */
export const testWebhook = (id: string) =>
  Effect.flatMap(getWebhook(id), (webhook) => deliverAlone(webhook, "webhook.test", { type: "webhook", id }, {}))

/** Stores a new delivery of the event of an earlier one. Fails with NOT_FOUND. */
export const redeliver = Effect.fnUntraced(function* (deliveryId: DeliveryId, webhookId?: WebhookId) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  const earlier = yield* repo.findDelivery(organizationId, deliveryId)
  if (earlier === undefined || (webhookId !== undefined && earlier.webhook_id !== webhookId)) {
    return yield* new NotFound({ kind: "delivery", id: deliveryId })
  }
  const row = { ...(yield* newDelivery(earlier)), redelivery_of: deliveryId }
  yield* repo.insertDelivery(row)
  return deliveryOf(row)
})
